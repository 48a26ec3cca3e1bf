-- Facts that have happened. Written in the transaction that makes them true (architecture.md §5).
create table events (
  project_id text collate "C" not null,
  id text collate "C" not null,
  type text not null,
  -- The object the event is about, and the customer whose activity shows it.
  entity_id text collate "C" not null,
  customer_id text collate "C",
  -- The request that caused it, and who made that request.
  group_id text not null,
  event_source jsonb not null,
  data jsonb not null,
  created_at timestamptz not null,
  primary key (project_id, created_at, id)
) partition by range (created_at);
create table events_default partition of events default;
create index events_entity on events (project_id, entity_id, created_at);
create index events_customer on events (project_id, customer_id, created_at) where customer_id is not null;

-- One narrow row an event until its consumers have it.
create table outbox (
  project_id text collate "C" not null,
  event_id text collate "C" not null,
  created_at timestamptz not null,
  primary key (project_id, created_at, event_id)
) partition by range (created_at);
create table outbox_default partition of outbox default;
