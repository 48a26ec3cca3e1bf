import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { withProblems } from "../../../platform/http/schema.js";
import { callOf, contextOf } from "../../projects/index.js";
import { TimelineQuery, TimelineSlice } from "./timeline.schemas.js";
import { readTimeline } from "./timeline.service.js";

/** `/dashboard/v1/timeline`: what happened to one thing. */
export function timelineRoutes(app: App, context: Context): void {
  app.get(
    "/dashboard/v1/timeline",
    {
      config: { rows_are_orders: true },
      schema: {
        operationId: "get-timeline",
        tags: ["dashboard"],
        querystring: TimelineQuery,
        response: withProblems({ 200: TimelineSlice }),
      },
    },
    (request) => readTimeline(contextOf(context, request), callOf(request), request.query),
  );
}
