-- Headers of its own that a project wants on messages to a webhook; sealed, since most of them let whoever sends in somewhere.
alter table webhooks add column headers_sealed bytea;
