import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { withProblems } from "../../../platform/http/schema.js";
import { callOf, contextOf } from "../../projects/index.js";
import { SearchBody, SearchQuery } from "./search.schemas.js";
import { search } from "./search.service.js";

/** `/dashboard/v1/search`: what somebody pastes who looks for one thing. */
export function searchRoutes(app: App, context: Context): void {
  app.get(
    "/dashboard/v1/search",
    {
      schema: {
        operationId: "search",
        tags: ["dashboard"],
        querystring: SearchQuery,
        response: withProblems({ 200: SearchBody }),
      },
    },
    (request) => search(contextOf(context, request), callOf(request), request.query.q),
  );
}
