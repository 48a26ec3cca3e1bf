import Type from "typebox";
import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { withProblems } from "../../../platform/http/schema.js";
import { callOf, contextOf } from "../../projects/index.js";
import { CardParams } from "../members/index.js";
import { ProgramParams } from "../programs/index.js";
import { TierBody, TierList, TierParams, TierQuery, TiersCreate } from "./loyalty-tier.schemas.js";
import { createTiers, readTier, readTiers } from "./loyalty-tier.service.js";
import { readTiersOfMember } from "./memberships/membership.service.js";

/** `/v1/loyalties/:campaignId/tiers` (loyalty.md §8). */
export function loyaltyTierRoutes(app: App, context: Context): void {
  const tags = ["loyalties"];
  const all = "/v1/loyalties/:campaignId/tiers";
  const params = ProgramParams;

  app.post(
    all,
    {
      config: { makes: ["loyalty_tier"] },
      schema: {
        operationId: "create-in-bulk-loyalty-tiers",
        tags,
        params,
        body: TiersCreate,
        response: withProblems({ 200: Type.Array(TierBody) }),
      },
    },
    (request) => createTiers(context, callOf(request), request.params.campaignId, request.body),
  );

  app.get(
    all,
    {
      schema: {
        operationId: "list-loyalty-tiers",
        tags,
        params,
        querystring: TierQuery,
        response: withProblems({ 200: TierList }),
      },
    },
    (request) => readTiers(contextOf(context, request), callOf(request), request.params.campaignId, request.query),
  );

  app.get(
    `${all}/:loyaltyTierId`,
    {
      schema: { operationId: "get-loyalty-tier", tags, params: TierParams, response: withProblems({ 200: TierBody }) },
    },
    (request) => {
      const { campaignId, loyaltyTierId } = request.params;
      return readTier(contextOf(context, request), callOf(request), campaignId, loyaltyTierId);
    },
  );

  app.get(
    "/v1/loyalties/members/:memberId/tiers",
    {
      schema: {
        operationId: "list-member-loyalty-tier",
        tags,
        params: CardParams,
        response: withProblems({ 200: TierList }),
      },
    },
    (request) => readTiersOfMember(contextOf(context, request), callOf(request), request.params.memberId),
  );
}
