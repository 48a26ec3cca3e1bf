import type { App } from "../../platform/http/app.js";
import { credentialsFor } from "./credentials.js";
import { permissionOf, roleAllows } from "./roles.js";
import { type BuiltInRole, user_roles } from "./user.js";

declare module "fastify" {
  interface FastifyInstance {
    /** What each role may do, as codes: `vouchers.delete`. Asked once all routes are there. */
    permissionsByRole(): Record<BuiltInRole, string[]>;
  }
}

/**
 * Notes every operation that a session may call, so that what is shown to people of their permissions is what the door decides. Call
 * it before routes are added.
 */
export function notePermissions(app: App): void {
  const operations = new Map<string, { method: string; route: string }>();
  let by_role: Record<BuiltInRole, string[]> | undefined;
  app.addHook("onRoute", (route) => {
    const { method, url } = route;
    if (!["application", "member", "managed"].includes(credentialsFor(route))) return;
    for (const one of [method].flat()) {
      const permission = permissionOf(one, url);
      if (permission !== null) operations.set(permission, { method: one, route: url });
    }
  });
  const permissionsOf = (role: BuiltInRole) =>
    [...operations].flatMap(([code, { method, route }]) => (roleAllows(role, method, route) ? [code] : [])).sort();
  app.decorate("permissionsByRole", () => {
    by_role ??= Object.fromEntries(user_roles.map((role) => [role, permissionsOf(role)])) as Record<
      BuiltInRole,
      string[]
    >;
    return by_role;
  });
}
