import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { sql } from "../../platform/db/sql.js";

/** A role that the organization has made, as it is stored. */
export interface CustomRole {
  /** `role_…` */
  id: string;
  name: string;
  /** What it may call, as codes: `vouchers.delete`. */
  permissions: string[];
  created_at: Instant;
  updated_at: Instant | null;
}

const fields = sql`
  custom_roles.id, custom_roles.name, custom_roles.permissions, custom_roles.created_at, custom_roles.updated_at`;

export const findCustomRoles = (db: Queries, ids: readonly string[]) =>
  db.many<CustomRole>(sql`-- every project: roles belong to the organization
    select ${fields} from custom_roles where custom_roles.id = any(${ids}::text[])`);

/** In the order in which they were made. */
export const listCustomRoles = (db: Queries) =>
  db.many<CustomRole>(sql`-- every project: roles belong to the organization
    select ${fields} from custom_roles order by custom_roles.id`);

/** The role, which stays until the transaction ends: whoever gives it to somebody finds it there. */
export const holdCustomRole = (tx: Tx, id: string) =>
  tx.maybe<CustomRole>(sql`-- every project: roles belong to the organization
    select ${fields} from custom_roles where custom_roles.id = ${id} for key share`);

/** The role, nobody else's until the transaction ends. */
export const lockCustomRole = (tx: Tx, id: string) =>
  tx.maybe<CustomRole>(sql`-- every project: roles belong to the organization
    select ${fields} from custom_roles where custom_roles.id = ${id} for update`);

/** Answers whether its name was free. */
export const insertCustomRole = async (tx: Tx, { id, name, permissions, created_at }: CustomRole): Promise<boolean> =>
  (await tx.run(sql`-- every project: roles belong to the organization
    insert into custom_roles (id, name, permissions, created_at)
    values (${id}, ${name}, ${permissions}::text[], ${isoOf(created_at)})
    on conflict (lower(name)) do nothing`)) > 0;

export const isNameTaken = async (tx: Tx, { id, name }: Pick<CustomRole, "id" | "name">): Promise<boolean> =>
  (await tx.maybe(sql`-- every project: roles belong to the organization
    select from custom_roles where lower(custom_roles.name) = lower(${name}) and custom_roles.id <> ${id}`)) !==
  undefined;

export const updateCustomRole = (tx: Tx, { id, name, permissions, updated_at }: CustomRole) =>
  tx.run(sql`-- every project: roles belong to the organization
    update custom_roles set name = ${name}, permissions = ${permissions}::text[], updated_at = ${isoOf(updated_at)}
     where custom_roles.id = ${id}`);

export const deleteCustomRole = (tx: Tx, id: string) =>
  tx.run(sql`-- every project: roles belong to the organization
    delete from custom_roles where custom_roles.id = ${id}`);

/** Some of those who have the role, people and keys, in projects that are there. */
export const findHoldersOfRole = async (tx: Tx, id: string, ids_max: number): Promise<string[]> =>
  (
    await tx.many<{ id: string }>(sql`-- every project: roles belong to the organization
      select held.id
        from (select project_members.project_id, project_members.user_id as id from project_members
               where project_members.role = ${id}
              union all
              select api_keys.project_id, api_keys.id from api_keys where api_keys.role = ${id}) as held
        join projects on projects.id = held.project_id and projects.deleted_at is null
       order by held.id limit ${ids_max}`)
  ).map((one) => one.id);
