import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { NoContent, withProblems } from "../../platform/http/schema.js";
import { callOf, contextOf } from "../projects/index.js";
import { RewardBody, RewardInput, RewardList, RewardParams, RewardQuery, RewardUpdate } from "./reward.schemas.js";
import {
  changeReward,
  createReward,
  type GoesWithReward,
  readReward,
  readRewards,
  removeReward,
} from "./reward.service.js";
import { rewardAssignmentRoutes } from "./reward-assignment.routes.js";

/** `/v1/rewards` (loyalty.md §9.2). @param goes_along what is deleted with a reward, of whatever names it */
export function rewardRoutes(
  app: App,
  context: Context,
  { goes_along }: { goes_along: readonly GoesWithReward[] },
): void {
  rewardAssignmentRoutes(app, context);
  const tags = ["rewards"];
  const one = "/v1/rewards/:rewardId";
  const params = RewardParams;
  const response = withProblems({ 200: RewardBody });

  app.post(
    "/v1/rewards",
    { config: { makes: ["reward"] }, schema: { operationId: "create-reward", tags, body: RewardInput, response } },
    (request) => createReward(context, callOf(request), request.body),
  );

  app.get(
    "/v1/rewards",
    {
      schema: {
        operationId: "list-rewards",
        tags,
        querystring: RewardQuery,
        response: withProblems({ 200: RewardList }),
      },
    },
    (request) => readRewards(contextOf(context, request), callOf(request), request.query),
  );

  app.get(one, { schema: { operationId: "get-reward", tags, params, response } }, (request) =>
    readReward(contextOf(context, request), callOf(request), request.params.rewardId),
  );

  app.put(one, { schema: { operationId: "update-reward", tags, params, body: RewardUpdate, response } }, (request) =>
    changeReward(context, callOf(request), request.params.rewardId, request.body),
  );

  app.delete(
    one,
    { schema: { operationId: "delete-reward", tags, params, response: withProblems({ 204: NoContent }) } },
    async (request, reply) => {
      await removeReward(context, callOf(request), request.params.rewardId, goes_along);
      return reply.code(204).send(null);
    },
  );
}
