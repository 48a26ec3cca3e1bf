-- Units discounted at item level by a campaign, a tier, or a voucher without a campaign, of each product (discounts.md §5).
-- Kept whether or not a rule limits them, so that a budget set later counts what went before; spread over slots, so that
-- redemptions of one campaign do not queue on a row. A customer's own are counted from redemptions.
create table unit_usage (
  project_id text collate "C" not null,
  object_id text collate "C" not null,
  -- Ids, or source ids where no id was known; empty for none.
  product text collate "C" not null,
  sku text collate "C" not null,
  slot smallint not null,
  -- One slot may go below zero by a rollback; the sum of all is never negative.
  units bigint not null,
  primary key (project_id, object_id, product, sku, slot)
) with (fillfactor = 80);

create index unit_usage_sku on unit_usage (project_id, object_id, sku);

-- [{product, sku, units}] of what a redemption discounted at item level, so that a rollback returns just that.
alter table redemptions add column units jsonb;
