-- Which groups of three characters a page may hold, as bits (docs/adr/0087): most pages of a project are passed over by a look at one of them.
-- Null until it has been made, by a schedule: such a page is looked through.
alter table code_pages add column signature bytea;
-- As it is: a bit of it is looked at without taking anything apart.
alter table code_pages alter column signature set storage plain;
create index code_pages_unsigned on code_pages (project_id, page) where signature is null and codes >= 16;
