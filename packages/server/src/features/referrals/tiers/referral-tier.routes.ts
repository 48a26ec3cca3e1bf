import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { NoContent, withProblems } from "../../../platform/http/schema.js";
import { causedByManagement } from "../../projects/index.js";
import {
  ReferralTierBody,
  ReferralTierInput,
  ReferralTierList,
  ReferralTierUpdate,
  TierParams,
  TiersParams,
} from "./referral-tier.schemas.js";
import {
  changeReferralTier,
  createReferralTier,
  readReferralTiers,
  removeReferralTier,
} from "./referral-tier.service.js";

/**
 * `/management/v1/projects/:projectId/campaigns/:campaignId/referral-tiers`: ours, the reference makes these tiers in its
 * dashboard alone.
 */
export function referralTierRoutes(app: App, context: Context): void {
  const tags = ["management"];
  const all = "/management/v1/projects/:projectId/campaigns/:campaignId/referral-tiers";
  const one = `${all}/:referralTierId` as const;
  const response = withProblems({ 200: ReferralTierBody });

  app.post(
    all,
    { schema: { operationId: "create-referral-tier", tags, params: TiersParams, body: ReferralTierInput, response } },
    (request) => {
      const { projectId, campaignId } = request.params;
      return createReferralTier(context, causedByManagement(context, request, projectId), campaignId, request.body);
    },
  );

  app.get(
    all,
    {
      schema: {
        operationId: "list-referral-tiers",
        ...{ tags, params: TiersParams, response: withProblems({ 200: ReferralTierList }) },
      },
    },
    ({ params }) => readReferralTiers(context, params.projectId, params.campaignId),
  );

  app.put(
    one,
    { schema: { operationId: "update-referral-tier", tags, params: TierParams, body: ReferralTierUpdate, response } },
    (request) =>
      changeReferralTier(
        context,
        causedByManagement(context, request, request.params.projectId),
        request.params,
        request.body,
      ),
  );

  app.delete(
    one,
    {
      schema: {
        operationId: "delete-referral-tier",
        ...{ tags, params: TierParams, response: withProblems({ 204: NoContent }) },
      },
    },
    async (request, reply) => {
      await removeReferralTier(context, causedByManagement(context, request, request.params.projectId), request.params);
      return reply.code(204).send(null);
    },
  );
}
