import { type LedgerEntry, ledger_fields } from "../../books/index.js";
import type { Database } from "../../platform/db/database.js";
import { type Sql, sql } from "../../platform/db/sql.js";
import { type Listed, orderOf, type Page, readList } from "../../platform/listing/index.js";

/** The books of one card: ids grow with time. */
export const listTransactions = (
  db: Database,
  project_id: string,
  voucher_id: string,
  filters: Sql | null,
  order: "id" | "-id",
  page: Page,
): Promise<Listed<LedgerEntry>> =>
  readList<LedgerEntry>(
    db,
    project_id,
    { table: sql`ledger_entries`, fields: ledger_fields },
    {
      conditions: [sql`ledger_entries.voucher_id = ${voucher_id}`, ...(filters ? [filters] : [])],
      order: orderOf(order, { id: { keys: [sql`ledger_entries.id`] } }),
      page,
    },
  );
