import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { withProblems } from "../../platform/http/schema.js";
import { CustomerParams } from "../customers/index.js";
import { callOf, contextOf } from "../projects/index.js";
import { ActivityList, ActivityQuery, OlderActivityList, OlderActivityQuery } from "./activity.schemas.js";
import { readActivity, readOlderActivities } from "./activity.service.js";

/** What customers did and what happened to them, from the events that are kept (events-and-webhooks.md §7). */
export function activityRoutes(app: App, context: Context): void {
  const tags = ["customers"];
  const params = CustomerParams;

  app.get(
    "/v1/customers/:customerId/activity",
    {
      schema: {
        operationId: "list-customer-activity",
        tags,
        params,
        querystring: ActivityQuery,
        response: withProblems({ 200: ActivityList }),
      },
    },
    (request) => readActivity(contextOf(context, request), callOf(request), request.params.customerId, request.query),
  );

  app.get(
    "/v1/customers/:customerId/activities",
    {
      schema: {
        operationId: "list-customer-activities",
        tags,
        params,
        querystring: OlderActivityQuery,
        response: withProblems({ 200: OlderActivityList }),
      },
    },
    (request) =>
      readOlderActivities(contextOf(context, request), callOf(request), request.params.customerId, request.query),
  );
}
