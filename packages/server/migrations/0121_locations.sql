-- Places on the globe that segments and collections ask about (vouchers-and-campaigns.md §18).
create table locations (
  project_id text collate "C" not null references projects (id) on delete cascade,
  id text collate "C" not null,
  name text not null,
  -- As sent: a circle, or polygons of GeoJSON.
  shape json not null,
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (project_id, id)
);
create index locations_created on locations (project_id, created_at, id);
create index locations_updated on locations (project_id, (coalesce(updated_at, created_at)), id);
