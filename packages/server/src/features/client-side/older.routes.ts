import type { FastifyRequest } from "fastify";
import Type, { type Static } from "typebox";
import { type Deciding, SingleBody } from "../../deciding/index.js";
import type { App } from "../../platform/http/app.js";
import { withProblems } from "../../platform/http/schema.js";
import { callOf, contextOf } from "../projects/index.js";
import { RedemptionBody } from "../redemptions/index.js";
import { PromotionsValidationBody, promotions_max, VoucherValidationBody } from "../validations/index.js";
import { RedeemQuery } from "./client-side.schemas.js";
import { redeemCode, validateCart, validateCode } from "./client-side.service.js";
import { ValidateQuery } from "./validate-query.js";

/** The older calls of pages, which name one code in their query (redemption.md §15, §16). */
export function olderRoutes(app: App, deciding: Deciding): void {
  const tags = ["client-side"];
  const reading = (request: FastifyRequest) => ({ ...deciding, context: contextOf(deciding.context, request) });

  app.get(
    "/client/v1/validate",
    {
      config: {
        rows: ({ query }) => ((query as Static<typeof ValidateQuery>).code === undefined ? promotions_max : 1),
      },
      schema: {
        operationId: "validate-voucher-client-side",
        tags,
        querystring: ValidateQuery,
        response: withProblems({ 200: Type.Union([VoucherValidationBody, PromotionsValidationBody]) }),
      },
    },
    (request) => {
      const { code } = request.query;
      return code === undefined
        ? validateCart(reading(request), callOf(request), request.query)
        : validateCode(deciding, callOf(request), code, request.query);
    },
  );

  app.get(
    "/client/v1/promotions/validation",
    {
      config: { rows: () => promotions_max },
      schema: {
        operationId: "validate-promotions-client-side",
        tags,
        description: "What the public client asks for instead of `/client/v1/validate` without a code.",
        querystring: ValidateQuery,
        response: withProblems({ 200: PromotionsValidationBody }),
      },
    },
    (request) => validateCart(reading(request), callOf(request), request.query),
  );

  app.post(
    "/client/v1/redeem",
    {
      config: { confirms_keys: true, client_switch: "client_redeem_enabled", makes: ["redemption", "order_item"] },
      schema: {
        operationId: "redeem-voucher-client-side",
        tags,
        querystring: RedeemQuery,
        body: SingleBody,
        response: withProblems({ 200: RedemptionBody }),
      },
    },
    (request) => redeemCode(deciding, callOf(request), request.query, request.body),
  );
}
