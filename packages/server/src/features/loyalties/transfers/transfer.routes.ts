import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { withProblems } from "../../../platform/http/schema.js";
import { callOf } from "../../projects/index.js";
import { VoucherBody } from "../../vouchers/index.js";
import { MemberParams } from "../members/index.js";
import { TransferInput } from "./transfer.schemas.js";
import { transferPoints } from "./transfer.service.js";

/** Points that go from cards to a card (loyalty.md §3.2). */
export function transferRoutes(app: App, context: Context): void {
  app.post(
    "/v1/loyalties/:campaignId/members/:memberId/transfers",
    {
      schema: {
        operationId: "transfer-points",
        tags: ["loyalties"],
        params: MemberParams,
        body: TransferInput,
        response: withProblems({ 200: VoucherBody }),
      },
    },
    (request) => {
      const { memberId, campaignId } = request.params;
      return transferPoints(context, callOf(request), memberId, campaignId, request.body);
    },
  );
}
