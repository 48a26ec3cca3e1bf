import { type Deciding, DecidingBody, rowsOfRedeemables, togetherBeforeMetadata } from "../../deciding/index.js";
import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { withProblems } from "../../platform/http/schema.js";
import { callOf, contextOf } from "../projects/index.js";
import {
  CodeParams,
  RedemptionBody,
  RedemptionList,
  RedemptionParams,
  RedemptionQuery,
  RedemptionsBody,
  VoucherRedemptionBody,
} from "./redemption.schemas.js";
import { entries_max, readRedemption, readRedemptions, readVoucherRedemption, redeem } from "./redemption.service.js";
import { rollbackRoutes } from "./rollback.routes.js";
import { singleRoutes } from "./single.routes.js";

/** `/v1/redemptions` and its older forms (redemption.md §1). */
export function redemptionRoutes(app: App, _context: Context, deciding: Deciding): void {
  rollbackRoutes(app, deciding);
  singleRoutes(app, deciding);
  const tags = ["redemptions"];
  const params = RedemptionParams;

  app.post(
    "/v1/redemptions",
    {
      config: {
        confirms_keys: true,
        rows: rowsOfRedeemables,
        before_metadata: togetherBeforeMetadata(deciding),
        makes: ["redemption", "order_item"],
      },
      schema: {
        operationId: "redeem-stacked-discounts",
        tags,
        body: DecidingBody,
        response: withProblems({ 200: RedemptionsBody }),
      },
    },
    (request) => redeem(deciding, callOf(request), request.body),
  );

  app.get(
    "/v1/redemptions",
    {
      config: { rows_are_orders: true },
      schema: {
        operationId: "list-redemptions",
        tags,
        querystring: RedemptionQuery,
        response: withProblems({ 200: RedemptionList }),
      },
    },
    (request) =>
      readRedemptions({ ...deciding, context: contextOf(deciding.context, request) }, callOf(request), request.query),
  );

  app.get(
    "/v1/redemptions/:redemptionId",
    { schema: { operationId: "get-redemption", tags, params, response: withProblems({ 200: RedemptionBody }) } },
    (request) =>
      readRedemption(
        { ...deciding, context: contextOf(deciding.context, request) },
        callOf(request),
        request.params.redemptionId,
      ),
  );

  app.get(
    "/v1/vouchers/:code/redemption",
    {
      config: { rows: () => entries_max, rows_are_orders: true },
      schema: {
        operationId: "get-voucher-redemptions",
        tags,
        params: CodeParams,
        response: withProblems({ 200: VoucherRedemptionBody }),
      },
    },
    (request) =>
      readVoucherRedemption(
        { ...deciding, context: contextOf(deciding.context, request) },
        callOf(request),
        request.params.code,
      ),
  );
}
