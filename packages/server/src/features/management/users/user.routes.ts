import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { NoContent, withProblems } from "../../../platform/http/schema.js";
import { causedByManagement, ProjectParams } from "../../projects/index.js";
import { inviteUser } from "./invitation.service.js";
import { Invitation, UserAssigned, UserBody, UserList, UserParams, UserQuery, UserUpdate } from "./user.schemas.js";
import { assignUser, changeUser, readUser, readUsers, unassignUser } from "./user.service.js";

/** `/management/v1/projects/:projectId/users` (platform.md §7). */
export function userRoutes(app: App, context: Context): void {
  const tags = ["management"];
  const all = "/management/v1/projects/:projectId/users";
  const one = `${all}/:userId` as const;
  const params = UserParams;
  const response = withProblems({ 200: UserBody });

  app.post(
    all,
    { schema: { operationId: "assign-user", tags, params: ProjectParams, body: UserAssigned, response } },
    (request) => assignUser(context, causedByManagement(context, request, request.params.projectId), request.body),
  );

  app.post(
    "/management/v1/projects/users/invite",
    { schema: { operationId: "invite-user", tags, body: Invitation, response: withProblems({ 204: NoContent }) } },
    (request, reply) => {
      // Before the change, which keeps the answer with its status.
      void reply.code(204);
      return inviteUser(context, causedByManagement(context, request, ""), request.body);
    },
  );

  app.get(
    all,
    {
      schema: {
        operationId: "list-users",
        tags,
        params: ProjectParams,
        querystring: UserQuery,
        response: withProblems({ 200: UserList }),
      },
    },
    ({ params, query }) => readUsers(context, params.projectId, query),
  );

  app.get(one, { schema: { operationId: "get-user", tags, params, response } }, ({ params }) =>
    readUser(context, params.projectId, params.userId),
  );

  app.put(one, { schema: { operationId: "update-user", tags, params, body: UserUpdate, response } }, (request) => {
    const { projectId, userId } = request.params;
    return changeUser(context, causedByManagement(context, request, projectId), userId, request.body.role);
  });

  app.delete(
    one,
    { schema: { operationId: "unassign-user", tags, params, response: withProblems({ 204: NoContent }) } },
    async (request, reply) => {
      const { projectId, userId } = request.params;
      await unassignUser(context, causedByManagement(context, request, projectId), userId);
      return reply.code(204).send(null);
    },
  );
}
