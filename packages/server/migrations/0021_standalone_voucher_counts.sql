-- How many live vouchers have no campaign, beside `campaign_voucher_counts`: the number of all is a sum of few rows. In
-- slots, since people make such vouchers at once, one by one, and would wait for each other on one row.
create table standalone_voucher_counts (
  project_id text collate "C" not null references projects (id) on delete cascade,
  slot smallint not null,
  vouchers_count bigint not null,
  primary key (project_id, slot)
) with (fillfactor = 80);
insert into standalone_voucher_counts (project_id, slot, vouchers_count)
select vouchers.project_id, 0, count(*)
  from vouchers
 where vouchers.campaign_id is null and vouchers.deleted_at is null
 group by vouchers.project_id;
