import Type from "typebox";
import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { withProblems } from "../../platform/http/schema.js";
import { callOf, contextOf } from "../projects/index.js";
import { DeleteQuery } from "../vouchers/index.js";
import {
  ActionStarted,
  CampaignBody,
  CampaignCreate,
  CampaignList,
  CampaignParams,
  CampaignQuery,
  CampaignUpdate,
} from "./campaign.schemas.js";
import { createCampaign, readCampaign, switchCampaign } from "./campaign.service.js";
import { changeCampaign, type Recalculating, removeCampaign } from "./campaign-edit.service.js";
import { readCampaigns } from "./campaign-list.service.js";
import { stackRoutes } from "./promotions/stack.routes.js";
import { tierRoutes } from "./promotions/tier.routes.js";
import { summaryRoutes } from "./summary/summary.routes.js";
import { campaignVoucherRoutes } from "./vouchers/campaign-vouchers.routes.js";

/** `/v1/campaigns` (vouchers-and-campaigns.md §2, §5, §6). */
export function campaignRoutes(app: App, context: Context, recalculating: Recalculating): void {
  const tags = ["campaigns"];
  const params = CampaignParams;

  app.post(
    "/v1/campaigns",
    {
      config: { makes: ["promotion_tier"] },
      schema: {
        operationId: "create-campaign",
        tags,
        body: CampaignCreate,
        response: withProblems({ 200: CampaignBody }),
      },
    },
    (request) => createCampaign(context, callOf(request), request.body),
  );

  app.get(
    "/v1/campaigns",
    {
      schema: {
        operationId: "list-campaigns",
        tags,
        querystring: CampaignQuery,
        response: withProblems({ 200: CampaignList }),
      },
    },
    (request) => readCampaigns(contextOf(context, request), callOf(request), request.query),
  );

  app.get(
    "/v1/campaigns/:campaignId",
    { schema: { operationId: "get-campaign", tags, params, response: withProblems({ 200: CampaignBody }) } },
    (request) => readCampaign(contextOf(context, request), callOf(request), request.params.campaignId),
  );

  app.put(
    "/v1/campaigns/:campaignId",
    {
      schema: {
        operationId: "update-campaign",
        tags,
        params,
        body: CampaignUpdate,
        response: withProblems({ 200: CampaignBody }),
      },
    },
    (request) => changeCampaign(context, callOf(request), request.params.campaignId, request.body, recalculating),
  );

  app.delete(
    "/v1/campaigns/:campaignId",
    {
      schema: {
        operationId: "delete-campaign",
        tags,
        params,
        querystring: DeleteQuery,
        response: withProblems({ 202: ActionStarted }),
      },
    },
    async (request, reply) => {
      const { campaignId } = request.params;
      return reply
        .code(202)
        .send(await removeCampaign(context, callOf(request), campaignId, request.query.force ?? false));
    },
  );

  const others = [switchRoutes, summaryRoutes, campaignVoucherRoutes, tierRoutes, stackRoutes];
  for (const addOthers of others) addOthers(app, context);
}

/** `…/enable` and `…/disable`, which answer an empty object. */
function switchRoutes(app: App, context: Context): void {
  const tags = ["campaigns"];
  const params = CampaignParams;
  const switched = withProblems({ 200: Type.Object({}) });

  app.post(
    "/v1/campaigns/:campaignId/enable",
    { schema: { operationId: "enable-campaign", tags, params, response: switched } },
    (request) => switchCampaign(context, callOf(request), request.params.campaignId, true),
  );

  app.post(
    "/v1/campaigns/:campaignId/disable",
    { schema: { operationId: "disable-campaign", tags, params, response: switched } },
    (request) => switchCampaign(context, callOf(request), request.params.campaignId, false),
  );
}
