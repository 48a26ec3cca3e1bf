import type { Readable } from "node:stream";
import Type from "typebox";
import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { withProblems } from "../../platform/http/schema.js";
import { callOf, contextOf } from "../projects/index.js";
import { readReport } from "./async-action.report.js";
import {
  AsyncActionBody,
  AsyncActionList,
  AsyncActionParams,
  AsyncActionQuery,
  ReportQuery,
} from "./async-action.schemas.js";
import { readAsyncAction, readAsyncActions } from "./async-action.service.js";

/** `/v1/async-actions` (vouchers-and-campaigns.md §7). */
export function asyncActionRoutes(app: App, context: Context): void {
  const tags = ["async-actions"];

  app.get(
    "/v1/async-actions",
    {
      schema: {
        operationId: "list-async-actions",
        tags,
        querystring: AsyncActionQuery,
        response: withProblems({ 200: AsyncActionList }),
      },
    },
    (request) => readAsyncActions(contextOf(context, request), callOf(request), request.query),
  );

  app.get(
    "/v1/async-actions/:asyncActionId",
    {
      schema: {
        operationId: "get-async-action",
        tags,
        params: AsyncActionParams,
        response: withProblems({ 200: AsyncActionBody }),
      },
    },
    (request) => readAsyncAction(contextOf(context, request), callOf(request), request.params.asyncActionId),
  );

  app.get(
    "/v1/async-actions/:asyncActionId/report",
    {
      config: { credentials: "none", any_accept: true },
      schema: {
        operationId: "get-async-action-report",
        tags,
        params: AsyncActionParams,
        querystring: ReportQuery,
        response: withProblems({
          200: Type.Unsafe<Readable>({ type: "string", description: "CSV, a row a resource." }),
        }),
      },
    },
    async (request, reply) => {
      const report = await readReport(context, request.params.asyncActionId, request.query);
      void reply.header("content-disposition", 'attachment; filename="report.csv"');
      return reply.type("text/csv; charset=utf-8").send(report);
    },
  );
}
