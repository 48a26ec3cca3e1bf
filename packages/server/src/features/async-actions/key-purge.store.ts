import { type Instant, isoOf } from "../../platform/clock.js";
import type { Tx } from "../../platform/db/database.js";
import { type Sql, sql, verbatim } from "../../platform/db/sql.js";

/** What a table's store lets a purge do to its metadata. */
export interface MetadataKeys {
  /** The next rows in the order of ids, and which of them have the key. */
  next(tx: Tx, project_id: string, key: string, after_id: string, rows_max: number): Promise<Row[]>;
  /** Takes the key out of the rows; answers those that had it. */
  without(tx: Tx, project_id: string, key: string, ids: readonly string[], instant: Instant): Promise<string[]>;
}

interface Row {
  id: string;
  has_key: boolean;
}

/**
 * Of a table with `id`, `metadata` and `updated_at`, made in its own store.
 * @param which rows that are meant, where it is not all
 */
export function metadataKeysOf({ name }: { readonly name: string }, which: Sql = sql`true`): MetadataKeys {
  const table = verbatim(name);
  return {
    // Read by the primary key and no further: however few have the key, a statement looks at so many rows.
    next: (tx, project_id, key, after_id, rows_max) =>
      tx.many<Row>(sql`
        select ${table}.id, ${table}.metadata ? ${key} and ${which} as has_key from ${table}
         where ${table}.project_id = ${project_id} and ${table}.id > ${after_id}
         order by ${table}.id
         limit ${rows_max}`),
    without: async (tx, project_id, key, ids, instant) =>
      (
        await tx.many<{ id: string }>(sql`
          update ${table} set metadata = ${table}.metadata - ${key}::text, updated_at = ${isoOf(instant)}
           where ${table}.project_id = ${project_id} and ${table}.id = any(${ids}::text[])
             and ${table}.metadata ? ${key} and ${which}
          returning ${table}.id`)
      ).map(({ id }) => id),
  };
}
