-- What a project's custom events look like (platform.md §9.5). The name is what POST /v1/events sends.
create table custom_event_schemas (
  project_id text collate "C" not null references projects (id) on delete cascade,
  id text collate "C" not null,
  name text collate "C" not null,
  properties jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (project_id, id)
);
create unique index custom_event_schemas_name on custom_event_schemas (project_id, name);

create table earning_rules (
  project_id text collate "C" not null references projects (id) on delete cascade,
  id text collate "C" not null,
  campaign_id text collate "C" not null,
  -- `order.paid`, `customer.segment.entered`, `customer.loyalty.tier.…`, or the name of a custom event.
  event text collate "C" not null,
  custom_event_schema_id text collate "C",
  segment_id text collate "C",
  loyalty_tier_id text collate "C",
  loyalty jsonb not null,
  pending_points jsonb,
  expiration_rules jsonb,
  banner text,
  active boolean not null,
  start_date timestamptz,
  expiration_date timestamptz,
  validity_timeframe jsonb,
  validity_day_of_week int[],
  validity_hours jsonb,
  validation_rule_id text collate "C",
  automation_id text collate "C" not null,
  metadata jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (project_id, id)
);
create index earning_rules_campaign on earning_rules (project_id, campaign_id, created_at, id);
create index earning_rules_event on earning_rules (project_id, event);

-- Codes given to customers, and the attempts that were refused (vouchers-and-campaigns.md §11).
create table publications (
  project_id text collate "C" not null,
  id text collate "C" not null,
  customer_id text collate "C" not null,
  campaign_id text collate "C",
  voucher_id text collate "C",
  source_id text collate "C",
  channel text not null,
  metadata jsonb not null,
  result text not null check (result in ('SUCCESS', 'FAILURE')),
  failure_code text,
  failure_message text,
  created_at timestamptz not null,
  primary key (project_id, id)
);
create unique index publications_source_id on publications (project_id, source_id)
  where source_id is not null and result = 'SUCCESS';
create index publications_customer on publications (project_id, customer_id, created_at);
create index publications_campaign on publications (project_id, campaign_id, created_at) where campaign_id is not null;
create index publications_voucher on publications (project_id, voucher_id, created_at) where voucher_id is not null;

-- Who holds which voucher (§12).
create table voucher_holders (
  project_id text collate "C" not null,
  id text collate "C" not null,
  voucher_id text collate "C" not null,
  customer_id text collate "C" not null,
  role text not null check (role in ('OWNER', 'REFERRER', 'REFEREE')),
  campaign_id text collate "C",
  publication_id text collate "C",
  created_at timestamptz not null,
  primary key (project_id, id)
);
create unique index voucher_holders_voucher on voucher_holders (project_id, voucher_id, customer_id);
create index voucher_holders_customer on voucher_holders (project_id, customer_id, campaign_id);

-- The cards that are left to give, however many were given before. Of cards alone: the codes of other campaigns are made
-- by the million and seldom published.
create index vouchers_unpublished_cards on vouchers (project_id, campaign_id, created_at, id)
  where type = 'LOYALTY_CARD' and publish_count = 0 and deleted_at is null;

-- Custom events that may earn points, until a worker has seen to them (architecture.md §5).
create table earning_tasks (
  project_id text collate "C" not null,
  event_id text collate "C" not null,
  -- The event's own, which leads to its partition.
  created_at timestamptz not null,
  primary key (project_id, event_id)
);

-- What made the points, and the last wall: an event pays a card by a rule once.
alter table ledger_entries add column event_id text collate "C", add column earning_rule_id text collate "C";
create unique index ledger_entries_earned_once on ledger_entries (project_id, event_id, earning_rule_id, voucher_id)
  where event_id is not null;
