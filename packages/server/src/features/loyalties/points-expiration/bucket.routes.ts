import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { withProblems } from "../../../platform/http/schema.js";
import { callOf, contextOf } from "../../projects/index.js";
import { MemberParams } from "../members/index.js";
import { BucketList, BucketQuery } from "./bucket.schemas.js";
import { readBuckets } from "./bucket.service.js";

/** When points of a card expire (loyalty.md §6.3). */
export function bucketRoutes(app: App, context: Context): void {
  app.get(
    "/v1/loyalties/:campaignId/members/:memberId/points-expiration",
    {
      schema: {
        operationId: "list-points-expiration",
        tags: ["loyalties"],
        params: MemberParams,
        querystring: BucketQuery,
        response: withProblems({ 200: BucketList }),
      },
    },
    (request) => {
      const { memberId, campaignId } = request.params;
      return readBuckets(contextOf(context, request), callOf(request), memberId, campaignId, request.query);
    },
  );
}
