import Type from "typebox";
import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { NoContent, withProblems } from "../../../platform/http/schema.js";
import { callOf, contextOf } from "../../projects/index.js";
import {
  assignRewards,
  changeAssignment,
  ProgramRewardsInput,
  RewardAssignmentBody,
  RewardAssignmentList,
  RewardAssignmentUpdate,
  RewardBody,
  readAssignment,
  readAssignments,
  removeAssignment,
} from "../../rewards/index.js";
import { CardParams } from "../members/index.js";
import { ProgramParams } from "../programs/index.js";
import { TierParams } from "../tiers/index.js";
import {
  MemberRewardList,
  MemberRewardQuery,
  ProgramAssignmentQuery,
  ProgramRewardParams,
  ProgramRewardQuery,
  TierRewardList,
} from "./program-reward.schemas.js";
import { readMemberRewards, readRewardOfAssignment, readTierRewards } from "./program-reward.service.js";

const tags = ["loyalties"];
const params = ProgramRewardParams;
const response = withProblems({ 200: RewardAssignmentBody });
const list = withProblems({ 200: RewardAssignmentList });

/** The rewards of a loyalty program, and of a member (loyalty.md §9.3). */
export function programRewardRoutes(app: App, context: Context): void {
  listRoutes(app, context);
  editRoutes(app, context);
  mappedRoutes(app, context);

  const readings = { rewards: "get-reward-assignment-2", "reward-assignments": "get-reward-assignment-1" };
  for (const [noun, operationId] of Object.entries(readings)) {
    app.get(
      `/v1/loyalties/:campaignId/${noun}/:assignmentId`,
      { schema: { operationId, tags, params, response } },
      (request) => {
        const { campaignId, assignmentId } = request.params;
        return readAssignment(contextOf(context, request), callOf(request), { program: campaignId }, assignmentId);
      },
    );
  }

  app.get(
    "/v1/loyalties/:campaignId/reward-assignments/:assignmentId/reward",
    { schema: { operationId: "get-reward-details", tags, params, response: withProblems({ 200: RewardBody }) } },
    (request) => readRewardOfAssignment(contextOf(context, request), callOf(request), request.params),
  );
}

function mappedRoutes(app: App, context: Context): void {
  app.get(
    "/v1/loyalties/members/:memberId/rewards",
    {
      schema: {
        operationId: "list-member-rewards",
        tags,
        params: CardParams,
        querystring: MemberRewardQuery,
        response: withProblems({ 200: MemberRewardList }),
      },
    },
    (request) =>
      readMemberRewards(contextOf(context, request), callOf(request), request.params.memberId, request.query),
  );

  app.get(
    "/v1/loyalties/:campaignId/tiers/:loyaltyTierId/rewards",
    {
      schema: {
        operationId: "list-loyalty-tier-rewards",
        tags,
        params: TierParams,
        response: withProblems({ 200: TierRewardList }),
      },
    },
    (request) => readTierRewards(contextOf(context, request), callOf(request), request.params),
  );
}

/** The same list under two names. */
function listRoutes(app: App, context: Context): void {
  app.get(
    "/v1/loyalties/:campaignId/rewards",
    {
      schema: {
        operationId: "list-reward-assignments-2",
        tags,
        params: ProgramParams,
        querystring: ProgramRewardQuery,
        response: list,
      },
    },
    (request) => {
      const { assignment_id, ...query } = request.query;
      const program = request.params.campaignId;
      return readAssignments(contextOf(context, request), callOf(request), { program }, query, assignment_id);
    },
  );

  app.get(
    "/v1/loyalties/:campaignId/reward-assignments",
    {
      schema: {
        operationId: "list-reward-assignments-1",
        tags,
        params: ProgramParams,
        querystring: ProgramAssignmentQuery,
        response: list,
      },
    },
    (request) => {
      const { assignmentId, ...query } = request.query;
      const program = request.params.campaignId;
      return readAssignments(contextOf(context, request), callOf(request), { program }, query, assignmentId);
    },
  );
}

function editRoutes(app: App, context: Context): void {
  app.post(
    "/v1/loyalties/:campaignId/rewards",
    {
      schema: {
        operationId: "create-reward-assignment-1",
        tags,
        params: ProgramParams,
        body: ProgramRewardsInput,
        response: withProblems({ 200: Type.Array(RewardAssignmentBody) }),
      },
    },
    (request) => {
      const wanted = request.body.map(({ reward, ...one }, i) => ({ ...one, reward_id: reward, at: `[${i}]` }));
      return assignRewards(context, callOf(request), request.params.campaignId, wanted, (made) => made);
    },
  );

  app.put(
    "/v1/loyalties/:campaignId/rewards/:assignmentId",
    { schema: { operationId: "update-reward-assignment-1", tags, params, body: RewardAssignmentUpdate, response } },
    (request) => {
      const { campaignId, assignmentId } = request.params;
      return changeAssignment(context, callOf(request), { program: campaignId }, assignmentId, request.body);
    },
  );

  app.delete(
    "/v1/loyalties/:campaignId/rewards/:assignmentId",
    { schema: { operationId: "delete-reward-assignment-1", tags, params, response: withProblems({ 204: NoContent }) } },
    async (request, reply) => {
      const { campaignId, assignmentId } = request.params;
      await removeAssignment(context, callOf(request), { program: campaignId }, assignmentId);
      return reply.code(204).send(null);
    },
  );
}
