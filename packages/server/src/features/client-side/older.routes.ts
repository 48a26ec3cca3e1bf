import { type Deciding, SingleBody } from "../../deciding/index.js";
import type { App } from "../../platform/http/app.js";
import { withProblems } from "../../platform/http/schema.js";
import { callOf } from "../projects/index.js";
import { RedemptionBody } from "../redemptions/index.js";
import { VoucherValidationBody } from "../validations/index.js";
import { RedeemQuery } from "./client-side.schemas.js";
import { redeemCode, validateCode } from "./client-side.service.js";
import { ValidateQuery } from "./validate-query.js";

/** The older calls of pages, which name one code in their query (redemption.md §15, §16). */
export function olderRoutes(app: App, deciding: Deciding): void {
  const tags = ["client-side"];

  app.get(
    "/client/v1/validate",
    {
      schema: {
        operationId: "validate-voucher-client-side",
        tags,
        querystring: ValidateQuery,
        response: withProblems({ 200: VoucherValidationBody }),
      },
    },
    (request) => validateCode(deciding, callOf(request), request.query),
  );

  app.post(
    "/client/v1/redeem",
    {
      config: { client_switch: "client_redeem_enabled" },
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
