-- The codes of a project side by side, to be searched for a part of one (docs/adr/0087). Every code that a voucher has stands in a page from
-- the moment the voucher is there; one that no voucher has any more may stand in one for a while.
create table code_pages (
  project_id text collate "C" not null,
  page bigint generated always as identity,
  codes int not null check (codes > 0),
  -- Of each voucher its `code_key` and a line feed, which no code holds.
  keys text collate "C" not null,
  -- Between them all the vouchers were made.
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (project_id, page)
) with (toast_tuple_target = 8160, parallel_workers = 0);
-- Beside the rest of the row, and as it is: a page is read whole each time, by the process that asks alone.
alter table code_pages alter column keys set storage main;
-- Those that are to be packed.
create index code_pages_small on code_pages (project_id, page) where codes < 16;

-- A trigger, so that no statement that makes vouchers can forget it, of a process of the version before neither.
create function page_codes() returns trigger language plpgsql as $$
begin
  insert into code_pages (project_id, codes, keys, first_at, last_at)
  select made.project_id, count(*), string_agg(made.code_key || E'\n', ''), min(made.created_at), max(made.created_at)
    from (select new_vouchers.project_id, new_vouchers.code_key, new_vouchers.created_at,
                 (row_number() over (partition by new_vouchers.project_id) - 1) / 32 as place
            from new_vouchers) as made
   group by made.project_id, made.place;
  return null;
end
$$;
create trigger page_codes after insert on vouchers referencing new table as new_vouchers
  for each statement execute function page_codes();

-- What is there already is paged by walks; until one has ended its project's codes are searched as they were.
insert into walks (project_id, kind, state, size, due_at)
select projects.id, 'codes into pages', '{"after_id": ""}', 10000, timestamptz '2000-01-01'
  from projects
 where exists (select from vouchers where vouchers.project_id = projects.id);
