import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { NoContent, withProblems } from "../../platform/http/schema.js";
import { callOf, contextOf } from "../projects/index.js";
import { readCustomerSegments } from "./customer-segments.js";
import {
  CustomerParams,
  CustomerSegmentList,
  CustomerSegmentQuery,
  SegmentBody,
  SegmentCreate,
  SegmentList,
  SegmentParams,
  SegmentQuery,
} from "./segment.schemas.js";
import { createSegment, readSegment, readSegments, removeSegment, type SegmentUse } from "./segment.service.js";

/** `/v1/segments`, and the segments of a customer (rules.md §14). */
export function segmentRoutes(app: App, context: Context, { uses }: { uses: readonly SegmentUse[] }): void {
  const tags = ["segments"];
  const params = SegmentParams;
  const response = withProblems({ 200: SegmentBody });

  app.post(
    "/v1/segments",
    { schema: { operationId: "create-segment", tags, body: SegmentCreate, response } },
    (request) => createSegment(context, callOf(request), request.body),
  );

  app.get(
    "/v1/segments",
    {
      schema: {
        operationId: "list-segment",
        tags,
        querystring: SegmentQuery,
        response: withProblems({ 200: SegmentList }),
      },
    },
    (request) => readSegments(contextOf(context, request), callOf(request), request.query),
  );

  app.get("/v1/segments/:segmentId", { schema: { operationId: "get-segment", tags, params, response } }, (request) =>
    readSegment(contextOf(context, request), callOf(request), request.params.segmentId),
  );

  app.delete(
    "/v1/segments/:segmentId",
    { schema: { operationId: "delete-segment", tags, params, response: withProblems({ 204: NoContent }) } },
    async (request, reply) => {
      await removeSegment(context, callOf(request), request.params.segmentId, uses);
      return reply.code(204).send(null);
    },
  );

  app.get(
    "/v1/customers/:customerId/segments",
    {
      schema: {
        operationId: "list-customer-segments",
        tags: ["customers"],
        params: CustomerParams,
        querystring: CustomerSegmentQuery,
        response: withProblems({ 200: CustomerSegmentList }),
      },
    },
    (request) =>
      readCustomerSegments(contextOf(context, request), callOf(request), request.params.customerId, request.query),
  );
}
