-- A search for a part of a code finds thousands of codes, and asks of each whether its voucher is live, when it was made and by which id the
-- page is read (docs/adr/0087). Beside the code in the index, that is read without the rows.
create unique index vouchers_code_covering on vouchers (project_id, code_key) include (created_at, id, deleted_at);
drop index vouchers_code;
alter index vouchers_code_covering rename to vouchers_code;

-- Pages of 64 codes instead of 32: each row of a table that is looked through costs as much as 250 characters of it. Those that are there
-- stay as they are.
create or replace function page_codes() returns trigger language plpgsql as $$
begin
  insert into code_pages (project_id, codes, keys, first_at, last_at)
  select made.project_id, count(*), string_agg(made.code_key || E'\n', ''), min(made.created_at), max(made.created_at)
    from (select new_vouchers.project_id, new_vouchers.code_key, new_vouchers.created_at,
                 (row_number() over (partition by new_vouchers.project_id) - 1) / 64 as place
            from new_vouchers) as made
   group by made.project_id, made.place;
  return null;
end
$$;
