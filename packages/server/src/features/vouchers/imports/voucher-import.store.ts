import { type Instant, isoOf } from "../../../platform/clock.js";
import type { Queries, Tx } from "../../../platform/db/database.js";
import { column, sql } from "../../../platform/db/sql.js";

/** A voucher that has a code already, in the bin perhaps. */
export interface KnownCode {
  id: string;
  code_key: string;
  campaign_id: string | null;
  is_deleted: boolean;
}

export const findKnownCodes = (db: Queries, project_id: string, code_keys: readonly string[]) =>
  db.many<KnownCode>(sql`
    select vouchers.id, vouchers.code_key, vouchers.campaign_id, vouchers.deleted_at is not null as is_deleted
      from vouchers
     where vouchers.project_id = ${project_id} and vouchers.code_key = any(${code_keys}::text[])`);

/** What a row changes of a voucher that is there; null leaves it as it is. */
interface ImportedChange {
  id: string;
  active: boolean | null;
  category_id: string | null;
}

/** Under the vouchers' keys. */
export async function changeImported(
  tx: Tx,
  project_id: string,
  changes: readonly ImportedChange[],
  instant: Instant,
): Promise<void> {
  if (changes.length === 0) return;
  await tx.run(sql`
    update vouchers
       set active = coalesce(sent.active, vouchers.active),
           category_id = coalesce(sent.category_id, vouchers.category_id), updated_at = ${isoOf(instant)}
      from unnest(${column(changes, "id")}::text[], ${column(changes, "active")}::boolean[],
                  ${column(changes, "category_id")}::text[]) as sent (id, active, category_id)
     where vouchers.project_id = ${project_id} and vouchers.id = sent.id and vouchers.deleted_at is null`);
}
