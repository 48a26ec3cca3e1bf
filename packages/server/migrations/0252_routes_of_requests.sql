-- Which operation's address a request met, as the service writes it: `/v1/vouchers/:code`. Null: it was logged before this was kept.
alter table api_requests add column route text;
