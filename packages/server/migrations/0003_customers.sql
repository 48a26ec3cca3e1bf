create table customers (
  project_id text collate "C" not null references projects (id) on delete cascade,
  id text collate "C" not null,
  source_id text collate "C",
  name text,
  email text,
  phone text,
  description text,
  birthdate date,
  birthday text,
  address jsonb,
  metadata jsonb not null,
  system_metadata jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (project_id, id)
);
create unique index customers_source_id on customers (project_id, source_id) where source_id is not null;
create index customers_created on customers (project_id, created_at, id);
create index customers_updated on customers (project_id, (coalesce(updated_at, created_at)), id);
create index customers_email on customers (project_id, email) where email is not null;
create index customers_name on customers (project_id, name) where name is not null;
create index customers_city on customers (project_id, (address ->> 'city')) where address ->> 'city' is not null;
