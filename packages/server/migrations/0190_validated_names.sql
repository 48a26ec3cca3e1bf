-- What a validation asked about, by which the log is searched: codes, and ids of tiers. What was logged before has none and is not found
-- by it; in thirty days it is gone. No project leads the index, as a GIN has no use for one: the list asks for it beside.
alter table validations add column names text[] not null default '{}';
create index validations_names on validations using gin (names) where names <> '{}';
