-- The people of the organization, and what each may do in which project (platform.md §2, §7). An installation is one organization.
create table users (
  id text collate "C" primary key,
  login text collate "C" not null,
  email text collate "C" not null,
  first_name text not null,
  last_name text not null,
  is_owner boolean not null default false,
  created_at timestamptz not null
);
create unique index users_login on users (lower(login));
create unique index users_email on users (lower(email));

create table project_members (
  project_id text collate "C" not null references projects (id) on delete cascade,
  user_id text collate "C" not null references users (id) on delete cascade,
  role text not null,
  created_at timestamptz not null,
  primary key (project_id, user_id)
);
create index project_members_user on project_members (user_id);

-- There always is an owner, also where nobody has signed in yet, and owners are in every project.
insert into users (id, login, email, first_name, last_name, is_owner, created_at)
select 'user_' || md5(random()::text), 'owner@localhost', 'owner@localhost', 'Owner', 'Owner', true, installation.created_at
  from installation;
insert into project_members (project_id, user_id, role, created_at)
select projects.id, users.id, 'ADMIN', users.created_at from projects, users where projects.deleted_at is null;
