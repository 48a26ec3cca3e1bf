-- How the people of the organization sign in (ADR 72). Whoever has no password here cannot.
create table user_passwords (
  user_id text collate "C" primary key references users (id) on delete cascade,
  -- scrypt, with its parameters and salt.
  password_hash text not null,
  changed_at timestamptz not null
);

-- Links by which somebody chooses a password: of one use, and a day. Of the token only the hash is kept, as of a session's.
create table user_links (
  token_hash bytea primary key,
  user_id text collate "C" not null references users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index user_links_user on user_links (user_id, created_at);
create index user_links_expired on user_links (expires_at);

create table user_sessions (
  token_hash bytea primary key,
  user_id text collate "C" not null references users (id) on delete cascade,
  created_at timestamptz not null,
  -- To the minute: when it was last used.
  seen_at timestamptz not null
);
create index user_sessions_user on user_sessions (user_id, created_at);
create index user_sessions_seen on user_sessions (seen_at);

-- Attempts to sign in that have not succeeded, for an hour. Of the e-mail only a hash: people type passwords there.
create table sign_in_attempts (
  address text collate "C" not null,
  email_hash bytea not null,
  created_at timestamptz not null
);
create index sign_in_attempts_address on sign_in_attempts (address, created_at);
create index sign_in_attempts_ended on sign_in_attempts (created_at);
