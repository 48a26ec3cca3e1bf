import { type Deciding, SingleBody, SituationBody } from "../../deciding/index.js";
import type { App } from "../../platform/http/app.js";
import { withProblems } from "../../platform/http/schema.js";
import { callOf } from "../projects/index.js";
import { TierParams } from "../promotions/index.js";
import { CodeParams, RedemptionBody, TrackingQuery } from "./redemption.schemas.js";
import { redeemSingle, redeemVoucher } from "./redemption.service.js";

/** The older calls that redeem one voucher or one promotion tier (redemption.md §15). */
export function singleRoutes(app: App, deciding: Deciding): void {
  const tags = ["redemptions"];

  app.post(
    "/v1/vouchers/:code/redemption",
    {
      schema: {
        operationId: "redeem-voucher",
        tags,
        params: CodeParams,
        querystring: TrackingQuery,
        body: SingleBody,
        response: withProblems({ 200: RedemptionBody }),
      },
    },
    ({ params, query, body, call }) => redeemVoucher(deciding, callOf({ call }), params.code, { ...body, ...query }),
  );

  app.post(
    "/v1/promotions/tiers/:promotionTierId/redemption",
    {
      schema: {
        operationId: "redeem-promotion",
        tags,
        params: TierParams,
        querystring: TrackingQuery,
        body: SituationBody,
        response: withProblems({ 200: RedemptionBody }),
      },
    },
    ({ params, query, body, call }) => {
      const tier = { object: "promotion_tier" as const, id: params.promotionTierId };
      return redeemSingle(deciding, callOf({ call }), tier, { ...body, ...query });
    },
  );
}
