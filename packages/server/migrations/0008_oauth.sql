-- Bearer tokens, by the SHA-256 of what the caller shows (platform.md §4). A revoked one is deleted, an expired one
-- soon after. They go with the application key that minted them, and the key with its project.
create table oauth_tokens (
  project_id text collate "C" not null,
  token_hash bytea not null,
  api_key_id text collate "C" not null,
  -- In the order of the request that made the token.
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (project_id, token_hash),
  foreign key (project_id, api_key_id) references api_keys (project_id, id) on delete cascade
);
-- The token alone names the project, so it is unique over all of them.
create unique index oauth_tokens_hash on oauth_tokens (token_hash);
create index oauth_tokens_key on oauth_tokens (project_id, api_key_id);
create index oauth_tokens_expiry on oauth_tokens (project_id, expires_at);
