-- The next voucher of a campaign that nobody has, in an order that no other index has: one of all vouchers of the campaign served the
-- same statement, and was taken for it where the statistics were new, past all that were published before.
drop index vouchers_unpublished;
create index vouchers_unpublished on vouchers (project_id, campaign_id, publish_count, created_at, id)
  where publish_count <= 0 and campaign_id is not null and deleted_at is null;
