-- Levels of a loyalty program (loyalty.md §8). Ranges of one program do not overlap: they are made under one key.
create table loyalty_tiers (
  project_id text collate "C" not null references projects (id) on delete cascade,
  id text collate "C" not null,
  campaign_id text collate "C" not null,
  name text not null,
  -- Points, both ends included; null is without end.
  points_from bigint not null check (points_from >= 0),
  points_to bigint check (points_to >= points_from),
  -- By earning rule, and by reward assignment or reward: what the tier makes of points and prices.
  earning_rules jsonb not null,
  rewards jsonb not null,
  metadata jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (project_id, id),
  foreign key (project_id, campaign_id) references campaigns (project_id, id) on delete cascade
);
create index loyalty_tiers_campaign on loyalty_tiers (project_id, campaign_id, created_at, id);

-- The tier that a card is in, and one that begins with the next period. Days are the project's. Whose card it is says the card.
create table loyalty_tier_members (
  project_id text collate "C" not null,
  voucher_id text collate "C" not null,
  campaign_id text collate "C" not null,
  tier_id text collate "C",
  start_date date,
  -- The last day; null where the tier ends when the balance leaves its range.
  expiration_date date,
  next_tier_id text collate "C",
  next_start_date date,
  next_expiration_date date,
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (project_id, voucher_id),
  foreign key (project_id, tier_id) references loyalty_tiers (project_id, id) on delete cascade,
  foreign key (project_id, next_tier_id) references loyalty_tiers (project_id, id) on delete cascade,
  check (tier_id is not null or next_tier_id is not null),
  check ((tier_id is null) = (start_date is null)),
  check ((next_tier_id is null) = (next_start_date is null))
);
-- What a midnight ends, and what it begins.
create index loyalty_tier_members_ends on loyalty_tier_members (project_id, expiration_date, voucher_id)
  where expiration_date is not null;
create index loyalty_tier_members_begins on loyalty_tier_members (project_id, next_start_date, voucher_id)
  where next_start_date is not null;
create index loyalty_tier_members_tier on loyalty_tier_members (project_id, tier_id);
create index loyalty_tier_members_next_tier on loyalty_tier_members (project_id, next_tier_id) where next_tier_id is not null;

-- Points that a card collected in a month of the project's, however they were spent: kept whether tiers ask for them or not, so
-- that tiers made later count what went before.
create table points_collected (
  project_id text collate "C" not null,
  voucher_id text collate "C" not null,
  -- Its first day.
  month date not null,
  points bigint not null check (points >= 0),
  primary key (project_id, voucher_id, month)
) with (fillfactor = 80);

insert into points_collected (project_id, voucher_id, month, points)
select ledger_entries.project_id, ledger_entries.voucher_id,
       date_trunc('month', ledger_entries.created_at at time zone projects.timezone)::date, sum(ledger_entries.amount)
  from ledger_entries
  join projects on projects.id = ledger_entries.project_id
 where ledger_entries.type in ('POINTS_ACCRUAL', 'POINTS_ADDITION')
 group by 1, 2, 3;
