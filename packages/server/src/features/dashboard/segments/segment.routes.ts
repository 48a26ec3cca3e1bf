import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { withProblems } from "../../../platform/http/schema.js";
import { readBounded } from "../../../platform/listing/index.js";
import { findNamedCustomers, toSimpleCustomer } from "../../customers/index.js";
import { type Call, callOf, contextOf } from "../../projects/index.js";
import { changeSegment, countHeld, SegmentBody, SegmentParams, SegmentUpdate } from "../../segments/index.js";
import { CustomersKnown, CustomersNamed, SegmentCount, SegmentFilter } from "./segment.schemas.js";

/** `/dashboard/v1/segments`: whom a filter would hold, and another name or filter, for which the API has no operation. */
export function segmentRoutes(app: App, context: Context): void {
  const tags = ["dashboard"];
  app.post(
    "/dashboard/v1/segments/count",
    {
      config: { changes_nothing: true },
      schema: {
        operationId: "count-segment",
        tags,
        body: SegmentFilter,
        response: withProblems({ 200: SegmentCount }),
      },
    },
    async (request) => {
      const counted = await countHeld(contextOf(context, request), callOf(request), request.body.filter);
      return { ...counted, customers: counted.customers.map(toSimpleCustomer) };
    },
  );

  app.post(
    "/dashboard/v1/segments/customers",
    {
      config: { changes_nothing: true },
      schema: {
        operationId: "find-segment-customers",
        tags,
        body: CustomersNamed,
        response: withProblems({ 200: CustomersKnown }),
      },
    },
    (request) => customersNamed(contextOf(context, request), callOf(request), request.body.names),
  );

  const updated = { params: SegmentParams, body: SegmentUpdate, response: withProblems({ 200: SegmentBody }) };
  app.put(
    "/dashboard/v1/segments/:segmentId",
    { schema: { operationId: "update-segment", tags, ...updated } },
    (request) => changeSegment(context, callOf(request), request.params.segmentId, request.body),
  );
}

/** Those whom an id or, where there is none of it, a source id names; each once. */
async function customersNamed({ db }: Context, { project_id }: Call, names: readonly string[]) {
  const inputs = [...names.map((id) => ({ id })), ...names.map((source_id) => ({ source_id }))];
  const found = await readBounded(db, (queries) => findNamedCustomers(queries, project_id, inputs));
  const known = names.flatMap((_, i) => found[i] ?? found[names.length + i] ?? []);
  const customers = [...new Map(known.map((customer) => [customer.id, toSimpleCustomer(customer)])).values()];
  return { customers, unknown: names.filter((_, i) => !found[i] && !found[names.length + i]) };
}
