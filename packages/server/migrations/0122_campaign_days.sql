-- What happened in a campaign on each of the project's days (vouchers-and-campaigns.md §20): counted as it happens, so that a
-- summary is a sum of few rows. Nothing here is taken back; what rolls back counts for itself. Who counts has a slot of its own.
create table campaign_days (
  project_id text collate "C" not null,
  campaign_id text collate "C" not null,
  day date not null,
  slot bigint not null,
  redemptions_succeeded bigint not null default 0,
  redemptions_failed bigint not null default 0,
  rollbacks_succeeded bigint not null default 0,
  rollbacks_failed bigint not null default 0,
  validations_succeeded bigint not null default 0,
  validations_failed bigint not null default 0,
  orders_amount bigint not null default 0,
  orders_rolledback_amount bigint not null default 0,
  discounted_amount bigint not null default 0,
  rolledback_discounted_amount bigint not null default 0,
  vouchers_created bigint not null default 0,
  vouchers_deleted bigint not null default 0,
  publications_succeeded bigint not null default 0,
  publications_failed bigint not null default 0,
  -- Credits of gift cards, points of loyalty cards: what they were made with, what redemptions took and rollbacks gave back, what
  -- was added and taken away, and what was left on those that were deleted.
  opened bigint not null default 0,
  redeemed bigint not null default 0,
  returned bigint not null default 0,
  added bigint not null default 0,
  subtracted bigint not null default 0,
  lost bigint not null default 0,
  points_rewarded bigint not null default 0,
  points_expired bigint not null default 0,
  points_transferred_out bigint not null default 0,
  points_transferred_in bigint not null default 0,
  pending_points_added bigint not null default 0,
  pending_points_subtracted bigint not null default 0,
  pending_points_activated bigint not null default 0,
  pending_points_canceled bigint not null default 0,
  primary key (project_id, campaign_id, day, slot),
  foreign key (project_id, campaign_id) references campaigns (project_id, id) on delete cascade
) with (fillfactor = 80);

-- What happened before. What still waits to be told is counted when it is. Pending points and validations are kept nowhere by
-- the day; a zone that only JavaScript knows is taken for UTC.
with waiting as materialized (
  select outbox.project_id, events.entity_id as id, events.data ->> 'transaction_id' as entry_id,
         events.data ->> 'publication_id' as publication_id, events.data ->> 'rollback_id' as rollback_id
    from outbox
    join events on events.project_id = outbox.project_id and events.id = outbox.event_id
                and events.created_at = outbox.created_at
), zones as materialized (
  select projects.id as project_id, coalesce(max(pg_timezone_names.name), 'UTC') as zone
    from projects left join pg_timezone_names on pg_timezone_names.name = projects.timezone
   group by projects.id
), happened as (
  select redemptions.project_id, redemptions.campaign_id, redemptions.created_at as at,
         (case when redemptions.object = 'redemption' then 'redemptions_' else 'rollbacks_' end)
           || (case redemptions.result when 'SUCCESS' then 'succeeded' else 'failed' end) as what,
         case when redemptions.result = 'SUCCESS' then abs(coalesce(redemptions.order_amount, 0)) else 0 end as order_amount,
         case when redemptions.result = 'SUCCESS' then abs(coalesce(redemptions.discount_amount, 0)) else 0 end as discount,
         case when redemptions.result = 'SUCCESS' then abs(coalesce(redemptions.amount, 0)) else 0 end as amount
    from redemptions
   where redemptions.campaign_id is not null and coalesce(redemptions.voucher_id, redemptions.promotion_tier_id) is not null
     and not exists (select from waiting
                      where waiting.project_id = redemptions.project_id
                        and redemptions.id in (waiting.id, waiting.rollback_id))
  union all
  select ledger_entries.project_id, ledger_entries.campaign_id, ledger_entries.created_at, ledger_entries.type, 0, 0,
         abs(ledger_entries.amount)
    from ledger_entries
   where ledger_entries.campaign_id is not null
     and not exists (select from waiting
                      where waiting.project_id = ledger_entries.project_id and waiting.entry_id = ledger_entries.id)
  union all
  select publications.project_id, publications.campaign_id, publications.created_at,
         case publications.result when 'SUCCESS' then 'publications_succeeded' else 'publications_failed' end, 0, 0, 0
    from publications
   where publications.campaign_id is not null
     and not exists (select from waiting
                      where waiting.project_id = publications.project_id and waiting.publication_id = publications.id)
  union all
  select vouchers.project_id, vouchers.campaign_id, vouchers.created_at, 'vouchers_created', 0, 0,
         coalesce((vouchers.gift ->> 'amount')::bigint, (vouchers.loyalty_card ->> 'points')::bigint, 0)
    from vouchers where vouchers.campaign_id is not null
  union all
  select bin_entries.project_id, bin_entries.resource_parent_id, bin_entries.created_at, 'vouchers_deleted', 0, 0,
         coalesce(card_balances.balance, 0)
    from bin_entries
    left join card_balances on card_balances.project_id = bin_entries.project_id
                           and card_balances.voucher_id = bin_entries.resource_id
   where bin_entries.resource_type = 'voucher' and bin_entries.resource_parent_id is not null
     and not exists (select from waiting
                      where waiting.project_id = bin_entries.project_id and waiting.id = bin_entries.resource_id)
)
insert into campaign_days (
  project_id, campaign_id, day, slot, redemptions_succeeded, redemptions_failed, rollbacks_succeeded, rollbacks_failed,
  orders_amount, orders_rolledback_amount, discounted_amount, rolledback_discounted_amount, vouchers_created, vouchers_deleted,
  publications_succeeded, publications_failed, opened, redeemed, returned, added, subtracted, lost, points_rewarded,
  points_expired, points_transferred_out, points_transferred_in, pending_points_activated)
