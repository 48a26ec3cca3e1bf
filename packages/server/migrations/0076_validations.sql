-- Validations that were answered, for thirty days: who asked about what, and what it came to. A log and no state; `created_at` is the request's.
create table validations (
  project_id text collate "C" not null,
  id text collate "C" not null,
  customer_id text collate "C",
  group_id text collate "C" not null,
  event_source json not null,
  valid boolean not null,
  redeemables json not null,
  created_at timestamptz not null,
  primary key (project_id, created_at, id)
) partition by range (created_at);
create table validations_default partition of validations default;
create index validations_customer on validations (project_id, customer_id, created_at, id) where customer_id is not null;
