-- A long history is counted in rows slice by slice, and not in one scan on a request's way (docs/adr/0038): the rows hold
-- what was redeemed up to a moment, and everything behind it is looked at one by one.
alter table long_histories
  add column kind text check (kind in ('voucher', 'customer')),
  -- What is counted was made by then. '-infinity': nothing yet; 'infinity': all, and what comes is counted as it comes.
  add column counted_to timestamptz not null default 'infinity';
update long_histories set kind =
  case when exists (select from vouchers where vouchers.project_id = long_histories.project_id and vouchers.id = long_histories.id)
       then 'voucher' else 'customer' end;
alter table long_histories alter column kind set not null, alter column counted_to drop default;
create index long_histories_uncounted on long_histories (project_id, id) where counted_to < 'infinity';

-- Units discounted at item level, of the same histories: what unit budgets of a customer or a voucher count.
create table history_units (
  project_id text collate "C" not null,
  -- A voucher, a promotion tier or a campaign.
  object_id text collate "C" not null,
  -- 'customer …' with an id; empty: of everybody.
  whose text collate "C" not null,
  -- Ids, or source ids where no id was known; empty for none.
  product text collate "C" not null,
  sku text collate "C" not null,
  units bigint not null,
  primary key (project_id, object_id, whose, product, sku)
) with (fillfactor = 80);
create index history_units_sku on history_units (project_id, object_id, whose, sku);

insert into history_units (project_id, object_id, whose, product, sku, units)
select redemptions.project_id, counter.object_id, counter.whose, item.product, item.sku, sum(item.units)
  from long_histories
  join redemptions on redemptions.project_id = long_histories.project_id
   and long_histories.id = any(array[redemptions.voucher_id, redemptions.customer_id])
 cross join lateral (
   select redemptions.voucher_id, '' where long_histories.kind = 'voucher'
   union all
   select object.id, 'customer ' || redemptions.customer_id
     from unnest(array[redemptions.voucher_id, redemptions.promotion_tier_id, redemptions.campaign_id]) as object (id)
    where long_histories.kind = 'customer' and object.id is not null
 ) as counter (object_id, whose)
 cross join jsonb_to_recordset(redemptions.units) as item (product text, sku text, units bigint)
 where redemptions.object = 'redemption' and redemptions.status = 'SUCCEEDED'
 group by 1, 2, 3, 4, 5;

-- Histories that are long by now and that nobody has asked about are counted by a schedule.
insert into long_histories (project_id, id, kind, counted_to)
select redemptions.project_id, redemptions.voucher_id, 'voucher', timestamptz '-infinity'
  from redemptions where redemptions.voucher_id is not null
 group by redemptions.project_id, redemptions.voucher_id having count(*) > 200
union all
select redemptions.project_id, redemptions.customer_id, 'customer', timestamptz '-infinity'
  from redemptions where redemptions.customer_id is not null
 group by redemptions.project_id, redemptions.customer_id having count(*) > 200
on conflict do nothing;
