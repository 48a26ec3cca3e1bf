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

export const findUserByEmail = (db: Queries, email: string) =>
  db.maybe<User>(sql`-- every project: people belong to the organization
    select ${fields} from users where lower(users.email) = lower(${email}) order by users.created_at limit 1`);

/** Whoever owned the organization first. */
export const findFirstOwner = (db: Queries) =>
  db.maybe<User>(sql`-- every project: the organization has owners
    select ${fields} from users where users.is_owner order by users.created_at, users.id limit 1`);

/** Where owners are written to, the first of them first. */
export const listOwnerEmails = async (db: Queries, emails_max: number): Promise<string[]> =>
  (
    await db.many<{ email: string }>(sql`-- every project: the organization has owners
      select users.email from users where users.is_owner order by users.created_at, users.id limit ${emails_max}`)
  ).map(({ email }) => email);

/** How somebody is called; a login is an e-mail. */
export const updateUser = (
  tx: Tx,
  { id, email, first_name, last_name }: Omit<User, "login" | "is_owner" | "created_at">,
) =>
  tx.run(sql`-- every project: people belong to the organization
    update users set login = ${email}, email = ${email}, first_name = ${first_name}, last_name = ${last_name}
     where users.id = ${id}`);

/** Somebody's role in a project, with the version that its catalogue has now. */
export const findMembership = (db: Queries, project_id: string, user_id: string) =>
  db.maybe<{ role: Role; version: number }>(sql`
    select project_members.role, project_versions.version
      from project_members
      join project_versions on project_versions.project_id = project_members.project_id
     where project_members.project_id = ${project_id} and project_members.user_id = ${user_id}`);

/** A project as somebody in it meets it first. */
export interface OwnProject {
  id: string;
  name: string;
  timezone: string;
  currency: string;
  is_sandbox: boolean;
  /** Made as a sample, with a past of its own (ADR 95). */
  is_sample: boolean;
  role: Role;
}

/** The projects that somebody is in, by name. */
export const listProjectsOf = (db: Queries, user_id: string, rows_max: number) =>
  db.many<OwnProject>(sql`-- every project: of those that a person is in
    select projects.id, projects.name, projects.timezone, projects.currency, projects.is_sandbox, project_members.role,
           exists (select from sample_projects where sample_projects.project_id = projects.id) as is_sample
      from project_members
      join projects on projects.id = project_members.project_id and projects.deleted_at is null
     where project_members.user_id = ${user_id}
     order by lower(projects.name), projects.id limit ${rows_max}`);

/** All owners become administrators of a new project (platform.md §2). */
export const addOwners = (tx: Tx, project_id: string, instant: Instant) =>
  tx.run(sql`
    insert into project_members (project_id, user_id, role, created_at)
    select ${project_id}, users.id, 'ADMIN', ${isoOf(instant)}::timestamptz from users where users.is_owner`);

/** Whoever is in the one project is in the other too, in the same role. */
export const copyMembers = (tx: Tx, { from, to }: { from: string; to: string }, instant: Instant) =>
  tx.run(sql`
    insert into project_members (project_id, user_id, role, created_at)
    select ${to}, member.user_id, member.role, ${isoOf(instant)}::timestamptz
      from project_members as member where member.project_id = ${from}
        on conflict (project_id, user_id) do nothing`);

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
