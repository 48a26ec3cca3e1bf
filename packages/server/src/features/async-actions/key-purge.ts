import type { LockKey } from "../../platform/db/locks.js";
import { type Change, holding } from "../../recording/index.js";
import { isRemovedKey } from "../projects/index.js";
import { type AsyncJob, CannotGoOn, type Slice } from "./async-action.js";
import type { MetadataKeys } from "./key-purge.store.js";

/** Objects whose metadata a removed key can be purged from (platform.md §9.2); SKUs follow the schema of products. */
export const purged_objects = ["campaign", "customer", "product", "voucher", "order"] as const;
export type PurgedObject = (typeof purged_objects)[number];

export const purge_types = {
  campaign: "CAMPAIGNS.METADATA_KEY_PURGE",
  customer: "CUSTOMERS.METADATA_KEY_PURGE",
  product: "PRODUCTS.METADATA_KEY_PURGE",
  voucher: "VOUCHERS.METADATA_KEY_PURGE",
  order: "ORDERS.METADATA_KEY_PURGE",
} as const satisfies Record<PurgedObject, AsyncJob["type"]>;

/** A table that a purge goes through. */
export interface PurgedTable {
  metadata: MetadataKeys;
  /** What whoever reads a row to write it back holds; none where edits of metadata are merged by the statement. */
  keysOf?(project_id: string, id: string): readonly LockKey[];
  /** Told of those that had the key. */
  changed?(change: Change, ids: readonly string[]): void;
}

interface PurgeParameters {
  key: string;
}

/** Which table, and the last row that was looked at. */
interface PurgeState {
  table: number;
  after: string;
}

/** Rows that one slice changes: each may hold two keys, of 512 that a transaction may have. */
const changed_max = 200;

/** `….METADATA_KEY_PURGE`: takes a key out of the metadata of all objects of a kind, some at a time (ADR 71). */
export function purgeJob(object: PurgedObject, tables: readonly PurgedTable[]): AsyncJob<PurgeParameters, PurgeState> {
  return {
    type: purge_types[object],
    rows: { start: 500, max: 5_000 },
    async slice(change, { project_id, parameters: { key }, state, rows_max, done_count }): Promise<Slice> {
      const { tx } = change;
      if (!(await isRemovedKey(tx, project_id, object, key))) throw new CannotGoOn(`${key} is defined again`);
      const place = state ?? { table: 0, after: "" };
      const table = tables[place.table];
      if (!table) {
        const done = done_count === 1 ? "1 object" : `${done_count} objects`;
        return { done: true, result: { message: `Purged ${key} from ${done}.`, done_count } };
      }
      const rows = await table.metadata.next(tx, project_id, key, place.after, rows_max);
      const { seen, ids } = upTo(rows, changed_max);
      const purged = await takeOut(change, table, key, ids);
      const is_through = seen === rows.length && rows.length < rows_max;
      return {
        done: false,
        done_count: purged.length,
        // How many are left is not worth counting.
        progress: Math.round((100 * (place.table + 0.5)) / (tables.length + 1)),
        state: is_through ? { table: place.table + 1, after: "" } : { ...place, after: rows[seen - 1]?.id ?? "" },
      };
    },
  };
}

/** How many of the rows are looked at so that no more have the key, and which of them do. */
function upTo(rows: readonly { id: string; has_key: boolean }[], changed_max: number) {
  const having = rows.flatMap(({ has_key }, i) => (has_key ? [i] : [])).slice(0, changed_max + 1);
  const seen = having.length > changed_max ? (having.at(-1) ?? 0) : rows.length;
  return { seen, ids: rows.slice(0, seen).flatMap(({ id, has_key }) => (has_key ? [id] : [])) };
}

async function takeOut(
  change: Change,
  { metadata, keysOf, changed }: PurgedTable,
  key: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const { tx, cause } = change;
  const { project_id, instant } = cause;
  const keys = ids.flatMap((id) => keysOf?.(project_id, id) ?? []);
  const purged = await holding(tx, keys, () => metadata.without(tx, project_id, key, ids, instant));
  changed?.(change, purged);
  return purged;
}
