-- One row: what must stay the same for the life of this database.
create table installation (
  only_one boolean primary key default true check (only_one),
  secret_fingerprint text not null,
  created_at timestamptz not null
);

-- Management keys belong to the installation (platform.md §1).
create table management_keys (
  id text collate "C" primary key,
  token_hash bytea not null,
  created_at timestamptz not null
);

create table projects (
  id text collate "C" primary key,
  name text not null,
  description text not null,
  timezone text not null,
  currency text not null,
  dial_code text,
  webhook_version text not null,
  api_version text not null,
  cluster_id text not null,
  case_sensitive_codes boolean not null,
  is_sandbox boolean not null,
  client_trusted_domains text[] not null,
  client_redeem_enabled boolean not null,
  client_publish_enabled boolean not null,
  client_list_vouchers_enabled boolean not null,
  client_create_customer_enabled boolean not null,
  client_loyalty_events_enabled boolean not null,
  client_set_voucher_expiration_date_enabled boolean not null,
  webhooks_callout_notifications jsonb not null,
  api_usage_notifications jsonb not null,
  default_code_config jsonb,
  limits jsonb,
  webhook_token_sealed bytea not null,
  created_at timestamptz not null,
  updated_at timestamptz
);

-- Application and client-side keys. The id alone names the project, so it is unique over all of them.
create table api_keys (
  project_id text collate "C" not null references projects (id) on delete cascade,
  id text collate "C" not null,
  kind text not null check (kind in ('server', 'client')),
  name text not null,
  role text not null,
  token_hash bytea not null,
  blocked boolean not null default false,
  created_at timestamptz not null,
  primary key (project_id, id)
);
create unique index api_keys_id on api_keys (id);

-- Moves with every edit that deciding must see; read with each request (architecture.md §3). Narrow, because hot.
create table project_versions (
  project_id text collate "C" primary key references projects (id) on delete cascade,
  version bigint not null
) with (fillfactor = 50);

-- What each version changed, so that a node re-reads only that.
create table catalogue_changes (
  project_id text collate "C" not null references projects (id) on delete cascade,
  version bigint not null,
  kind text not null,
  id text collate "C" not null,
  primary key (project_id, version, kind, id)
);
