-- What the metadata of a project's objects must look like (platform.md §9): one schema an object, nested ones by names of
-- the project's own.
create table metadata_schemas (
  project_id text collate "C" not null references projects (id) on delete cascade,
  id text collate "C" not null,
  related_object text collate "C" not null,
  properties json not null,
  allow_defined_only boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (project_id, id)
);
create unique index metadata_schemas_of_object on metadata_schemas (project_id, related_object);
