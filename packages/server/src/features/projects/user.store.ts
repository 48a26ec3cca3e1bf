import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { type Sql, sql } from "../../platform/db/sql.js";
import type { Member, Role, User } from "./user.js";

const fields = sql`
  users.id, users.login, users.email, users.first_name, users.last_name, users.is_owner, users.created_at`;

export const insertUser = (tx: Tx, { id, login, email, first_name, last_name, is_owner, created_at }: User) =>
  tx.run(sql`-- every project: people belong to the organization
    insert into users (id, login, email, first_name, last_name, is_owner, created_at)
    values (${id}, ${login}, ${email}, ${first_name}, ${last_name}, ${is_owner}, ${isoOf(created_at)})`);

/** By id, or by login whatever its case. */
export const findUser = (db: Queries, named: { id: string } | { login: string }) =>
  db.maybe<User>(sql`-- every project: people belong to the organization
    select ${fields} from users
     where ${"id" in named ? sql`users.id = ${named.id}` : sql`lower(users.login) = lower(${named.login})`}`);

/** All owners become administrators of a new project (platform.md §2). */
export const addOwners = (tx: Tx, project_id: string, instant: Instant) =>
  tx.run(sql`
    insert into project_members (project_id, user_id, role, created_at)
    select ${project_id}, users.id, 'ADMIN', ${isoOf(instant)}::timestamptz from users where users.is_owner`);

/** Gives somebody a role in a project, in place of the one that they may have there. */
export const putMember = (tx: Tx, project_id: string, user_id: string, role: Role, instant: Instant) =>
  tx.run(sql`
    insert into project_members (project_id, user_id, role, created_at)
    values (${project_id}, ${user_id}, ${role}, ${isoOf(instant)})
    on conflict (project_id, user_id) do update set role = excluded.role`);

export const deleteMember = (tx: Tx, project_id: string, user_id: string) =>
  tx.run(sql`
    delete from project_members
     where project_members.project_id = ${project_id} and project_members.user_id = ${user_id}`);

const roles_everywhere = sql`
  (select json_object_agg(everywhere.project_id, everywhere.role)
     from project_members as everywhere
     join projects on projects.id = everywhere.project_id and projects.deleted_at is null
    where everywhere.user_id = users.id) as projects`;

const members = (project_id: string, which: Sql) => sql`
  select ${fields}, project_members.role, ${roles_everywhere}
    from project_members
    join users on users.id = project_members.user_id
   where project_members.project_id = ${project_id} and ${which}`;

export const findMember = (db: Queries, project_id: string, user_id: string) =>
  db.maybe<Member>(members(project_id, sql`project_members.user_id = ${user_id}`));

/** Longest there first. */
export const listMembers = (db: Queries, project_id: string, { limit, offset }: { limit: number; offset: number }) =>
  db.many<Member>(sql`
    ${members(project_id, sql`true`)}
     order by project_members.created_at, project_members.user_id limit ${limit} offset ${offset}`);

/** How many people a project has, and how many administrators are among them. */
export const countMembers = (db: Queries, project_id: string) =>
  db.one<{ total: number; administrators: number }>(sql`
    select count(*) as total, count(*) filter (where project_members.role = 'ADMIN') as administrators
      from project_members where project_members.project_id = ${project_id}`);
