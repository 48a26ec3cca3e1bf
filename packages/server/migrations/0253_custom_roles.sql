-- Roles that the organization has made, beside those that there always are (platform.md §2, ADR 99).
create table custom_roles (
  id text collate "C" primary key,
  name text not null,
  -- Codes: `vouchers.delete`.
  permissions text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz
);
create unique index custom_roles_name on custom_roles (lower(name));
