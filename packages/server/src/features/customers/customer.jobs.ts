import { newId } from "../../platform/ids.js";
import { mapInSlices } from "../../platform/sharing/slices.js";
import { type Change, readUnderKeys } from "../../recording/index.js";
import { type AsyncJob, type BulkOutcome, bulkJob, metadataError, purgeJob } from "../async-actions/index.js";
import { readMetadataSchemas } from "../projects/index.js";
import { changedUntold } from "./customer.events.js";
import { customerImportJobs } from "./customer.import.js";
import { type Customer, type CustomerInput, changed, newCustomer } from "./customer.js";
import { customer_rows, metadata_keys } from "./customer.store.js";
import { customerKeys, findNamedCustomers } from "./named-customer.js";

/** A customer as a bulk request changes it. */
export interface CustomerEntry extends Omit<CustomerInput, "id" | "source_id"> {
  source_id: string;
}

/** Chunks that a slice takes: each customer is a key (architecture.md §3). */
const rows = { start: 1, max: 2 };

/** `CUSTOMERS.METADATA_UPDATE`: the same metadata into each customer (vouchers-and-campaigns.md §8). */
const metadataUpdate = bulkJob<string>({
  type: "CUSTOMERS.METADATA_UPDATE",
  rows,
  apply(change, { parameters: { metadata } }, source_ids) {
    return upsertAll(
      change,
      source_ids.map((source_id) => ({ source_id, metadata })),
    );
  },
});

/** `CUSTOMERS.BULK_UPDATE`: each customer its own change. */
const bulkUpdate = bulkJob<CustomerEntry>({
  type: "CUSTOMERS.BULK_UPDATE",
  rows,
  apply: (change, _action, entries) => upsertAll(change, entries),
});

type CustomerOutcome = BulkOutcome & { source_id: string };

/** Changes the customers, makes those that are missing, in the order of the request. Nobody outside is told (rules.md §18). */
async function upsertAll(
  { tx, add, tell, cause }: Change,
  entries: readonly CustomerEntry[],
): Promise<CustomerOutcome[]> {
  const { project_id, instant } = cause;
  const names = [...new Set(entries.map(({ source_id }) => source_id))].map((source_id) => ({ source_id }));
  const found = await readUnderKeys(
    tx,
    () => findNamedCustomers(tx, project_id, names),
    (customers) => names.flatMap((name, i) => customerKeys(project_id, name, customers[i])),
  );
  const schemas = await readMetadataSchemas(tx, project_id);
  const customers = new Map<string, Customer>();
  for (const customer of found) if (customer?.source_id) customers.set(customer.source_id, customer);
  const changed_ids = new Set<string>();
  const outcomes = await mapInSlices(entries, ({ source_id, ...input }) => {
    const known = customers.get(source_id);
    const saved = known
      ? { ...changed(known, input), updated_at: instant }
      : newCustomer(newId("cust"), { ...input, source_id }, instant);
    const outcome = { source_id, found: known !== undefined };
    const written = { sent: input.metadata, merged: saved.metadata, is_made: !known };
    const error = metadataError(schemas, "customer", written);
    if (error) return { ...outcome, updated: false, error };
    customers.set(source_id, saved);
    add(customer_rows, saved);
    changed_ids.add(saved.id);
    return { ...outcome, updated: true };
  });
  tell(...[...changed_ids].map(changedUntold));
  return outcomes;
}

/** `CUSTOMERS.METADATA_KEY_PURGE`; nobody outside is told. */
const purge = purgeJob("customer", [
  {
    metadata: metadata_keys,
    keysOf: (project_id, id) => [{ project_id, kind: "customer", id }],
    changed: ({ tell }, ids) => tell(...ids.map(changedUntold)),
  },
]);

/** The jobs of customers (vouchers-and-campaigns.md §7.1). */
export const customerJobs: readonly AsyncJob[] = [metadataUpdate, bulkUpdate, ...customerImportJobs, purge];
