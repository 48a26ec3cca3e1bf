import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { withProblems } from "../../platform/http/schema.js";
import { CustomerParams } from "../customers/index.js";
import { CardParams, MemberParams } from "../loyalties/members/index.js";
import { callOf, contextOf } from "../projects/index.js";
import {
  ActivityList,
  ActivityQuery,
  MemberActivityQuery,
  OlderActivityList,
  OlderActivityQuery,
} from "./activity.schemas.js";
import { readActivity, readActivityOfMember, readOlderActivities } from "./activity.service.js";

/** What customers did and what happened to them, from the events that are kept (events-and-webhooks.md §7). */
export function activityRoutes(app: App, context: Context): void {
  const tags = ["customers"];
  const params = CustomerParams;
  const config = { rows_are_orders: true } as const;

  app.get(
    "/v1/customers/:customerId/activity",
    {
      config,
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
      config,
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

  const of_members = {
    tags: ["loyalties"],
    querystring: MemberActivityQuery,
    response: withProblems({ 200: ActivityList }),
  };
  app.get(
    "/v1/loyalties/members/:memberId/activity",
    { config, schema: { operationId: "list-member-activity", params: CardParams, ...of_members } },
    (request) => {
      const { memberId } = request.params;
      return readActivityOfMember(contextOf(context, request), callOf(request), memberId, null, request.query);
    },
  );

  app.get(
    "/v1/loyalties/:campaignId/members/:memberId/activity",
    { config, schema: { operationId: "list-member-activity-1", params: MemberParams, ...of_members } },
    (request) => {
      const { memberId, campaignId } = request.params;
      return readActivityOfMember(contextOf(context, request), callOf(request), memberId, campaignId, request.query);
    },
  );
}
