create table validation_rules (
  project_id text collate "C" not null references projects (id) on delete cascade,
  id text collate "C" not null,
  name text not null,
  -- As sent; checked when it is stored, compiled when it is loaded.
  rules jsonb not null,
  bundle_rules jsonb,
  applicable_to jsonb not null,
  error jsonb,
  type text not null,
  context_type text not null,
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (project_id, id)
);
create index validation_rules_created on validation_rules (project_id, created_at, id);
create index validation_rules_updated on validation_rules (project_id, (coalesce(updated_at, created_at)), id);
create index validation_rules_name on validation_rules (project_id, name, id);

-- Which rules hold for what. Read with the voucher by its id, or with the catalogue for campaigns and tiers.
create table validation_rules_assignments (
  project_id text collate "C" not null references projects (id) on delete cascade,
  id text collate "C" not null,
  rule_id text collate "C" not null,
  related_object_id text collate "C" not null,
  related_object_type text not null,
  created_at timestamptz not null,
  primary key (project_id, id),
  foreign key (project_id, rule_id) references validation_rules (project_id, id) on delete cascade
);
create unique index validation_rules_assignments_once on validation_rules_assignments (project_id, related_object_id, rule_id);
create index validation_rules_assignments_rule on validation_rules_assignments (project_id, rule_id, id);
