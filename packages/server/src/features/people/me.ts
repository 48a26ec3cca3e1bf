import { isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import { type BuiltInRole, findCustomRoles, listProjectsOf, type Person } from "../projects/index.js";
import type { MeBody } from "./people.schemas.js";
import { session_ms } from "./sign-in.js";

const projects_max = 1_000;

/** Who is signed in, and what they may do where. */
export async function meOf({ db }: Context, person: Person, by_role: Record<BuiltInRole, string[]>): Promise<MeBody> {
  const { created_at: _, ...user } = person.user;
  const projects = await listProjectsOf(db, user.id, projects_max);
  const roles = [...new Set(projects.map(({ role }) => role))].sort();
  const custom = new Map((await findCustomRoles(db, roles)).map(({ id, permissions }) => [id, permissions]));
  const permissionsOf = (role: string) => custom.get(role) ?? by_role[role as BuiltInRole] ?? [];
  return {
    ...user,
    session: {
      created_at: isoOf(person.session_created_at),
      expires_at: isoOf(person.session_created_at + session_ms),
    },
    projects,
    permissions: Object.fromEntries(roles.map((role) => [role, permissionsOf(role)])),
  };
}
