-- Why something was refused, for thirty days: each refusal decided once more on the same facts with all that was looked at. A log
-- and no state; `created_at` is the request's.
create table explained_refusals (
  project_id text collate "C" not null,
  id text collate "C" not null,
  object text not null,
  -- Of what was found; the name is what was asked for.
  object_id text collate "C",
  name text collate "C" not null,
  asked_for text not null,
  customer_id text collate "C",
  group_id text collate "C" not null,
  event_source json not null,
  key text not null,
  message text not null,
  explanation json,
  "order" json,
  created_at timestamptz not null,
  primary key (project_id, created_at, id)
) partition by range (created_at);
create table explained_refusals_default partition of explained_refusals default;
create index explained_refusals_object on explained_refusals (project_id, object_id, created_at) where object_id is not null;
create index explained_refusals_customer on explained_refusals (project_id, customer_id) where customer_id is not null;
