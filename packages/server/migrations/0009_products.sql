-- What a shop sells (rules.md §17.1). The built-in product Shipping has a row only once somebody has changed it.
create table products (
  project_id text collate "C" not null references projects (id) on delete cascade,
  id text collate "C" not null,
  source_id text collate "C",
  name text,
  price bigint check (price >= 0),
  -- Names; the values are the SKUs'.
  attributes jsonb not null,
  metadata jsonb not null,
  image_url text,
  created_at timestamptz not null,
  updated_at timestamptz,
  -- In the bin: the source id stays taken.
  deleted_at timestamptz,
  primary key (project_id, id)
);
create unique index products_source_id on products (project_id, source_id) where source_id is not null;
create index products_created on products (project_id, created_at, id) where deleted_at is null;
create index products_updated on products (project_id, (coalesce(updated_at, created_at)), id) where deleted_at is null;

create table skus (
  project_id text collate "C" not null,
  id text collate "C" not null,
  product_id text collate "C" not null,
  source_id text collate "C",
  sku text,
  price bigint check (price >= 0),
  currency text,
  attributes jsonb not null,
  metadata jsonb not null,
  image_url text,
  created_at timestamptz not null,
  updated_at timestamptz,
  deleted_at timestamptz,
  primary key (project_id, id),
  foreign key (project_id, product_id) references products (project_id, id) on delete cascade
);
create unique index skus_source_id on skus (project_id, source_id) where source_id is not null;
create index skus_product on skus (project_id, product_id, created_at, id);
