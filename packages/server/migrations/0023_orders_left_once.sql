-- The order that a redemption left is the order's row for as long as nobody changes it: the redemption names its version.
-- Whoever changes the order keeps the state that a redemption names first. Rows of before show what they carry.
-- Not for a rolling upgrade: a process of the release before would change orders without a version (nothing is released).
alter table orders
  add column version bigint not null default 1,
  alter column items type json;

-- States of orders that a redemption left and that have been changed since; named like the columns of orders.
create table order_states (
  project_id text collate "C" not null,
  id text collate "C" not null,
  version bigint not null,
  source_id text collate "C",
  status text not null,
  customer_id text collate "C",
  referrer_id text collate "C",
  currency text not null,
  amount bigint,
  initial_amount bigint,
  discount_amount bigint not null,
  items_discount_amount bigint not null,
  applied_discount_amount bigint not null,
  items_applied_discount_amount bigint not null,
  total_amount bigint,
  items json not null,
  metadata jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (project_id, id, version)
);

-- No statement looks into these: kept as written, at less than half the cost of jsonb. `units` and `channel` are counted by.
alter table redemptions
  add column order_version bigint,
  alter column parts type json,
  alter column order_after type json,
  alter column voucher_after type json;

-- Every index of redemptions and the statement it is for (each costs an insert 5 to 6 µs):
--   redemptions_pkey                a redemption by its id; marking it rolled back
--   redemptions_created             the list of all, newest first
--   redemptions_voucher             a voucher's redemptions, newest first; counting by voucher
--   redemptions_tier                a tier's, where a rule counts them by key
--   redemptions_campaign            a campaign's, newest first
--   redemptions_of_customer         a customer's, and of those a campaign's: lists, summaries, limits per customer
--   redemptions_order               what was redeemed on an order
--   redemptions_parent              the children of a stack
--   redemptions_undone              the rollbacks of a redemption, refused ones too
--   redemptions_rolled_back_once    the last wall against a second rollback
-- One customer has few redemptions, so one index serves them alone and within a campaign.
drop index redemptions_customer;
drop index redemptions_customer_campaign;
create index redemptions_of_customer on redemptions (project_id, customer_id, campaign_id, created_at)
  where customer_id is not null;
