-- Sets of products that rules and discounts name (rules.md §17.2).
create table product_collections (
  project_id text collate "C" not null references projects (id) on delete cascade,
  id text collate "C" not null,
  name text not null,
  type text not null check (type in ('STATIC', 'AUTO_UPDATE')),
  -- Of an AUTO_UPDATE one, as sent; compiled when it is loaded.
  filter jsonb check ((filter is not null) = (type = 'AUTO_UPDATE')),
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (project_id, id)
);
create index product_collections_created on product_collections (project_id, created_at, id);
create index product_collections_updated on product_collections (project_id, (coalesce(updated_at, created_at)), id);

-- What STATIC ones hold. No foreign key to the products: one that is deleted and comes back belongs again.
create table product_collection_members (
  project_id text collate "C" not null,
  collection_id text collate "C" not null,
  object text not null check (object in ('product', 'sku')),
  member_id text collate "C" not null,
  -- Members are shown in the order in which they were named.
  position integer not null,
  primary key (project_id, collection_id, object, member_id),
  foreign key (project_id, collection_id) references product_collections (project_id, id) on delete cascade
);

-- Groups of customers (rules.md §14).
create table segments (
  project_id text collate "C" not null references projects (id) on delete cascade,
  id text collate "C" not null,
  name text not null,
  type text not null check (type in ('static', 'passive', 'auto-update')),
  -- As sent; compiled when it is loaded.
  filter jsonb check ((filter is null) = (type = 'static')),
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (project_id, id)
);
create index segments_created on segments (project_id, created_at, id);

-- Who was named when a static segment was made. Led by the customer, since a checkout asks for one customer.
create table segment_members (
  project_id text collate "C" not null,
  customer_id text collate "C" not null,
  segment_id text collate "C" not null,
  primary key (project_id, customer_id, segment_id),
  foreign key (project_id, segment_id) references segments (project_id, id) on delete cascade
);
create index segment_members_segment on segment_members (project_id, segment_id, customer_id);

-- The segments and collections that rules ask about: what is in use cannot be deleted.
create table validation_rule_references (
  project_id text collate "C" not null,
  refers_to text collate "C" not null,
  rule_id text collate "C" not null,
  primary key (project_id, refers_to, rule_id),
  foreign key (project_id, rule_id) references validation_rules (project_id, id) on delete cascade
);
create index validation_rule_references_rule on validation_rule_references (project_id, rule_id);
insert into validation_rule_references (project_id, refers_to, rule_id)
select distinct validation_rules.project_id, found[1], validation_rules.id
  from validation_rules,
       regexp_matches(concat(validation_rules.rules, validation_rules.applicable_to, validation_rules.bundle_rules),
                      '"((?:seg|pc)_[^"\\]+)"', 'g') as found;
