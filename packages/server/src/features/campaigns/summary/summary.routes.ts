import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { withProblems } from "../../../platform/http/schema.js";
import { callOf, contextOf } from "../../projects/index.js";
import { CampaignParams } from "../campaign.schemas.js";
import { CampaignSummary, SummaryQuery } from "./summary.schemas.js";
import { readSummary } from "./summary.service.js";

/** `GET /v1/campaigns/:campaignId/summary` (vouchers-and-campaigns.md §20). */
export function summaryRoutes(app: App, context: Context): void {
  app.get(
    "/v1/campaigns/:campaignId/summary",
    {
      schema: {
        operationId: "get-campaign-summary",
        tags: ["campaigns"],
        params: CampaignParams,
        querystring: SummaryQuery,
        response: withProblems({ 200: CampaignSummary }),
      },
    },
    (request) => readSummary(contextOf(context, request), callOf(request), request.params.campaignId, request.query),
  );
}
