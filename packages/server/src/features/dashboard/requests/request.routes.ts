import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { withProblems } from "../../../platform/http/schema.js";
import { callOf, contextOf } from "../../projects/index.js";
import { LoggedRequestBody, RequestLog, RequestParams, RequestQuery, RequestSlice } from "./request.schemas.js";
import { readRequest, readRequests, switchRequestLog } from "./request.service.js";

/** `/dashboard/v1/requests`: what callers of the API sent, and were answered. */
export function requestRoutes(app: App, context: Context): void {
  const tags = ["dashboard"];

  app.get(
    "/dashboard/v1/requests",
    {
      schema: {
        operationId: "list-requests",
        tags,
        querystring: RequestQuery,
        response: withProblems({ 200: RequestSlice }),
      },
    },
    (request) => readRequests(contextOf(context, request), callOf(request), request.query),
  );

  app.get(
    "/dashboard/v1/requests/:requestId",
    {
      schema: {
        operationId: "get-request",
        tags,
        params: RequestParams,
        response: withProblems({ 200: LoggedRequestBody }),
      },
    },
    (request) => readRequest(contextOf(context, request), callOf(request), request.params.requestId),
  );

  app.put(
    "/dashboard/v1/request-log",
    {
      schema: {
        operationId: "switch-request-log",
        tags,
        body: RequestLog,
        response: withProblems({ 200: RequestLog }),
      },
    },
    (request) => switchRequestLog(context, callOf(request), request.body),
  );
}
