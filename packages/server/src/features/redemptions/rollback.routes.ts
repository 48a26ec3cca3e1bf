import type { Deciding } from "../../deciding/index.js";
import type { App } from "../../platform/http/app.js";
import { withProblems } from "../../platform/http/schema.js";
import { callOf } from "../projects/index.js";
import { RedemptionBody, RedemptionParams, RollbackInput, RollbackQuery, RollbacksBody } from "./redemption.schemas.js";
import { rollBack, rollBackAll } from "./rollback.service.js";

/** The two calls that undo redemptions (redemption.md §11). */
export function rollbackRoutes(app: App, deciding: Deciding): void {
  const tags = ["redemptions"];
  const rollback = { params: RedemptionParams, querystring: RollbackQuery, body: RollbackInput };
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
      rollBackAll(deciding, callOf({ call }), params.redemptionId, { ...body, ...query }),
  );
}
