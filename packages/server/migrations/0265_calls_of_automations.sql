-- The calls that automations make are counted as those of the API are, where a project has a limit of them (platform.md §13, ADR 69).
alter table call_counts drop constraint call_counts_counter_check;
alter table call_counts add constraint call_counts_counter_check
  check (counter in ('api_calls', 'bulk_api_calls', 'webhook_calls')) not valid;
alter table call_counts validate constraint call_counts_counter_check;
