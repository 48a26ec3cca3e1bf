import { type Deciding, SingleBody, SituationBody } from "../../deciding/index.js";
import type { App } from "../../platform/http/app.js";
import { withProblems } from "../../platform/http/schema.js";
import { CardParams, MemberParams } from "../loyalties/members/index.js";
import { callOf } from "../projects/index.js";
import { TierParams } from "../promotions/index.js";
import { CodeParams, MemberRedemptionInput, RedemptionBody, TrackingQuery } from "./redemption.schemas.js";
import { redeemCard, redeemSingle, redeemVoucher } from "./redemption.service.js";

/** The older calls that redeem one voucher, one promotion tier or a member's card (redemption.md §15). */
export function singleRoutes(app: App, deciding: Deciding): void {
  cardRoutes(app, deciding);
  const tags = ["redemptions"];

  app.post(
    "/v1/vouchers/:code/redemption",
    {
      config: { confirms_keys: true, makes: ["redemption", "order_item"] },
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
      config: { confirms_keys: true, makes: ["redemption", "order_item"] },
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

/** A loyalty card, named by itself or under its program, is redeemed by whoever holds it. */
function cardRoutes(app: App, deciding: Deciding): void {
  const tags = ["loyalties"];
  const response = withProblems({ 200: RedemptionBody });

  app.post(
    "/v1/loyalties/members/:memberId/redemption",
    {
      config: { makes: ["redemption", "order_item"] },
      schema: { operationId: "redeem-reward", tags, params: CardParams, body: MemberRedemptionInput, response },
    },
    ({ params, body, call }) => redeemCard(deciding, callOf({ call }), params.memberId, null, body),
  );

  app.post(
    "/v1/loyalties/:campaignId/members/:memberId/redemption",
    {
      config: { makes: ["redemption", "order_item"] },
      schema: { operationId: "redeem-reward-1", tags, params: MemberParams, body: MemberRedemptionInput, response },
    },
    ({ params, body, call }) => redeemCard(deciding, callOf({ call }), params.memberId, params.campaignId, body),
  );
}
