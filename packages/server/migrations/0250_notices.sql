-- What the people of a project are told on their own pages (ADR 98): that much of a limit of calls is used, or that an address that
-- messages go to was switched off. Kept for ninety days.
create table notices (
  project_id text collate "C" not null references projects (id) on delete cascade,
  id text collate "C" not null,
  kind text not null,
  -- Facts, and no sentence: whoever shows it has the words.
  used_limit json,
  switched_off json,
  created_at timestamptz not null,
  primary key (project_id, id)
);
create index notices_created on notices (created_at);
