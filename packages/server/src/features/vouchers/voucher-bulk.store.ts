import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { column, jsonColumn, sql } from "../../platform/db/sql.js";
import { metadataKeysOf } from "../async-actions/index.js";
import type { VoucherRow } from "./voucher.js";
import { vouchers } from "./voucher.store.js";

/** For a purge of a key. */
export const metadata_keys = metadataKeysOf(vouchers);

/** The live vouchers of these codes, as far as their metadata is concerned. */
export const findVoucherMetadata = (db: Queries, project_id: string, code_keys: readonly string[]) =>
  db.many<Pick<VoucherRow, "id" | "code_key" | "metadata">>(sql`
    select vouchers.id, vouchers.code_key, vouchers.metadata from vouchers
     where vouchers.project_id = ${project_id}
       and vouchers.code_key = any(${code_keys}::text[])
       and vouchers.deleted_at is null`);

/** Writes metadata that was merged under the vouchers' keys. One that was deleted with its campaign meanwhile is passed over. */
export async function writeMetadata(
  tx: Tx,
  project_id: string,
  vouchers: readonly Pick<VoucherRow, "id" | "metadata">[],
  instant: Instant,
): Promise<void> {
  if (vouchers.length === 0) return;
  await tx.run(sql`
    update vouchers set metadata = merged.metadata, updated_at = ${isoOf(instant)}
      from unnest(${column(vouchers, "id")}::text[], ${jsonColumn(vouchers, "metadata", "jsonb")}::jsonb[]) as merged (id, metadata)
     where vouchers.project_id = ${project_id} and vouchers.id = merged.id and vouchers.deleted_at is null`);
}
