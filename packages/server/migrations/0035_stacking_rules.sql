-- How redeemables of a project go together, where it says so itself (redemption.md §5). One set a project.
create table stacking_rules (
  project_id text collate "C" primary key references projects (id) on delete cascade,
  id text collate "C" not null,
  rules jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz
);
