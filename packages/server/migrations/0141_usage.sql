-- Calls of projects that have a limit (platform.md §13, ADR 69): each process adds what it has counted.
create table call_counts (
  project_id text collate "C" not null references projects (id) on delete cascade,
  counter text not null check (counter in ('api_calls', 'bulk_api_calls')),
  -- ISO 8601, as the limit says it.
  duration text collate "C" not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  calls bigint not null check (calls >= 0),
  primary key (project_id, counter, duration, starts_at)
);
create index call_counts_ended on call_counts (ends_at);

-- When somebody was told last that much of a limit is used.
create table usage_notices (
  project_id text collate "C" not null references projects (id) on delete cascade,
  notice text not null,
  told_at timestamptz not null,
  primary key (project_id, notice)
);
