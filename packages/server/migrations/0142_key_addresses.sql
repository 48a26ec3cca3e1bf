-- From where a key may be used (none: from anywhere), and when it was, to the minute (platform.md §3).
alter table api_keys add column allowed_addresses jsonb not null default '[]';
alter table api_keys add column last_used_at timestamptz;
