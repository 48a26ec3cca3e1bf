import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { withProblems } from "../../../platform/http/schema.js";
import { callOf } from "../../projects/index.js";
import { VoucherAddition, VoucherBody } from "../../vouchers/index.js";
import { ActionStarted, CampaignParams, CampaignVoucherParams, VouchersCountQuery } from "../campaign.schemas.js";
import { campaignImportRoutes } from "./campaign-import.routes.js";
import { addVoucher, addVouchers } from "./campaign-vouchers.service.js";

/** `/v1/campaigns/:campaignId/vouchers` (vouchers-and-campaigns.md §6). */
export function campaignVoucherRoutes(app: App, context: Context): void {
  const tags = ["campaigns"];
  const params = CampaignParams;
  campaignImportRoutes(app, context);

  app.post(
    "/v1/campaigns/:campaignId/vouchers",
    {
      schema: {
        operationId: "add-vouchers-to-campaign",
        tags,
        params,
        querystring: VouchersCountQuery,
        body: VoucherAddition,
        response: withProblems({ 200: VoucherBody, 202: ActionStarted }),
      },
    },
    async (request, reply) => {
      const call = callOf(request);
      const { campaignId } = request.params;
      const { vouchers_count = 1 } = request.query;
      if (vouchers_count === 1) return addVoucher(context, call, campaignId, request.body.code ?? null, request.body);
      void reply.code(202);
      return addVouchers(context, call, campaignId, request.body, vouchers_count);
    },
  );

  app.post(
    "/v1/campaigns/:campaignId/vouchers/:code",
    {
      schema: {
        operationId: "add-voucher-with-specific-code-to-campaign",
        tags,
        params: CampaignVoucherParams,
        body: VoucherAddition,
        response: withProblems({ 200: VoucherBody }),
      },
    },
    (request) => addVoucher(context, callOf(request), request.params.campaignId, request.params.code, request.body),
  );
}
