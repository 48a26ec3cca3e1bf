-- Who a project is to whoever gets its mail (platform.md §10): one brand a project at most.
create table brands (
  project_id text collate "C" not null references projects (id) on delete cascade,
  id text collate "C" not null,
  brand json not null,
  address json not null,
  contact json not null,
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (project_id, id)
);
create unique index brands_only_one on brands (project_id);
