import type { Database, Queries } from "../../../platform/db/database.js";
import { type Sql, sql } from "../../../platform/db/sql.js";
import { type Listed, orderOf, type Page, readList } from "../../../platform/listing/index.js";
import { type VoucherHolder, voucher_holder_fields } from "../../publications/index.js";

const sort_keys = { id: { keys: [sql`voucher_holders.id`] } };

/** One page of those who hold a referral code: its referrer, and whoever came by it. */
export const listHolders = (
  db: Database,
  project_id: string,
  voucher_id: string,
  filters: Sql | null,
  order: "id" | "-id",
  page: Page,
): Promise<Listed<VoucherHolder>> =>
  readList<VoucherHolder>(
    db,
    project_id,
    { table: sql`voucher_holders`, fields: voucher_holder_fields },
    {
      conditions: [
        sql`voucher_holders.voucher_id = ${voucher_id}`,
        // As the index is written, which leaves out the holders of all other codes.
        sql`voucher_holders.role <> 'OWNER'`,
        ...(filters ? [filters] : []),
      ],
      order: orderOf(order, sort_keys),
      page,
    },
  );

/** Which of the customers hold the voucher. */
export const findHoldersAmong = (
  db: Queries,
  project_id: string,
  voucher_id: string,
  customer_ids: readonly string[],
) =>
  db.many<{ customer_id: string }>(sql`
    select voucher_holders.customer_id from voucher_holders
     where voucher_holders.project_id = ${project_id}
       and voucher_holders.voucher_id = ${voucher_id}
       and voucher_holders.customer_id = any(${customer_ids}::text[])
     order by voucher_holders.customer_id`);

export const findHolder = (db: Queries, project_id: string, voucher_id: string, id: string) =>
  db.maybe<VoucherHolder>(sql`
    select ${voucher_holder_fields} from voucher_holders
     where voucher_holders.project_id = ${project_id}
       and voucher_holders.id = ${id}
       and voucher_holders.voucher_id = ${voucher_id}`);
