-- The request that caused the event, and the failed messages of a project at hand: what somebody looks for in the log.
alter table send_outs add column group_id text collate "C";
create index send_outs_failed on send_outs (project_id, created_at, id) where status = 'FAILED';
