-- The next voucher of a campaign that nobody has, whatever it gives: codes and gift cards are published as rewards too
-- (loyalty.md §9). What knows of cards alone is served by it as well.
create index vouchers_unpublished on vouchers (project_id, campaign_id, created_at, id)
  where publish_count = 0 and campaign_id is not null and deleted_at is null;
drop index vouchers_unpublished_cards;
