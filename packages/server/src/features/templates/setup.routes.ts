import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { withProblems } from "../../platform/http/schema.js";
import { callOf } from "../projects/index.js";
import { CampaignSetup, CampaignSetupBody, TierSetup, TierSetupBody } from "./setup.schemas.js";
import { setUpCampaign, setUpTier } from "./setup.service.js";
import { TemplateParams } from "./template.schemas.js";

/** `…/campaign-setup` and `…/tier-setup` (vouchers-and-campaigns.md §17). */
export function setupRoutes(app: App, context: Context): void {
  const tags = ["templates"];
  const params = TemplateParams;

  app.post(
    "/v1/templates/campaigns/:campaignTemplateId/campaign-setup",
    {
      schema: {
        operationId: "create-campaign-from-template",
        tags,
        params,
        body: CampaignSetup,
        response: withProblems({ 200: CampaignSetupBody }),
      },
    },
    (request) => setUpCampaign(context, callOf(request), request.params.campaignTemplateId, request.body),
  );

  app.post(
    "/v1/templates/campaigns/:campaignTemplateId/tier-setup",
    {
      config: { makes: ["promotion_tier"] },
      schema: {
        operationId: "add-tier-from-template",
        tags,
        params,
        body: TierSetup,
        response: withProblems({ 200: TierSetupBody }),
      },
    },
    (request) => setUpTier(context, callOf(request), request.params.campaignTemplateId, request.body),
  );
}
