create table orders (
  project_id text collate "C" not null,
  id text collate "C" not null,
  source_id text collate "C",
  status text not null check (status in ('CREATED', 'PAID', 'CANCELED', 'FULFILLED')),
  customer_id text collate "C",
  referrer_id text collate "C",
  currency text not null,
  -- Minor units; null where neither an amount nor a priced line was given. Item amounts stand in the items.
  amount bigint,
  initial_amount bigint,
  discount_amount bigint not null default 0 check (discount_amount >= 0),
  items_discount_amount bigint not null default 0 check (items_discount_amount >= 0),
  applied_discount_amount bigint not null default 0,
  items_applied_discount_amount bigint not null default 0,
  total_amount bigint check (total_amount >= 0),
  items jsonb not null,
  metadata jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (project_id, id)
);
create unique index orders_source_id on orders (project_id, source_id) where source_id is not null;
create index orders_created on orders (project_id, created_at, id);
create index orders_updated on orders (project_id, (coalesce(updated_at, created_at)), id);
create index orders_customer on orders (project_id, customer_id, created_at) where customer_id is not null;

-- Redemptions, failed ones, and their rollbacks. A row carries all that a counter derives from and all that a rollback
-- gives back. No foreign keys: existence was checked under the lock.
create table redemptions (
  project_id text collate "C" not null,
  id text collate "C" not null,
  object text not null check (object in ('redemption', 'redemption_rollback')),
  result text not null check (result in ('SUCCESS', 'FAILURE')),
  status text not null check (status in ('SUCCEEDED', 'FAILED', 'ROLLED_BACK')),
  -- What was redeemed; all null for a parent and for an unknown code.
  voucher_id text collate "C",
  promotion_tier_id text collate "C",
  campaign_id text collate "C",
  -- Children name their parent, rollbacks the redemption they undo.
  parent_id text collate "C",
  redemption_id text collate "C",
  customer_id text collate "C",
  tracking_id text,
  order_id text collate "C",
  session_key text,
  -- Credits or points spent, negative on a rollback; null for the rest.
  amount bigint,
  order_amount bigint,
  discount_amount bigint not null default 0,
  currency text not null,
  -- The project's local day whose counters this redemption moved.
  day date not null,
  -- What was taken off and given, line by line: what a rollback removes from the order.
  parts jsonb,
  -- The order and the voucher as this step left them.
  order_after jsonb,
  voucher_after jsonb,
  metadata jsonb,
  channel jsonb not null,
  reason text,
  failure_code text,
  failure_message text,
  rollback_order_mode text,
  created_at timestamptz not null,
  primary key (project_id, id)
);
create index redemptions_created on redemptions (project_id, created_at, id);
create index redemptions_voucher on redemptions (project_id, voucher_id, created_at) where voucher_id is not null;
create index redemptions_tier on redemptions (project_id, promotion_tier_id, created_at) where promotion_tier_id is not null;
create index redemptions_campaign on redemptions (project_id, campaign_id, created_at) where campaign_id is not null;
create index redemptions_customer on redemptions (project_id, customer_id, created_at) where customer_id is not null;
create index redemptions_customer_campaign on redemptions (project_id, campaign_id, customer_id, created_at)
  where customer_id is not null and campaign_id is not null and object = 'redemption' and status = 'SUCCEEDED';
create index redemptions_order on redemptions (project_id, order_id) where order_id is not null;
create index redemptions_parent on redemptions (project_id, parent_id) where parent_id is not null;
create index redemptions_undone on redemptions (project_id, redemption_id) where redemption_id is not null;
-- One successful rollback a redemption: the last wall.
create unique index redemptions_rolled_back_once on redemptions (project_id, redemption_id)
  where object = 'redemption_rollback' and result = 'SUCCESS';

-- Counters of campaigns and tiers, a row a local day, spread over slots. Kept with or without a rule, so that a limit
-- added later counts what went before (architecture.md §4).
create table usage_days (
  project_id text collate "C" not null,
  -- A campaign or a promotion tier.
  object_id text collate "C" not null,
  day date not null,
  slot smallint not null,
  redemptions bigint not null,
  orders_amount bigint not null,
  discount_amount bigint not null,
  gift_credits bigint not null,
  units bigint not null,
  primary key (project_id, object_id, day, slot)
) with (fillfactor = 80);

-- Locks that validations put on vouchers (redemption.md §12). An expired one does not count, purged or not.
create table voucher_sessions (
  project_id text collate "C" not null,
  voucher_id text collate "C" not null,
  session_key text collate "C" not null,
  -- What the session reserves beside one redemption.
  credits bigint not null,
  expires_at timestamptz not null,
  primary key (project_id, voucher_id, session_key)
);
create index voucher_sessions_expired on voucher_sessions (project_id, expires_at);
