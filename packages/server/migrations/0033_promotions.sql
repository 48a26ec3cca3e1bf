-- Lists of all promotion tiers of a project, by when they were made or changed.
create index promotion_tiers_created on promotion_tiers (project_id, created_at, id);
create index promotion_tiers_updated on promotion_tiers (project_id, (coalesce(updated_at, created_at)), id);

-- Promotion tiers that are applied together, in the order of their ids.
create table promotion_stacks (
  project_id text collate "C" not null references projects (id) on delete cascade,
  id text collate "C" not null,
  campaign_id text collate "C" not null,
  name text collate "C" not null,
  tier_ids jsonb not null,
  category_id text collate "C",
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (project_id, id),
  foreign key (project_id, campaign_id) references campaigns (project_id, id) on delete cascade,
  foreign key (project_id, category_id) references categories (project_id, id) on delete set null (category_id)
);
create index promotion_stacks_campaign on promotion_stacks (project_id, campaign_id, created_at, id);
create index promotion_stacks_category on promotion_stacks (project_id, category_id) where category_id is not null;
create index promotion_stacks_created on promotion_stacks (project_id, created_at, id);
create index promotion_stacks_updated on promotion_stacks (project_id, (coalesce(updated_at, created_at)), id);
create index promotion_stacks_name on promotion_stacks (project_id, name, id);
