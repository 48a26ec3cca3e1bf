-- Projects that were made as samples, with a past of their own (ADR 95). Until one is `ready` its time is turned by whoever makes it, and
-- nobody else does what comes after its requests.
create table sample_projects (
  project_id text collate "C" primary key references projects (id) on delete cascade,
  -- The project in which it was asked for; it has one.
  asked_in text collate "C" not null,
  asked_at timestamptz not null,
  status text not null check (status in ('making', 'ready', 'failed')),
  -- Days of its past that are there.
  days integer not null default 0,
  -- What it is made with; nobody is shown it, and it goes when the sample is ready.
  key_id text not null,
  key_sealed bytea,
  failures integer not null default 0,
  due_at timestamptz not null,
  leased_by text
);
create unique index sample_projects_asked_in on sample_projects (asked_in);
create index sample_projects_making on sample_projects (due_at) where status = 'making';
