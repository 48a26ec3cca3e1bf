import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { NoContent, withProblems } from "../../platform/http/schema.js";
import { callOf } from "../projects/index.js";
import {
  MemberBody,
  MemberInvited,
  MemberLink,
  MemberList,
  MemberParams,
  MemberQuery,
  MemberUpdate,
} from "./member.schemas.js";
import { addMember, changeMember, linkForMember, readMembers, removeMember } from "./member.service.js";

/** `/dashboard/v1/members`: the project's people, its administrators' to change; links are the owners' to make. */
export function memberRoutes(app: App, context: Context): void {
  const tags = ["dashboard"];
  const all = "/dashboard/v1/members";
  const one = `${all}/:userId` as const;
  const params = MemberParams;
  const response = withProblems({ 200: MemberBody });

  app.get(
    all,
    {
      schema: {
        operationId: "list-project-members",
        tags,
        querystring: MemberQuery,
        response: withProblems({ 200: MemberList }),
      },
    },
    (request) => readMembers(context, callOf(request), request.query),
  );

  app.post(all, { schema: { operationId: "invite-project-member", tags, body: MemberInvited, response } }, (request) =>
    addMember(context, callOf(request), request.body),
  );

  app.put(
    one,
    { schema: { operationId: "update-project-member", tags, params, body: MemberUpdate, response } },
    (request) => changeMember(context, callOf(request), request.params.userId, request.body.role),
  );

  app.delete(
    one,
    { schema: { operationId: "remove-project-member", tags, params, response: withProblems({ 204: NoContent }) } },
    async (request, reply) => {
      await removeMember(context, callOf(request), request.params.userId);
      return reply.code(204).send(null);
    },
  );

  app.post(
    `${one}/link`,
    { schema: { operationId: "create-member-link", tags, params, response: withProblems({ 200: MemberLink }) } },
    (request) => linkForMember(context, callOf(request), request.params.userId),
  );
}
