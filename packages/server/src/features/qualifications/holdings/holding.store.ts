import type { Instant } from "../../../platform/clock.js";
import type { Database } from "../../../platform/db/database.js";
import { type Sql, sql } from "../../../platform/db/sql.js";
import { type Listed, orderOf, type Page, readList } from "../../../platform/listing/index.js";

/** That a customer holds a voucher. */
interface HoldingRow {
  id: string;
  voucher_id: string;
  customer_id: string;
  role: "OWNER" | "REFERRER" | "REFEREE";
  campaign_id: string | null;
  created_at: Instant;
}

const sort_keys = { id: { keys: [sql`voucher_holders.id`] } };

/** One page of what a customer holds; what is in the bin is held by nobody. */
export const listHoldings = (
  db: Database,
  project_id: string,
  customer_id: string,
  filters: Sql | null,
  order: "id" | "-id",
  page: Page,
): Promise<Listed<HoldingRow>> =>
  readList<HoldingRow>(
    db,
    project_id,
    {
      table: sql`voucher_holders`,
      fields: sql`voucher_holders.id, voucher_holders.voucher_id, voucher_holders.customer_id, voucher_holders.role,
                  voucher_holders.campaign_id, voucher_holders.created_at`,
    },
    {
      conditions: [
        sql`voucher_holders.customer_id = ${customer_id}`,
        sql`exists (select from vouchers
                     where vouchers.project_id = ${project_id} and vouchers.id = voucher_holders.voucher_id
                       and vouchers.deleted_at is null)`,
        ...(filters ? [filters] : []),
      ],
      order: orderOf(order, sort_keys),
      page,
    },
  );
