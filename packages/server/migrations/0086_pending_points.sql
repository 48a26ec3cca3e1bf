-- Points of a paid order that its member cannot spend yet (loyalty.md §5). What the books say of a card knows nothing of them.
create table pending_points (
  project_id text collate "C" not null,
  id text collate "C" not null,
  voucher_id text collate "C" not null,
  campaign_id text collate "C" not null,
  customer_id text collate "C" not null,
  order_id text collate "C" not null,
  points bigint not null check (points > 0),
  -- The project's day that they activate with.
  activates_on date not null,
  status text not null check (status in ('PENDING', 'ACTIVATED', 'CANCELED')),
  -- The rule's own, as they were; null: those of the program when they activate.
  expiration_rules jsonb,
  details jsonb not null,
  event_id text collate "C" not null,
  earning_rule_id text collate "C" not null,
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (project_id, id)
);
-- An event pays a card by a rule once.
create unique index pending_points_once on pending_points (project_id, event_id, earning_rule_id, voucher_id);
create index pending_points_card on pending_points (project_id, voucher_id, id) include (points) where status = 'PENDING';
create index pending_points_campaign on pending_points (project_id, campaign_id, id) where status = 'PENDING';
create index pending_points_order on pending_points (project_id, order_id) where status = 'PENDING';
create index pending_points_due on pending_points (project_id, activates_on, voucher_id) where status = 'PENDING';
