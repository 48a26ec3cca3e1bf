-- What happens by itself when something has happened to a customer (events-and-webhooks.md §5.3).
create table automations (
  project_id text collate "C" not null references projects (id),
  id text collate "C" not null,
  name text collate "C" not null,
  active boolean not null,
  -- When it was last switched on: what happened before that does not set it off.
  active_since timestamptz not null,
  -- The name under which it hears of an event, and what it must be about where that can be said.
  event text collate "C" not null,
  segment_id text collate "C",
  custom_event text collate "C",
  campaign_id text collate "C",
  -- No foreign key: without its rule it would act for everybody, and one that names a rule which is no more acts for nobody.
  validation_rule_id text collate "C",
  -- The campaign that it gives a code of; null where it only tells.
  published_campaign_id text collate "C",
  -- How it tells, but for the address, which is the channel's row in `webhooks`; null where it only gives.
  message json,
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (project_id, id),
  unique (project_id, name),
  check (published_campaign_id is not null or message is not null)
);

-- What automations did: a row a step is what keeps it from being done twice.
create table automation_steps (
  project_id text collate "C" not null,
  event_id text collate "C" not null,
  automation_id text collate "C" not null,
  step text collate "C" not null check (step in ('PUBLISH', 'SEND')),
  publication_id text collate "C",
  voucher_id text collate "C",
  -- Of a code that is given because of what the service did itself: the request behind it, and the customer. Once for both, so that
  -- what an automation leads to does not set it off again and again.
  follows text collate "C",
  created_at timestamptz not null,
  primary key (project_id, event_id, automation_id, step)
);
create unique index automation_steps_follows on automation_steps (project_id, automation_id, follows) where follows is not null;
create index automation_steps_created on automation_steps (created_at);

-- The address of an automation's messages stands beside those of webhooks, under the automation's id: sent to and switched off alike.
alter table webhooks add column is_channel boolean not null default false;
alter table webhooks drop constraint webhooks_events_check;
alter table webhooks add constraint webhooks_events_check check (is_channel or cardinality(events) > 0);
