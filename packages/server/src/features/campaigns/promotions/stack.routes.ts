import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { NoContent, withProblems } from "../../../platform/http/schema.js";
import { callOf, contextOf } from "../../projects/index.js";
import { StackBody, StackInput, StackList, StackParams, StackQuery, StackUpdate } from "../../promotions/index.js";
import { CampaignParams } from "../campaign.schemas.js";
import {
  changeStack,
  createStack,
  readStack,
  readStacks,
  readStacksOfCampaign,
  removeStack,
  stacks_max,
} from "./stack.service.js";

/** `/v1/promotions/stacks` and the stacks of one campaign (redemption.md §14). */
export function stackRoutes(app: App, context: Context): void {
  const tags = ["promotions"];
  const of_campaign = "/v1/promotions/:campaignId/stacks";
  const one = `${of_campaign}/:stackId`;
  const params = StackParams;
  const response = withProblems({ 200: StackBody });
  const list = withProblems({ 200: StackList });

  app.get(
    "/v1/promotions/stacks",
    { schema: { operationId: "list-all-promotion-stacks", tags, querystring: StackQuery, response: list } },
    (request) => readStacks(contextOf(context, request), callOf(request), request.query),
  );

  app.get(
    of_campaign,
    {
      config: { rows: () => stacks_max },
      schema: { operationId: "list-promotion-stacks-in-campaign", tags, params: CampaignParams, response: list },
    },
    (request) => readStacksOfCampaign(contextOf(context, request), callOf(request), request.params.campaignId),
  );

  app.post(
    of_campaign,
    { schema: { operationId: "create-promotion-stack", tags, params: CampaignParams, body: StackInput, response } },
    (request) => createStack(context, callOf(request), request.params.campaignId, request.body),
  );

  app.get(one, { schema: { operationId: "get-promotion-stack", tags, params, response } }, (request) =>
    readStack(contextOf(context, request), callOf(request), request.params),
  );

  app.put(
    one,
    { schema: { operationId: "update-promotion-stack", tags, params, body: StackUpdate, response } },
    (request) => changeStack(context, callOf(request), request.params, request.body),
  );

  app.delete(
    one,
    { schema: { operationId: "delete-promotion-stack", tags, params, response: withProblems({ 204: NoContent }) } },
    async (request, reply) => {
      await removeStack(context, callOf(request), request.params);
      return reply.code(204).send(null);
    },
  );
}
