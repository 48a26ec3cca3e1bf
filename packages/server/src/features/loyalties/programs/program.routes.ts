import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { withProblems } from "../../../platform/http/schema.js";
import {
  ActionStarted,
  CampaignBody,
  CampaignList,
  CampaignUpdate,
  type Recalculating,
  readCampaigns,
} from "../../campaigns/index.js";
import { callOf, contextOf } from "../../projects/index.js";
import { DeleteQuery } from "../../vouchers/index.js";
import { ProgramCreate, ProgramParams, ProgramQuery } from "./program.schemas.js";
import { changeProgram, createProgram, readProgram, removeProgram } from "./program.service.js";

/** `/v1/loyalties` (loyalty.md §1). */
export function programRoutes(app: App, context: Context, recalculating: Recalculating): void {
  const tags = ["loyalties"];
  const params = ProgramParams;

  app.post(
    "/v1/loyalties",
    {
      schema: {
        operationId: "create-loyalty-program",
        tags,
        body: ProgramCreate,
        response: withProblems({ 200: CampaignBody }),
      },
    },
    (request) => createProgram(context, callOf(request), request.body),
  );

  app.get(
    "/v1/loyalties",
    {
      schema: {
        operationId: "list-loyalty-programs",
        tags,
        querystring: ProgramQuery,
        response: withProblems({ 200: CampaignList }),
      },
    },
    (request) =>
      readCampaigns(contextOf(context, request), callOf(request), {
        ...request.query,
        campaign_type: "LOYALTY_PROGRAM",
      }),
  );

  app.get(
    "/v1/loyalties/:campaignId",
    { schema: { operationId: "get-loyalty-program", tags, params, response: withProblems({ 200: CampaignBody }) } },
    (request) => readProgram(contextOf(context, request), callOf(request), request.params.campaignId),
  );

  app.put(
    "/v1/loyalties/:campaignId",
    {
      schema: {
        operationId: "update-loyalty-program",
        tags,
        params,
        body: CampaignUpdate,
        response: withProblems({ 200: CampaignBody }),
      },
    },
    (request) => changeProgram(context, callOf(request), request.params.campaignId, request.body, recalculating),
  );

  app.delete(
    "/v1/loyalties/:campaignId",
    {
      schema: {
        operationId: "delete-loyalty-program",
        tags,
        params,
        querystring: DeleteQuery,
        // The campaigns' twin answers 202.
        response: withProblems({ 200: ActionStarted }),
      },
    },
    (request) => removeProgram(context, callOf(request), request.params.campaignId, request.query.force ?? false),
  );
}
