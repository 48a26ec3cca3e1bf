import {
  type Deciding,
  DecidingBody,
  rowsOfRedeemables,
  SingleBody,
  togetherBeforeMetadata,
} from "../../deciding/index.js";
import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { NoContent, withProblems } from "../../platform/http/schema.js";
import { callOf, contextOf } from "../projects/index.js";
import { promotionValidationRoutes } from "./promotion-validation.routes.js";
import {
  CodeParams,
  SessionParams,
  SessionQuery,
  ValidationBody,
  VoucherSessionList,
  VoucherValidationBody,
} from "./validation.schemas.js";
import { readSessions, releaseSession, validateRedeemables } from "./validation.service.js";
import { validateVoucher } from "./voucher-validation.service.js";

/** `/v1/validations` and its older forms (redemption.md §1). */
export function validationRoutes(app: App, _context: Context, deciding: Deciding): void {
  promotionValidationRoutes(app, deciding);
  const tags = ["validations"];

  app.post(
    "/v1/validations",
    {
      config: { confirms_keys: true, rows: rowsOfRedeemables, before_metadata: togetherBeforeMetadata(deciding) },
      schema: {
        operationId: "validate-stacked-discounts",
        tags,
        body: DecidingBody,
        response: withProblems({ 200: ValidationBody }),
      },
    },
    (request) => validateRedeemables(deciding, callOf(request), request.body),
  );

  app.post(
    "/v1/vouchers/:code/validate",
    {
      config: { confirms_keys: true },
      schema: {
        operationId: "validate-voucher",
        tags,
        params: CodeParams,
        body: SingleBody,
        response: withProblems({ 200: VoucherValidationBody }),
      },
    },
    (request) => validateVoucher(deciding, callOf(request), request.params.code, request.body),
  );

  app.get(
    "/v1/vouchers/:code/sessions",
    {
      schema: {
        operationId: "list-validation-sessions",
        tags,
        description: "Live locks, those that run out first before the others.",
        params: CodeParams,
        querystring: SessionQuery,
        response: withProblems({ 200: VoucherSessionList }),
      },
    },
    (request) =>
      readSessions(
        { ...deciding, context: contextOf(deciding.context, request) },
        callOf(request),
        request.params.code,
        request.query,
      ),
  );

  app.delete(
    "/v1/vouchers/:code/sessions/:sessionKey",
    {
      schema: {
        operationId: "release-validation-session",
        tags,
        params: SessionParams,
        response: withProblems({ 204: NoContent }),
      },
    },
    async (request, reply) => {
      const { code, sessionKey } = request.params;
      await releaseSession(deciding, callOf(request), code, sessionKey);
      return reply.code(204).send(null);
    },
  );
}
