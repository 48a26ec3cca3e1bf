import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { NoContent, withProblems } from "../../../platform/http/schema.js";
import { callOf, contextOf } from "../../projects/index.js";
import { CardParams, MemberParams } from "../members/index.js";
import { ProgramParams } from "../programs/index.js";
import {
  ActivatedPoints,
  PendingPointsBalance,
  PendingPointsInput,
  PendingPointsList,
  PendingPointsParams,
  PendingPointsQuery,
} from "./pending-points.schemas.js";
import {
  activatePoints,
  adjustPoints,
  cancelPoints,
  readPendingOfMember,
  readPendingOfProgram,
} from "./pending-points.service.js";

/** Points that wait, of members and of programs (loyalty.md §5). */
export function pendingPointsRoutes(app: App, context: Context): void {
  const tags = ["loyalties"];
  const list = { tags, querystring: PendingPointsQuery, response: withProblems({ 200: PendingPointsList }) };

  app.get(
    "/v1/loyalties/:campaignId/pending-points",
    { schema: { operationId: "list-campaign-pending-points", ...list, params: ProgramParams } },
    (request) =>
      readPendingOfProgram(contextOf(context, request), callOf(request), request.params.campaignId, request.query),
  );

  app.get(
    "/v1/loyalties/members/:memberId/pending-points",
    { schema: { operationId: "list-member-pending-points", ...list, params: CardParams } },
    (request) =>
      readPendingOfMember(contextOf(context, request), callOf(request), request.params.memberId, null, request.query),
  );

  app.get(
    "/v1/loyalties/:campaignId/members/:memberId/pending-points",
    { schema: { operationId: "list-member-pending-points-1", ...list, params: MemberParams } },
    (request) => {
      const { memberId, campaignId } = request.params;
      return readPendingOfMember(contextOf(context, request), callOf(request), memberId, campaignId, request.query);
    },
  );

  const one = "/v1/loyalties/members/:memberId/pending-points/:pendingPointsId";
  const params = PendingPointsParams;
  app.post(
    `${one}/activate`,
    {
      schema: {
        operationId: "activate-member-pending-points",
        tags,
        params,
        response: withProblems({ 200: ActivatedPoints }),
      },
    },
    (request) => activatePoints(context, callOf(request), request.params.memberId, request.params.pendingPointsId),
  );

  app.post(
    `${one}/balance`,
    {
      schema: {
        operationId: "adjust-member-pending-points",
        tags,
        params,
        body: PendingPointsInput,
        response: withProblems({ 200: PendingPointsBalance }),
      },
    },
    (request) => {
      const { memberId, pendingPointsId } = request.params;
      return adjustPoints(context, callOf(request), memberId, pendingPointsId, request.body.points);
    },
  );

  app.post(
    `${one}/cancel`,
    {
      schema: {
        operationId: "cancel-member-pending-points",
        tags,
        params,
        response: withProblems({ 204: NoContent }),
      },
    },
    (request, reply) => {
      // Before the change, which keeps it with its answer.
      void reply.code(204);
      return cancelPoints(context, callOf(request), request.params.memberId, request.params.pendingPointsId);
    },
  );
}
