import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { withProblems } from "../../../platform/http/schema.js";
import { callOf, contextOf } from "../../projects/index.js";
import { CampaignNumbers, NumbersParams, NumbersQuery, OverviewBody, OverviewQuery } from "./overview.schemas.js";
import { readNumbers, readOverview } from "./overview.service.js";

/** `/dashboard/v1/overview`, and the same of one campaign. */
export function overviewRoutes(app: App, context: Context): void {
  const tags = ["dashboard"];

  app.get(
    "/dashboard/v1/overview",
    {
      schema: {
        operationId: "get-overview",
        tags,
        querystring: OverviewQuery,
        response: withProblems({ 200: OverviewBody }),
      },
    },
    (request) => readOverview(contextOf(context, request), callOf(request), request.query.window),
  );

  app.get(
    "/dashboard/v1/campaigns/:campaignId/numbers",
    {
      schema: {
        operationId: "get-campaign-numbers",
        tags,
        params: NumbersParams,
        querystring: NumbersQuery,
        response: withProblems({ 200: CampaignNumbers }),
      },
    },
    (request) =>
      readNumbers(contextOf(context, request), callOf(request), request.params.campaignId, request.query.window),
  );
}