select happened.project_id, happened.campaign_id, (happened.at at time zone zones.zone)::date, 1,
       count(*) filter (where what = 'redemptions_succeeded'), count(*) filter (where what = 'redemptions_failed'),
       count(*) filter (where what = 'rollbacks_succeeded'), count(*) filter (where what = 'rollbacks_failed'),
       coalesce(sum(order_amount) filter (where what = 'redemptions_succeeded'), 0),
       coalesce(sum(order_amount) filter (where what = 'rollbacks_succeeded'), 0),
       coalesce(sum(discount) filter (where what = 'redemptions_succeeded'), 0),
       coalesce(sum(discount) filter (where what = 'rollbacks_succeeded'), 0),
       count(*) filter (where what = 'vouchers_created'), count(*) filter (where what = 'vouchers_deleted'),
       count(*) filter (where what = 'publications_succeeded'), count(*) filter (where what = 'publications_failed'),
       coalesce(sum(amount) filter (where what = 'vouchers_created'), 0),
       coalesce(sum(amount) filter (where what = 'redemptions_succeeded'), 0),
       coalesce(sum(amount) filter (where what = 'rollbacks_succeeded'), 0),
       coalesce(sum(amount) filter (where what in ('CREDITS_ADDITION', 'POINTS_ADDITION')), 0),
       coalesce(sum(amount) filter (where what in ('CREDITS_REMOVAL', 'POINTS_REMOVAL')), 0),
       coalesce(sum(amount) filter (where what = 'vouchers_deleted'), 0),
       coalesce(sum(amount) filter (where what in ('POINTS_ACCRUAL', 'PENDING_POINTS_ACTIVATION')), 0),
       coalesce(sum(amount) filter (where what = 'POINTS_EXPIRATION'), 0),
       coalesce(sum(amount) filter (where what = 'POINTS_TRANSFER_OUT'), 0),
       coalesce(sum(amount) filter (where what = 'POINTS_TRANSFER_IN'), 0),
       coalesce(sum(amount) filter (where what = 'PENDING_POINTS_ACTIVATION'), 0)
  from happened
  join zones on zones.project_id = happened.project_id
  join campaigns on campaigns.project_id = happened.project_id and campaigns.id = happened.campaign_id
 group by 1, 2, 3;
