-- Publications of several codes at once (vouchers-and-campaigns.md §11.1): the codes they gave, in their order. One that gave a
-- single code names it itself.
create table publication_vouchers (
  project_id text collate "C" not null,
  publication_id text collate "C" not null,
  place bigint not null,
  voucher_id text collate "C" not null,
  primary key (project_id, publication_id, place)
);
create index publication_vouchers_voucher on publication_vouchers (project_id, voucher_id);

-- The list, newest first, and the publications, granted or not, that a caller's own id names.
create index publications_created on publications (project_id, created_at, id);
create index publications_named on publications (project_id, source_id) where source_id is not null;

-- Keys that were made for an integration; some operations take no others (platform.md §1).
alter table api_keys add column is_integration boolean not null default false;
