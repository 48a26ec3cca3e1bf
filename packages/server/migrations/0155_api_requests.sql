-- What callers sent and were answered, for thirty days. A log and no state; `created_at` is the request's.
create table api_requests (
  project_id text collate "C" not null,
  id text collate "C" not null,
  method text not null,
  path text not null,
  operation text,
  status smallint not null,
  duration_ms integer not null,
  event_source json not null,
  -- The customers that it names, by whatever: by whom it is found when they are to be forgotten.
  customer_ids text[] not null,
  request_body text,
  response_body text,
  created_at timestamptz not null,
  primary key (project_id, created_at, id)
) partition by range (created_at);
create table api_requests_default partition of api_requests default;
create index api_requests_id on api_requests (project_id, id);
create index api_requests_customers on api_requests using gin (customer_ids) where customer_ids <> '{}';

alter table projects add column request_log_enabled boolean not null default false;
