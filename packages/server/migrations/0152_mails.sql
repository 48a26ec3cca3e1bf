-- Mail that has not been taken yet by whoever carries it (ADR 73). What it says is sealed, as it may hold a link.
create table mails (
  project_id text collate "C" not null references projects (id) on delete cascade,
  id text collate "C" not null,
  sealed bytea not null,
  tries integer not null default 0,
  due_at timestamptz not null,
  created_at timestamptz not null,
  primary key (project_id, id)
);
create index mails_due on mails (due_at);
