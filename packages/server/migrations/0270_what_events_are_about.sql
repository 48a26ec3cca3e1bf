-- So that whoever counts events need not read them. Null on rows of an older version.
alter table outbox add column entity_id text collate "C";
