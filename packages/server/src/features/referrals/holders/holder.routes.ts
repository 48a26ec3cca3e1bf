import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { NoContent, withProblems } from "../../../platform/http/schema.js";
import { callOf, contextOf } from "../../projects/index.js";
import {
  CodeOfCampaignParams,
  CodeParams,
  HolderList,
  HolderOfCampaignParams,
  HolderParams,
  HolderQuery,
  HoldersCreate,
  HoldersCreated,
} from "./holder.schemas.js";
import { addReferees, readHolders, removeReferee } from "./holder.service.js";

const tags = ["referrals"];
const created = withProblems({ 200: HoldersCreated });
const listed = withProblems({ 200: HolderList });
const removed = withProblems({ 204: NoContent });
const config = { makes: ["publication"] } as const;

/** `/v1/referrals/members/:memberId/holders`, and the same under its campaign (vouchers-and-campaigns.md §15). */
export function holderRoutes(app: App, context: Context): void {
  routesOfCodes(app, context);
  routesOfCampaigns(app, context);
}

function routesOfCodes(app: App, context: Context): void {
  const path = "/v1/referrals/members/:memberId/holders";

  app.post(
    path,
    {
      config,
      schema: {
        operationId: "referrals-add-holders",
        ...{ tags, params: CodeParams, body: HoldersCreate, response: created },
      },
    },
    (request) => addReferees(context, callOf(request), request.params, request.body),
  );

  app.get(
    path,
    {
      schema: {
        operationId: "referrals-code-holders-1",
        ...{ tags, params: CodeParams, querystring: HolderQuery, response: listed },
      },
    },
    (request) => readHolders(contextOf(context, request), callOf(request), request.params, request.query),
  );

  app.delete(
    `${path}/:holderId`,
    { schema: { operationId: "referrals-remove-holder", tags, params: HolderParams, response: removed } },
    async (request, reply) => {
      await removeReferee(context, callOf(request), request.params);
      return reply.code(204).send(null);
    },
  );
}

function routesOfCampaigns(app: App, context: Context): void {
  const path = "/v1/referrals/:campaignId/members/:memberId/holders";

  app.post(
    path,
    {
      config,
      schema: {
        operationId: "referrals-add-holders-1",
        ...{ tags, params: CodeOfCampaignParams, body: HoldersCreate, response: created },
      },
    },
    (request) => addReferees(context, callOf(request), request.params, request.body),
  );

  app.get(
    path,
    {
      schema: {
        operationId: "referrals-code-holders",
        ...{ tags, params: CodeOfCampaignParams, querystring: HolderQuery, response: listed },
      },
    },
    (request) => readHolders(contextOf(context, request), callOf(request), request.params, request.query),
  );

  app.delete(
    `${path}/:holderId`,
    { schema: { operationId: "referrals-remove-holder-1", tags, params: HolderOfCampaignParams, response: removed } },
    async (request, reply) => {
      await removeReferee(context, callOf(request), request.params);
      return reply.code(204).send(null);
    },
  );
}
