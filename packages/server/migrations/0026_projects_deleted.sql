-- A deleted project is gone for everybody at once; a job then deletes what it leaves, slice by slice.
alter table projects add column deleted_at timestamptz;

create index projects_deleted on projects (deleted_at) where deleted_at is not null;
