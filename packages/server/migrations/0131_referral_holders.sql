-- Whoever comes by a referral code is a holder of it beside its referrer (vouchers-and-campaigns.md §15), with what the caller says of
-- that.
alter table voucher_holders add column metadata jsonb;
-- The holders of a referral code in the order in which they came; those of other codes are never listed.
create index voucher_holders_of_code on voucher_holders (project_id, voucher_id, id) where role <> 'OWNER';
