import { type LedgerEntry, ledger_fields } from "../../books/index.js";
import type { Database } from "../../platform/db/database.js";
import { type Sql, sql } from "../../platform/db/sql.js";
import { type Listed, orderOf, type Page, readList } from "../../platform/listing/index.js";

/** The books of one card, or of all cards of a campaign: ids grow with time. */
export const listTransactions = (
  db: Database,
  project_id: string,
  of: { voucher_id: string } | { campaign_id: string },
  filters: Sql | null,
  order: "id" | "-id",
  page: Page,
): Promise<Listed<LedgerEntry>> =>
  readList<LedgerEntry>(
    db,
    project_id,
    { table: sql`ledger_entries`, fields: ledger_fields },
    {
      conditions: [
        "voucher_id" in of
          ? sql`ledger_entries.voucher_id = ${of.voucher_id}`
          : sql`ledger_entries.campaign_id = ${of.campaign_id}`,
        ...(filters ? [filters] : []),
      ],
      order: orderOf(order, { id: { keys: [sql`ledger_entries.id`] } }),
      page,
    },
  );
