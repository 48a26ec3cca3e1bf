import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { column, sql } from "../../platform/db/sql.js";
import { bool, insertInto, int8, table, text, timestamptz } from "../../platform/db/table.js";
import type { KeySide } from "./keyed.js";

export interface KeptRow {
  side: KeySide;
  key: string;
  request_hash: string;
  status: number;
  body: string | null;
  body_bytes: number;
  is_sealed: boolean;
  created_at: Instant;
}

const kept_answers = table<KeptRow>("kept_answers", {
  side: text,
  key: text,
  request_hash: text,
  status: int8,
  body: text,
  body_bytes: int8,
  is_sealed: bool,
  created_at: timestamptz,
});

/** The answers that have been kept since then under the keys. */
export const findKept = (
  db: Queries,
  project_id: string,
  keys: readonly Pick<KeptRow, "side" | "key">[],
  since: Instant,
) =>
  db.many<KeptRow>(sql`
    select ${kept_answers.fields}
      from unnest(${column(keys, "side")}::text[], ${column(keys, "key")}::text[]) as asked (side, key)
      join kept_answers
        on kept_answers.project_id = ${project_id} and kept_answers.side = asked.side and kept_answers.key = asked.key
       and kept_answers.created_at > ${isoOf(since)}`);

export const insertKept = (tx: Tx, project_id: string, rows: readonly KeptRow[]) =>
  tx.run(insertInto(kept_answers, project_id, rows));

/**
 * Forgets answers that speak of a customer. Whoever sends such a request again is told that it was done, and not what came of
 * it, as with an answer too large to keep.
 */
export const forgetAnswersAbout = (tx: Tx, project_id: string, { id }: { id: string }) =>
  tx.run(sql`
    update kept_answers set body = null
     where kept_answers.project_id = ${project_id} and not kept_answers.is_sealed
       and position(${id}::text in kept_answers.body) > 0`);
