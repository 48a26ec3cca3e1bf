import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { NoContent, withProblems } from "../../../platform/http/schema.js";
import { callOf, contextOf } from "../../projects/index.js";
import { TierBody, TierInput, TierList, TierParams, TierQuery, TierUpdate } from "../../promotions/index.js";
import { CampaignParams } from "../campaign.schemas.js";
import {
  changeTier,
  createTier,
  readTier,
  readTiers,
  readTiersOfCampaign,
  removeTier,
  switchTier,
  tiers_max,
} from "./tier.service.js";

/** `/v1/promotions/tiers` and the tiers of one campaign (redemption.md §14). */
export function tierRoutes(app: App, context: Context): void {
  const tags = ["promotions"];
  const params = TierParams;
  const response = withProblems({ 200: TierBody });
  const list = withProblems({ 200: TierList });

  app.get(
    "/v1/promotions/tiers",
    { schema: { operationId: "list-promotion-tiers", tags, querystring: TierQuery, response: list } },
    (request) => readTiers(contextOf(context, request), callOf(request), request.query),
  );

  app.get(
    "/v1/promotions/:campaignId/tiers",
    {
      config: { rows: () => tiers_max },
      schema: { operationId: "list-promotion-tiers-from-campaign", tags, params: CampaignParams, response: list },
    },
    (request) => readTiersOfCampaign(contextOf(context, request), callOf(request), request.params.campaignId),
  );

  app.post(
    "/v1/promotions/:campaignId/tiers",
    {
      config: { makes: ["promotion_tier"] },
      schema: {
        operationId: "add-promotion-tier-to-campaign",
        tags,
        params: CampaignParams,
        body: TierInput,
        response,
      },
    },
    (request) => createTier(context, callOf(request), request.params.campaignId, request.body),
  );

  app.get(
    "/v1/promotions/tiers/:promotionTierId",
    { schema: { operationId: "get-promotion-tier", tags, params, response } },
    (request) => readTier(contextOf(context, request), callOf(request), request.params.promotionTierId),
  );

  app.put(
    "/v1/promotions/tiers/:promotionTierId",
    { schema: { operationId: "update-promotion-tier", tags, params, body: TierUpdate, response } },
    (request) => changeTier(context, callOf(request), request.params.promotionTierId, request.body),
  );

  app.delete(
    "/v1/promotions/tiers/:promotionTierId",
    { schema: { operationId: "delete-promotion-tier", tags, params, response: withProblems({ 204: NoContent }) } },
    async (request, reply) => {
      await removeTier(context, callOf(request), request.params.promotionTierId);
      return reply.code(204).send(null);
    },
  );

  for (const [verb, active] of [
    ["enable", true],
    ["disable", false],
  ] as const) {
    app.post(
      `/v1/promotions/tiers/:promotionTierId/${verb}`,
      { schema: { operationId: `${verb}-promotion-tier`, tags, params, response } },
      (request) => switchTier(context, callOf(request), request.params.promotionTierId, active),
    );
  }
}
