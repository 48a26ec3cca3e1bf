import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { withProblems } from "../../../platform/http/schema.js";
import { callOf, contextOf } from "../../projects/index.js";
import { VoucherBody, VoucherList } from "../../vouchers/index.js";
import { ProgramParams } from "../programs/index.js";
import { CardParams, MemberCreate, MemberParams, MemberQuery } from "./member.schemas.js";
import { addMember, readMember, readMembers } from "./member.service.js";

/** `/v1/loyalties/:campaignId/members` (loyalty.md §2). */
export function memberRoutes(app: App, context: Context): void {
  const tags = ["loyalties"];
  const response = withProblems({ 200: VoucherBody });

  app.post(
    "/v1/loyalties/:campaignId/members",
    {
      config: { makes: ["publication"] },
      schema: { operationId: "add-member", tags, params: ProgramParams, body: MemberCreate, response },
    },
    (request) => addMember(context, callOf(request), request.params.campaignId, request.body),
  );

  app.get(
    "/v1/loyalties/:campaignId/members",
    {
      schema: {
        operationId: "list-members",
        tags,
        params: ProgramParams,
        querystring: MemberQuery,
        response: withProblems({ 200: VoucherList }),
      },
    },
    (request) => readMembers(contextOf(context, request), callOf(request), request.params.campaignId, request.query),
  );

  app.get(
    "/v1/loyalties/:campaignId/members/:memberId",
    { schema: { operationId: "get-member-1", tags, params: MemberParams, response } },
    (request) =>
      readMember(contextOf(context, request), callOf(request), request.params.memberId, request.params.campaignId),
  );

  app.get(
    "/v1/loyalties/members/:memberId",
    { schema: { operationId: "get-member", tags, params: CardParams, response } },
    (request) => readMember(contextOf(context, request), callOf(request), request.params.memberId, null),
  );
}
