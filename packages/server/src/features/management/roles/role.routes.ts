import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { NoContent, withProblems } from "../../../platform/http/schema.js";
import { causedByManagement } from "../../projects/index.js";
import { RoleBody, RoleCreate, RoleList, RoleParams, RoleUpdate } from "./role.schemas.js";
import { changeRole, createRole, readRole, readRoles, removeRole } from "./role.service.js";

/** `/management/v1/roles`: ours, the reference makes roles in its dashboard alone (platform.md §2). */
export function roleRoutes(app: App, context: Context): void {
  const tags = ["management"];
  const all = "/management/v1/roles";
  const one = `${all}/:roleId` as const;
  const params = RoleParams;
  const response = withProblems({ 200: RoleBody });
  // What the roles that there always are may call is known once all routes are there.
  const builtIn = () => app.permissionsByRole();

  app.post(all, { schema: { operationId: "create-role", tags, body: RoleCreate, response } }, (request) =>
    createRole(context, causedByManagement(context, request, ""), request.body, builtIn()),
  );

  app.get(all, { schema: { operationId: "list-roles", tags, response: withProblems({ 200: RoleList }) } }, () =>
    readRoles(context, builtIn()),
  );

  app.get(one, { schema: { operationId: "get-role", tags, params, response } }, ({ params }) =>
    readRole(context, params.roleId, builtIn()),
  );

  app.put(one, { schema: { operationId: "update-role", tags, params, body: RoleUpdate, response } }, (request) =>
    changeRole(context, causedByManagement(context, request, ""), request.params.roleId, request.body, builtIn()),
  );

  app.delete(
    one,
    { schema: { operationId: "delete-role", tags, params, response: withProblems({ 204: NoContent }) } },
    async (request, reply) => {
      await removeRole(context, causedByManagement(context, request, ""), request.params.roleId);
      return reply.code(204).send(null);
    },
  );
}
