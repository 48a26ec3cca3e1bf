-- What tells found codes from live vouchers, without a look at each of them (docs/adr/0087): how many codes the pages of a project hold, and
-- which are in the bin.
create index code_pages_codes on code_pages (project_id, codes);
create index vouchers_binned on vouchers (project_id, code_key) where deleted_at is not null;
