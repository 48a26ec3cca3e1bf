import { type Deciding, PageDecidingBody, rowsOfRedeemables, togetherBeforeMetadata } from "../../deciding/index.js";
import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { withProblems } from "../../platform/http/schema.js";
import { readTiers } from "../campaigns/index.js";
import { callOf, contextOf } from "../projects/index.js";
import { TierList, TierQuery } from "../promotions/index.js";
import { QualificationAnswer, QualificationBody, rowsOfQualification } from "../qualifications/index.js";
import { RedemptionsBody } from "../redemptions/index.js";
import { ValidationBody } from "../validations/index.js";
import { qualifyOnPage, redeemOnPage, validateOnPage } from "./client-side.service.js";
import { olderRoutes } from "./older.routes.js";
import { tellingRoutes } from "./telling.routes.js";

/**
 * `/client/v1`: what a shop's page may ask by itself, with a key that everybody can read (redemption.md §16, platform.md §5).
 * Whether it may ask at all is found out at the door: `features/projects/client-side.ts`.
 */
export function clientSideRoutes(app: App, context: Context, deciding: Deciding): void {
  const tags = ["client-side"];
  const tiers = withProblems({ 200: TierList });

  app.post(
    "/client/v1/validations",
    {
      config: { confirms_keys: true, rows: rowsOfRedeemables, before_metadata: togetherBeforeMetadata(deciding) },
      schema: {
        operationId: "validate-stacked-discounts-client-side",
        tags,
        body: PageDecidingBody,
        response: withProblems({ 200: ValidationBody }),
      },
    },
    (request) => validateOnPage(deciding, callOf(request), request.body),
  );

  app.post(
    "/client/v1/redemptions",
    {
      config: {
        confirms_keys: true,
        rows: rowsOfRedeemables,
        before_metadata: togetherBeforeMetadata(deciding),
        client_switch: "client_redeem_enabled",
        makes: ["redemption", "order_item"],
      },
      schema: {
        operationId: "redeem-stacked-discounts-client-side",
        tags,
        body: PageDecidingBody,
        response: withProblems({ 200: RedemptionsBody }),
      },
    },
    (request) => redeemOnPage(deciding, callOf(request), request.body),
  );

  app.post(
    "/client/v1/qualifications",
    {
      config: { changes_nothing: true, rows: rowsOfQualification },
      schema: {
        operationId: "check-eligibility-client-side",
        tags,
        body: QualificationBody,
        response: withProblems({ 200: QualificationAnswer }),
      },
    },
    (request) => qualifyOnPage({ ...deciding, context: contextOf(context, request) }, callOf(request), request.body),
  );

  app.get(
    "/client/v1/promotions/tiers",
    {
      schema: { operationId: "list-promotion-tiers-client-side", tags, querystring: TierQuery, response: tiers },
    },
    (request) => readTiers(contextOf(context, request), callOf(request), request.query),
  );

  olderRoutes(app, deciding);
  tellingRoutes(app, context);
}
