-- Messages to webhooks: what waits to be sent, and the log of what was (events-and-webhooks.md §6). One row an event, webhook and name
-- of the event; `created_at` is the event's, so that a row says by itself where its event is.
create table send_outs (
  project_id text collate "C" not null,
  id text collate "C" not null,
  webhook_id text collate "C" not null,
  event_id text collate "C" not null,
  -- The name that the event is told under, and what it is then about.
  type text collate "C" not null,
  entity_id text collate "C" not null,
  -- Whose permanent deletion takes the message along.
  customer_id text collate "C",
  status text collate "C" not null check (status in ('WAITING', 'RETRYING', 'SUCCEEDED', 'FAILED')),
  -- As it is sent, byte by byte; null until the first try.
  body text,
  attempts int not null,
  first_attempt_at timestamptz,
  -- When it is tried next; while it is being sent, when somebody else may. Null once it has ended.
  due_at timestamptz,
  lease_token text,
  -- Somebody asked for one more try, and for no others behind it.
  is_extra boolean not null,
  -- Of the last try.
  executed_at timestamptz,
  target_url text,
  response_status int,
  response_body text,
  last_error text,
  created_at timestamptz not null,
  primary key (project_id, created_at, id)
) partition by range (created_at);
create table send_outs_default partition of send_outs default;
create index send_outs_id on send_outs (project_id, id);
create index send_outs_customer on send_outs (project_id, customer_id) where customer_id is not null;
create index send_outs_due on send_outs (due_at) where due_at is not null;
create index send_outs_of_webhook on send_outs (project_id, webhook_id, due_at) where due_at is not null;
