import type { App } from "../../platform/http/app.js";
import { credentialsFor } from "./credentials.js";
import { roleAllows } from "./roles.js";
import { type Role, user_roles } from "./user.js";

declare module "fastify" {
  interface FastifyInstance {
    /** What each role may do, as codes: `vouchers.delete`. Asked once all routes are there. */
    permissionsByRole(): Record<Role, string[]>;
  }
}

const doings: Record<string, string> = { GET: "read", POST: "create", PUT: "update", DELETE: "delete" };

/**
 * What an operation is called among permissions: the words of its path, and what its method does. Roles are decided by the very same, so
 * that a code never covers operations of which a role may call some.
 */
export function permissionOf(method: string, route: string): string | null {
  const [, words = ""] =
    /^(?:(?:\/dashboard)?\/v1|\/management\/v1(?:\/projects\/:projectId(?=\/))?)\/(.+)$/.exec(route) ?? [];
  const doing = doings[method];
  if (words === "" || doing === undefined) return null;
  return [...words.split("/").filter((word) => !word.startsWith(":")), doing].join(".");
}

/**
 * Notes every operation that a session may call, so that what is shown to people of their permissions is what the door decides. Call
 * it before routes are added.
 */
export function notePermissions(app: App): void {
  const operations = new Map<string, { method: string; route: string }>();
  let by_role: Record<Role, string[]> | undefined;
  app.addHook("onRoute", (route) => {
    const { method, url } = route;
    if (!["application", "member", "managed"].includes(credentialsFor(route))) return;
    for (const one of [method].flat()) {
      const permission = permissionOf(one, url);
      if (permission !== null) operations.set(permission, { method: one, route: url });
    }
  });
  const permissionsOf = (role: Role) =>
    [...operations].flatMap(([code, { method, route }]) => (roleAllows(role, method, route) ? [code] : [])).sort();
  app.decorate("permissionsByRole", () => {
    by_role ??= Object.fromEntries(user_roles.map((role) => [role, permissionsOf(role)])) as Record<Role, string[]>;
    return by_role;
  });
}
