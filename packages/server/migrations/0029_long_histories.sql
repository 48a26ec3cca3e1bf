-- Limits of a voucher by day or by key, and of a customer, are counted from redemptions one by one while those are few.
-- A voucher or a customer with a long history has rows that count, by the day, so that no decision scans a history.
create table long_histories (
  project_id text collate "C" not null,
  -- A voucher or a customer.
  id text collate "C" not null,
  primary key (project_id, id)
);

create table history_days (
  project_id text collate "C" not null,
  -- A voucher, a promotion tier or a campaign.
  object_id text collate "C" not null,
  -- 'customer …' or 'channel …' with an id; empty: of everybody.
  whose text collate "C" not null,
  day date not null,
  slot smallint not null,
  redemptions bigint not null,
  orders_amount bigint not null,
  discount_amount bigint not null,
  gift_credits bigint not null,
  primary key (project_id, object_id, whose, day, slot)
) with (fillfactor = 80);

-- A tier's redemptions by key are always counted in rows, as everybody's are: no key of the tier's is held by all of them.
insert into history_days (project_id, object_id, whose, day, slot, redemptions, orders_amount, discount_amount, gift_credits)
select redemptions.project_id, redemptions.promotion_tier_id, 'channel ' || (redemptions.channel ->> 'channel_id'),
       redemptions.day, 0, count(*), coalesce(sum(redemptions.order_amount), 0), sum(redemptions.discount_amount),
       coalesce(sum(redemptions.amount), 0)
  from redemptions
 where redemptions.promotion_tier_id is not null and redemptions.object = 'redemption' and redemptions.status = 'SUCCEEDED'
 group by 1, 2, 3, 4;

-- It was there to count a tier's redemptions by key.
drop index redemptions_tier;
