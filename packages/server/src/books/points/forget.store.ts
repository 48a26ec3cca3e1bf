import type { Tx } from "../../platform/db/database.js";
import { column, sql } from "../../platform/db/sql.js";

/**
 * Leaves of a customer's redemptions, and of what moved on their cards and by them on others, what the books need: what was moved when, and
 * nothing that the shop wrote. While the cards still have their holder.
 */
export async function forgetBooksOf(tx: Tx, project_id: string, { id }: { id: string }): Promise<void> {
  const redeemed = await tx.many<{ id: string; voucher_id: string | null }>(sql`
    update redemptions
       set tracking_id = null, reason = null,
           metadata = case when redemptions.metadata is null then null else '{}'::jsonb end
     where redemptions.project_id = ${project_id} and redemptions.customer_id = ${id}
    returning redemptions.id, redemptions.voucher_id`);
  const used = redeemed.flatMap(({ voucher_id }) => voucher_id ?? []);
  await tx.run(sql`
    with held as (
      select vouchers.id from vouchers where vouchers.project_id = ${project_id} and vouchers.holder_id = ${id}
    ), told as (
      select ledger_entries.id, ledger_entries.related_transaction_id from ledger_entries
       where ledger_entries.project_id = ${project_id} and ledger_entries.voucher_id in (select held.id from held)
       union all
      select ledger_entries.id, null from ledger_entries
       where ledger_entries.project_id = ${project_id} and ledger_entries.voucher_id = any(${[...new Set(used)]}::text[])
         and (ledger_entries.redemption_id = any(${column(redeemed, "id")}::text[])
              or ledger_entries.rollback_id = any(${column(redeemed, "id")}::text[]))
    )
    update ledger_entries
       set source_id = null, reason = null,
           -- A shop's own name of an order stands beside its id, and once more in what pended.
           details = jsonb_set(jsonb_set(ledger_entries.details, '{order,source_id}', 'null', false),
                               '{pending_points,details,order,source_id}', 'null', false)
     where ledger_entries.project_id = ${project_id}
       and ledger_entries.id in (select told.id from told union all select told.related_transaction_id from told)`);
  await tx.run(sql`
    update pending_points set details = jsonb_set(pending_points.details, '{order,source_id}', 'null', false)
     where pending_points.project_id = ${project_id}
       and pending_points.customer_id = ${id}`);
}
