-- So that the dispatcher looks up only the events that somebody waits for. Null on rows of an older version.
alter table outbox add column type text;
