import { type Deciding, DecidingBody, SingleBody } from "../../deciding/index.js";
import type { App } from "../../platform/http/app.js";
import { withProblems } from "../../platform/http/schema.js";
import { callOf } from "../projects/index.js";
import {
  CodeParams,
  RedemptionBody,
  RedemptionList,
  RedemptionParams,
  RedemptionQuery,
  RedemptionsBody,
  RollbackInput,
  RollbackQuery,
  RollbacksBody,
  TrackingQuery,
  VoucherRedemptionBody,
} from "./redemption.schemas.js";
import { readRedemption, readRedemptions, readVoucherRedemption, redeem, redeemVoucher } from "./redemption.service.js";
import { rollBack, rollBackAll } from "./rollback.service.js";

/** `/v1/redemptions` and its older forms for one voucher (redemption.md §1). */
export function redemptionRoutes(app: App, deciding: Deciding): void {
  const tags = ["redemptions"];
  const params = RedemptionParams;

  app.post(
    "/v1/redemptions",
    {
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
      schema: {
        operationId: "list-redemptions",
        tags,
        querystring: RedemptionQuery,
        response: withProblems({ 200: RedemptionList }),
      },
    },
    (request) => readRedemptions(deciding, callOf(request), request.query),
  );

  app.get(
    "/v1/redemptions/:redemptionId",
    { schema: { operationId: "get-redemption", tags, params, response: withProblems({ 200: RedemptionBody }) } },
    (request) => readRedemption(deciding, callOf(request), request.params.redemptionId),
  );

  const rollback = { params, querystring: RollbackQuery, body: RollbackInput };
  app.post(
    "/v1/redemptions/:redemptionId/rollback",
    {
      schema: {
        operationId: "rollback-redemption",
        tags,
        ...rollback,
        response: withProblems({ 200: RedemptionBody }),
      },
    },
    // What the query says wins over the body (redemption.md §11).
    ({ params, query, body, call }) => rollBack(deciding, callOf({ call }), params.redemptionId, { ...body, ...query }),
  );

  app.post(
    "/v1/redemptions/:redemptionId/rollbacks",
    {
      schema: {
        operationId: "rollback-stacked-redemptions",
        tags,
        ...rollback,
        response: withProblems({ 200: RollbacksBody }),
      },
    },
    ({ params, query, body, call }) =>
      rollBackAll(deciding, callOf({ call }), params.redemptionId, { ...body, ...query }, "stack"),
  );

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

  app.get(
    "/v1/vouchers/:code/redemption",
    {
      schema: {
        operationId: "get-voucher-redemptions",
        tags,
        params: CodeParams,
        response: withProblems({ 200: VoucherRedemptionBody }),
      },
    },
    (request) => readVoucherRedemption(deciding, callOf(request), request.params.code),
  );
}
