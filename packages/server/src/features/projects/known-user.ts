import type { Queries, Tx } from "../../platform/db/database.js";
import { problems } from "../../platform/http/problems.js";
import { refusals } from "../../terms/index.js";
import { holdCustomRole } from "./custom-role.store.js";
import { isCustom, type Role, type User, user_roles } from "./user.js";
import { countMembers, findUser } from "./user.store.js";

/** A role that somebody may be given, in the transaction that gives it: one that the organization has made stays until then. */
export async function knownRole(tx: Tx, role: string): Promise<Role> {
  if (user_roles.some((one) => one === role)) return role;
  if (!isCustom(role) || !(await holdCustomRole(tx, role))) throw refusals.incorrectRole(role);
  return role;
}

/** One of the two names that a person may be called by. */
export type UserName = { id: string } | { login: string };

/** @param at what was sent, for whoever sent neither or both */
export function userNamed({ id, login }: { id?: string; login?: string }, at: string): UserName {
  if (id !== undefined && login === undefined) return { id };
  if (login !== undefined && id === undefined) return { login };
  throw problems.invalidPayload(`${at} must have either property 'id' or property 'login'`);
}

/** Somebody of the organization; 404 where nobody is called so. */
export async function knownUser(db: Queries, named: UserName): Promise<User> {
  const user = await findUser(db, named);
  if (user) return user;
  throw "id" in named ? problems.notFound("user", named.id) : problems.notFound("user", named.login, "login");
}

/** Asked after each edit of the people of a project: somebody must be able to take it back. */
export async function assertAdministrated(tx: Tx, project_id: string): Promise<void> {
  if ((await countMembers(tx, project_id)).administrators === 0) throw refusals.lastAdministrator();
}
