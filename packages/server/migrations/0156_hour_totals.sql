-- What happened in a project in each hour, and why what was refused was: counted by a consumer of events as it happens, so that an
-- overview is a sum of few rows. Hours begin where UTC's do; nothing here is taken back.
create table hour_totals (
  project_id text collate "C" not null,
  hour timestamptz not null,
  what text collate "C" not null,
  -- The key of a refusal; empty for everything else.
  key text collate "C" not null,
  count bigint not null,
  orders_amount bigint not null,
  discount_amount bigint not null,
  primary key (project_id, hour, what, key)
) with (fillfactor = 80);

-- The campaigns of some days, whichever they are.
create index campaign_days_day on campaign_days (project_id, day);
