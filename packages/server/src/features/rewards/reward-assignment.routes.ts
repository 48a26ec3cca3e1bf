import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { NoContent, withProblems } from "../../platform/http/schema.js";
import { callOf, contextOf } from "../projects/index.js";
import { RewardParams } from "./reward.schemas.js";
import {
  RewardAssignmentBody,
  RewardAssignmentInput,
  RewardAssignmentList,
  RewardAssignmentParams,
  RewardAssignmentQuery,
  RewardAssignmentUpdate,
} from "./reward-assignment.schemas.js";
import {
  assignRewards,
  changeAssignment,
  readAssignment,
  readAssignments,
  removeAssignment,
} from "./reward-assignment.service.js";

/** `/v1/rewards/:rewardId/assignments` (loyalty.md §9.3). */
export function rewardAssignmentRoutes(app: App, context: Context): void {
  const tags = ["rewards"];
  const all = "/v1/rewards/:rewardId/assignments";
  const one = `${all}/:assignmentId` as const;
  const params = RewardAssignmentParams;
  const response = withProblems({ 200: RewardAssignmentBody });

  app.post(
    all,
    {
      schema: {
        operationId: "create-reward-assignment",
        tags,
        params: RewardParams,
        body: RewardAssignmentInput,
        response,
      },
    },
    async (request) => {
      const { campaign, ...assigning } = request.body;
      const wanted = { ...assigning, reward_id: request.params.rewardId, at: "" };
      return assignRewards(context, callOf(request), campaign, [wanted], ([made]) => {
        if (!made) throw new Error("one reward makes one assignment");
        return made;
      });
    },
  );

  app.get(
    all,
    {
      schema: {
        operationId: "list-reward-assignments",
        tags,
        params: RewardParams,
        querystring: RewardAssignmentQuery,
        response: withProblems({ 200: RewardAssignmentList }),
      },
    },
    (request) =>
      readAssignments(
        contextOf(context, request),
        callOf(request),
        { reward_id: request.params.rewardId },
        request.query,
      ),
  );

  app.get(one, { schema: { operationId: "get-reward-assignment", tags, params, response } }, (request) => {
    const { rewardId, assignmentId } = request.params;
    return readAssignment(contextOf(context, request), callOf(request), { reward_id: rewardId }, assignmentId);
  });

  app.put(
    one,
    { schema: { operationId: "update-reward-assignment", tags, params, body: RewardAssignmentUpdate, response } },
    (request) => {
      const { rewardId, assignmentId } = request.params;
      return changeAssignment(context, callOf(request), { reward_id: rewardId }, assignmentId, request.body);
    },
  );

  app.delete(
    one,
    { schema: { operationId: "delete-reward-assignment", tags, params, response: withProblems({ 204: NoContent }) } },
    async (request, reply) => {
      const { rewardId, assignmentId } = request.params;
      await removeAssignment(context, callOf(request), { reward_id: rewardId }, assignmentId);
      return reply.code(204).send(null);
    },
  );
}
