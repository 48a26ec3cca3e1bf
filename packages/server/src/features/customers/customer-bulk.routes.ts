import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { withProblems } from "../../platform/http/schema.js";
import { AsyncActionStarted, startBulk } from "../async-actions/index.js";
import { callOf } from "../projects/index.js";
import type { CustomerEntry } from "./customer.jobs.js";
import { CustomersBulkUpdate, CustomersMetadataUpdate } from "./customer-bulk.schemas.js";

/** Customers that are changed together at most: each is a key (architecture.md §3). */
const together_max = 200;

/** The answer names an action, which does the work later (vouchers-and-campaigns.md §8). */
export function customerBulkRoutes(app: App, context: Context): void {
  const tags = ["customers"];
  const response = withProblems({ 202: AsyncActionStarted });

  app.post(
    "/v1/customers/bulk/async",
    { schema: { operationId: "update-customers-in-bulk", tags, body: CustomersBulkUpdate, response } },
    (request, reply) => {
      void reply.code(202);
      const entries = request.body.map(entryOf);
      return startBulk(context, callOf(request), { type: "CUSTOMERS.BULK_UPDATE", entries, together_max });
    },
  );

  app.post(
    "/v1/customers/metadata/async",
    { schema: { operationId: "update-customers-metadata-in-bulk", tags, body: CustomersMetadataUpdate, response } },
    (request, reply) => {
      void reply.code(202);
      const { source_ids: entries, metadata } = request.body;
      return startBulk(context, callOf(request), {
        type: "CUSTOMERS.METADATA_UPDATE",
        entries,
        metadata,
        together_max,
      });
    },
  );
}

/** What nobody knows is not kept until its turn either. */
function entryOf(sent: CustomerEntry): CustomerEntry {
  const { source_id, name, email, phone, description, birthdate, birthday, address, metadata } = sent;
  return { source_id, name, email, phone, description, birthdate, birthday, address, metadata };
}
