-- Addresses that a project wants to be told at (events-and-webhooks.md §6).
create table webhooks (
  project_id text collate "C" not null references projects (id),
  id text collate "C" not null,
  target_url text not null,
  events text[] not null check (cardinality(events) > 0),
  active boolean not null,
  -- When it was last switched on: what failed before that does not switch it off again.
  active_since timestamptz not null,
  -- Since when every try has failed; null after one that worked.
  failing_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (project_id, id)
);
