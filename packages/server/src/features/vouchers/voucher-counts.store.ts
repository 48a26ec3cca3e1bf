import { randomInt } from "node:crypto";
import type { Tx } from "../../platform/db/database.js";
import { type Sql, sql } from "../../platform/db/sql.js";

/** People make vouchers without a campaign at once, one by one, and would wait for each other on one row. */
const standalone_slots = 16;

/**
 * The statement that adds to the count of a campaign's live vouchers, or of those without one.
 * @param counted a number, with the `from` it needs
 */
export const addToCount = (project_id: string, campaign_id: string | null, slot: number, counted: Sql): Sql =>
  campaign_id === null
    ? sql`
      insert into standalone_voucher_counts (project_id, slot, vouchers_count)
      select ${project_id}, ${randomInt(standalone_slots)}::smallint, ${counted}
      on conflict (project_id, slot)
      do update set vouchers_count = standalone_voucher_counts.vouchers_count + excluded.vouchers_count`
    : sql`
      insert into campaign_voucher_counts (project_id, campaign_id, slot, vouchers_count)
      select ${project_id}, ${campaign_id}, ${slot}::smallint, ${counted}
      on conflict (project_id, campaign_id, slot)
      do update set vouchers_count = campaign_voucher_counts.vouchers_count + excluded.vouchers_count`;

/** Takes vouchers off the count. Slots are many, so that deletions do not wait for generation. */
export const uncountVouchers = (tx: Tx, project_id: string, campaign_id: string | null, count: number) =>
  tx.run(addToCount(project_id, campaign_id, 1, sql`${-count}::bigint`));

/** How many live vouchers the project or a campaign has: one value. */
export const keptCount = (project_id: string, campaign_id?: string): Sql => {
  const of_campaigns = sql`
    select coalesce(sum(campaign_voucher_counts.vouchers_count), 0) from campaign_voucher_counts
     where campaign_voucher_counts.project_id = ${project_id}`;
  if (campaign_id !== undefined) {
    return sql`${of_campaigns} and campaign_voucher_counts.campaign_id = ${campaign_id}`;
  }
  return sql`
    select (${of_campaigns}) + coalesce(sum(standalone_voucher_counts.vouchers_count), 0)
      from standalone_voucher_counts
     where standalone_voucher_counts.project_id = ${project_id}`;
};
