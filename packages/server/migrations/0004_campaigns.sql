create table categories (
  project_id text collate "C" not null references projects (id) on delete cascade,
  id text collate "C" not null,
  name text not null,
  hierarchy bigint not null check (hierarchy >= 0),
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (project_id, id)
);
create unique index categories_name on categories (project_id, name);

create table campaigns (
  project_id text collate "C" not null references projects (id) on delete cascade,
  id text collate "C" not null,
  name text not null,
  campaign_type text not null,
  type text not null,
  description text,
  -- The template of every voucher: type, discount or gift or loyalty_card, redemption, code_config, is_referral_code.
  voucher jsonb,
  referral_program jsonb,
  loyalty_tiers_expiration jsonb,
  auto_join boolean not null,
  join_once boolean not null,
  use_voucher_metadata_schema boolean not null,
  start_date timestamptz,
  expiration_date timestamptz,
  validity_timeframe jsonb,
  validity_day_of_week int[],
  validity_hours jsonb,
  activity_duration_after_publishing text,
  active boolean not null,
  protected boolean not null default false,
  category_id text collate "C",
  metadata jsonb not null,
  creation_status text not null,
  vouchers_generation_status text not null,
  created_at timestamptz not null,
  updated_at timestamptz,
  -- In the bin: the name stays taken (vouchers-and-campaigns.md §5.4).
  deleted_at timestamptz,
  primary key (project_id, id),
  foreign key (project_id, category_id) references categories (project_id, id)
);
create unique index campaigns_name on campaigns (project_id, name);
create index campaigns_created on campaigns (project_id, created_at, id) where deleted_at is null;
create index campaigns_updated on campaigns (project_id, (coalesce(updated_at, created_at)), id) where deleted_at is null;
create index campaigns_category on campaigns (project_id, category_id) where category_id is not null;

-- How many live vouchers a campaign has, spread over slots so that adding vouchers at once does not queue on one row.
create table campaign_voucher_counts (
  project_id text collate "C" not null,
  campaign_id text collate "C" not null,
  slot smallint not null,
  vouchers_count bigint not null,
  primary key (project_id, campaign_id, slot)
) with (fillfactor = 80);

create table promotion_tiers (
  project_id text collate "C" not null references projects (id) on delete cascade,
  id text collate "C" not null,
  campaign_id text collate "C" not null,
  name text not null,
  banner text,
  discount jsonb not null,
  metadata jsonb not null,
  hierarchy bigint not null,
  active boolean not null,
  start_date timestamptz,
  expiration_date timestamptz,
  validity_timeframe jsonb,
  validity_day_of_week int[],
  validity_hours jsonb,
  category_id text collate "C",
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (project_id, id),
  foreign key (project_id, campaign_id) references campaigns (project_id, id),
  foreign key (project_id, category_id) references categories (project_id, id)
);
create index promotion_tiers_campaign on promotion_tiers (project_id, campaign_id, hierarchy, id);
create index promotion_tiers_category on promotion_tiers (project_id, category_id) where category_id is not null;
