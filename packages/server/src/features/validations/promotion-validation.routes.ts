import { CartBody, type Deciding, SituationBody } from "../../deciding/index.js";
import type { App } from "../../platform/http/app.js";
import { withProblems } from "../../platform/http/schema.js";
import { callOf, contextOf } from "../projects/index.js";
import { TierParams } from "../promotions/index.js";
import { PromotionsQuery, PromotionsValidationBody, TierValidationBody } from "./promotion-validation.schemas.js";
import { promotions_max, validatePromotions } from "./promotion-validation.service.js";
import { validateTier } from "./tier-validation.service.js";

/** The older calls that validate promotions (redemption.md §15). */
export function promotionValidationRoutes(app: App, deciding: Deciding): void {
  const tags = ["validations"];

  app.post(
    "/v1/promotions/validation",
    {
      config: { changes_nothing: true, rows: () => promotions_max },
      schema: {
        operationId: "validate-promotions",
        tags,
        querystring: PromotionsQuery,
        body: CartBody,
        response: withProblems({ 200: PromotionsValidationBody }),
      },
    },
    (request) =>
      validatePromotions(
        { ...deciding, context: contextOf(deciding.context, request) },
        callOf(request),
        request.body,
        request.query,
      ),
  );

  app.post(
    "/v1/promotions/tiers/:promotionTierId/validation",
    {
      schema: {
        operationId: "validate-promotion-tier",
        tags,
        params: TierParams,
        body: SituationBody,
        response: withProblems({ 200: TierValidationBody }),
      },
    },
    (request) => validateTier(deciding, callOf(request), request.params.promotionTierId, request.body),
  );
}
