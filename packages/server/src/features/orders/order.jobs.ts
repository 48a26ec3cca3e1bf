import { type AsyncJob, purgeJob } from "../async-actions/index.js";
import { orderImportJobs } from "./imports/order.import.js";
import { metadata_keys } from "./order.store.js";

/** `ORDERS.METADATA_KEY_PURGE`: of orders as they are. What redemptions left of them is history, and stays. */
const purge = purgeJob("order", [
  { metadata: metadata_keys, keysOf: (project_id, id) => [{ project_id, kind: "order", id }] },
]);

/** The jobs of orders (vouchers-and-campaigns.md §7.1). */
export const orderJobs: readonly AsyncJob[] = [...orderImportJobs, purge];
