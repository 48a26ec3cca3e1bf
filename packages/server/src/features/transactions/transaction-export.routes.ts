import Type from "typebox";
import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { text, withProblems } from "../../platform/http/schema.js";
import { CampaignParams } from "../campaigns/index.js";
import { ExportBody, ExportOfOne } from "../exports/index.js";
import { CardParams, MemberParams } from "../loyalties/members/index.js";
import { ProgramParams } from "../loyalties/programs/index.js";
import { callOf } from "../projects/index.js";
import {
  exportExpirations,
  exportOfCampaign,
  exportOfMember,
  exportOfProgram,
  exportOfVoucher,
} from "./transaction-exports.service.js";

const CodeParams = Type.Object({ code: text({ description: "Code or id of the voucher." }) });

/** Files of books, each of one card or campaign (vouchers-and-campaigns.md §10.5, loyalty.md §7). */
export function transactionExportRoutes(app: App, context: Context): void {
  const shapes = { body: ExportOfOne, response: withProblems({ 200: ExportBody }) };

  app.post(
    "/v1/vouchers/:code/transactions/export",
    { schema: { operationId: "export-voucher-transactions", tags: ["vouchers"], params: CodeParams, ...shapes } },
    (request) => exportOfVoucher(context, callOf(request), request.params.code, request.body?.parameters),
  );

  app.post(
    "/v1/campaigns/:campaignId/transactions/export",
    { schema: { operationId: "export-campaign-transactions", tags: ["campaigns"], params: CampaignParams, ...shapes } },
    (request) => exportOfCampaign(context, callOf(request), request.params.campaignId, request.body?.parameters),
  );

  const tags = ["loyalties"];
  app.post(
    "/v1/loyalties/:campaignId/transactions/export",
    { schema: { operationId: "export-loyalty-campaign-transactions", tags, params: ProgramParams, ...shapes } },
    (request) => exportOfProgram(context, callOf(request), request.params.campaignId, request.body?.parameters),
  );

  app.post(
    "/v1/loyalties/members/:memberId/transactions/export",
    { schema: { operationId: "export-loyalty-card-transactions", tags, params: CardParams, ...shapes } },
    (request) => exportOfMember(context, callOf(request), request.params.memberId, null, request.body?.parameters),
  );

  app.post(
    "/v1/loyalties/:campaignId/members/:memberId/transactions/export",
    { schema: { operationId: "export-loyalty-card-transactions-1", tags, params: MemberParams, ...shapes } },
    (request) => {
      const { memberId, campaignId } = request.params;
      return exportOfMember(context, callOf(request), memberId, campaignId, request.body?.parameters);
    },
  );

  app.post(
    "/v1/loyalties/:campaignId/points-expiration/export",
    { schema: { operationId: "create-points-expiration-export", tags, params: ProgramParams, ...shapes } },
    (request) => exportExpirations(context, callOf(request), request.params.campaignId, request.body?.parameters),
  );
}
