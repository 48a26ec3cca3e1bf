-- Events that a consumer has yet to see to, one table for all consumers (architecture.md §5).
create table inbox (
  project_id text collate "C" not null,
  consumer text collate "C" not null,
  event_id text collate "C" not null,
  -- The event's own, which leads to its partition.
  created_at timestamptz not null,
  -- Null: given up after too many tries; setting it tries again.
  due_at timestamptz,
  tries int not null default 0,
  primary key (project_id, event_id, consumer)
);
create index inbox_due on inbox (project_id, consumer, due_at) where due_at is not null;

insert into inbox (project_id, consumer, event_id, created_at, due_at)
select earning_tasks.project_id, 'earning rules', earning_tasks.event_id, earning_tasks.created_at, earning_tasks.created_at
  from earning_tasks;
drop table earning_tasks;

-- When what is done again and again is due next, and which process has it. Of the installation, not of a project.
create table schedules (
  name text collate "C" primary key,
  due_at timestamptz not null,
  last_run_at timestamptz,
  failures int not null default 0,
  lease_token text,
  leased_until timestamptz
);
