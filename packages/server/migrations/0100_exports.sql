-- Exports (vouchers-and-campaigns.md §10). The file stands in pieces beside its export, so that each piece is written with the progress
-- that it is, and any node can give it out.
create table exports (
  project_id text collate "C" not null references projects (id) on delete cascade,
  id text collate "C" not null,
  exported_object text not null,
  status text not null check (status in ('SCHEDULED', 'IN_PROGRESS', 'DONE', 'ERROR')),
  channel text not null,
  -- As sent, and what was settled then: columns, neutralising, bounds.
  parameters json not null,
  plan json not null,
  action_id text collate "C" not null,
  parts bigint not null default 0,
  bytes bigint not null default 0,
  error text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (project_id, id)
);
create index exports_created on exports (project_id, created_at, id);
create index exports_expiring on exports (expires_at);

create table export_parts (
  project_id text collate "C" not null,
  export_id text collate "C" not null,
  place bigint not null,
  content bytea not null,
  primary key (project_id, export_id, place),
  foreign key (project_id, export_id) references exports (project_id, id) on delete cascade
);

-- Whether texts in exports that a spreadsheet would run have an apostrophe before them.
alter table projects add column neutralise_export_formulas boolean not null default false;
