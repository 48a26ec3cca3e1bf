import { isoOf } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import type { Queries } from "../../../platform/db/database.js";
import { listBody } from "../../../platform/http/lists.js";
import { problems } from "../../../platform/http/problems.js";
import { newId } from "../../../platform/ids.js";
import { change, type Requested } from "../../../recording/index.js";
import { refusals } from "../../../terms/index.js";
import {
  type BuiltInRole,
  type CustomRole,
  deleteCustomRole,
  findCustomRoles,
  findHoldersOfRole,
  insertCustomRole,
  isNameTaken,
  listCustomRoles,
  lockCustomRole,
  role_prefix,
  updateCustomRole,
  user_roles,
} from "../../projects/index.js";
import type { RoleBody, RoleCreate, RoleUpdate } from "./role.schemas.js";

const roles_max = 100;
/** Of those who have a role, so many are named where it cannot go. */
const holders_max = 100;

/** What each of the roles may call that there always are; an administrator may call all that there is. */
type BuiltIn = Readonly<Record<BuiltInRole, readonly string[]>>;

/** `POST /management/v1/roles`: another role, which begins as one that there is (platform.md §2). */
export function createRole(
  context: Context,
  cause: Requested,
  { name, duplicate_of, permissions }: RoleCreate,
  built_in: BuiltIn,
): Promise<RoleBody> {
  return change(context, cause, async ({ tx }) => {
    const copied = await permissionsOf(tx, duplicate_of, built_in);
    if ((await listCustomRoles(tx)).length >= roles_max)
      throw problems.invalidPayload(`The organization has ${roles_max} roles of its own at most`);
    const role: CustomRole = {
      ...{ id: newId(role_prefix), name, permissions: known(permissions ?? copied, built_in) },
      ...{ created_at: cause.instant, updated_at: null },
    };
    if (isBuiltIn(name) || !(await insertCustomRole(tx, role))) throw problems.duplicate("role", name, "name");
    return toRoleBody(role);
  });
}

/** Those that there always are, and those that were made, in that order. */
export async function readRoles({ db }: Context, built_in: BuiltIn) {
  const made = (await listCustomRoles(db)).map(toRoleBody);
  const data = [...user_roles.map((role) => builtInBody(role, built_in)), ...made];
  return listBody("data", data, data.length);
}

export async function readRole({ db }: Context, id: string, built_in: BuiltIn): Promise<RoleBody> {
  if (isBuiltIn(id)) return builtInBody(id, built_in);
  const [role] = await findCustomRoles(db, [id]);
  if (!role) throw problems.notFound("role", id);
  return toRoleBody(role);
}

/** Whoever has it may do the other things with the next request. */
export function changeRole(
  context: Context,
  cause: Requested,
  id: string,
  { name, permissions }: RoleUpdate,
  built_in: BuiltIn,
): Promise<RoleBody> {
  assertCustom(id);
  return change(context, cause, async ({ tx }) => {
    const stored = await lockCustomRole(tx, id);
    if (!stored) throw problems.notFound("role", id);
    const role: CustomRole = {
      ...{
        id,
        name: name ?? stored.name,
        permissions: permissions ? known(permissions, built_in) : stored.permissions,
      },
      ...{ created_at: stored.created_at, updated_at: cause.instant },
    };
    if (isBuiltIn(role.name) || (await isNameTaken(tx, role))) throw problems.duplicate("role", role.name, "name");
    await updateCustomRole(tx, role);
    return toRoleBody(role);
  });
}

/** A role that somebody has stays: without it they could do nothing, and nobody would know why. */
export async function removeRole(context: Context, cause: Requested, id: string): Promise<void> {
  assertCustom(id);
  await change(context, cause, async ({ tx }) => {
    if (!(await lockCustomRole(tx, id))) throw problems.notFound("role", id);
    const ids = await findHoldersOfRole(tx, id, holders_max);
    if (ids.length > 0) throw problems.inUse("role", id, { type: "user", ids });
    await deleteCustomRole(tx, id);
  });
}

const isBuiltIn = (name: string): name is BuiltInRole => user_roles.some((role) => role === name);

function assertCustom(id: string): void {
  if (isBuiltIn(id)) throw problems.forbidden(`The role ${id} is always there, as it is`);
}

async function permissionsOf(db: Queries, role: string, built_in: BuiltIn): Promise<readonly string[]> {
  if (isBuiltIn(role)) return built_in[role];
  const [custom] = await findCustomRoles(db, [role]);
  if (!custom) throw refusals.incorrectRole(role);
  return custom.permissions;
}

/** Each once, in order; one that nothing asks for would promise what it does not give. */
function known(permissions: readonly string[], { ADMIN: all }: BuiltIn): string[] {
  const there = new Set(all);
  const unknown = permissions.findIndex((code) => !there.has(code));
  if (unknown >= 0)
    throw problems.invalidPayload(`Property .permissions[${unknown}] names no permission: ${permissions[unknown]}`);
  return [...new Set(permissions)].sort();
}

const builtInBody = (role: BuiltInRole, built_in: BuiltIn): RoleBody => ({
  ...{ id: role, name: role, permissions: [...built_in[role]], is_custom: false },
  ...{ created_at: null, updated_at: null, object: "role" as const },
});

const toRoleBody = ({ created_at, updated_at, ...role }: CustomRole): RoleBody => ({
  ...role,
  is_custom: true,
  created_at: isoOf(created_at),
  updated_at: isoOf(updated_at),
  object: "role",
});
