-- What somebody keeps for themselves in a project: how a list was looked at (views), and what they have not finished writing (drafts).
create table kept_pages (
  project_id text collate "C" not null references projects (id) on delete cascade,
  user_id text collate "C" not null references users (id) on delete cascade,
  kind text not null,
  id text collate "C" not null,
  page text not null,
  name text not null,
  content json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, user_id, kind, id)
);
create index kept_pages_user on kept_pages (user_id);
