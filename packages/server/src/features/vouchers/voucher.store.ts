import {
  type CardSums,
  first_lot_of_voucher,
  forgetUses,
  lots_of_voucher,
  pending_of_voucher,
} from "../../books/index.js";
import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { column, sql } from "../../platform/db/sql.js";
import { bool, fieldsBut, int8, jsonb, metadata, sets, table, text, timestamptz } from "../../platform/db/table.js";
import { window_columns, window_names } from "../../terms/index.js";
import { cleanPages } from "./code-pages/index.js";
import type { VoucherRow } from "./voucher.js";

/** What a voucher has of its own: its usage and balance are in the books. */
export type VoucherColumns = Omit<VoucherRow, keyof CardSums | "redeemed_quantity" | "pending">;

export const vouchers = table<VoucherColumns>("vouchers", {
  id: text,
  code: text,
  code_key: text,
  campaign_id: text,
  type: text,
  discount: jsonb,
  gift: jsonb,
  loyalty_card: jsonb,
  quantity: int8,
  category_id: text,
  ...window_columns,
  active: bool,
  additional_info: text,
  metadata,
  is_referral_code: bool,
  holder_id: text,
  publish_count: int8,
  created_at: timestamptz,
  updated_at: timestamptz,
});

const sums_and_own = sql`
  ${fieldsBut(vouchers, ["category_id"])}, categories.id as category_id,
  coalesce(voucher_usage.redeemed_quantity, 0) as redeemed_quantity, card_balances.opening, card_balances.added,
  card_balances.subtracted, card_balances.expired, card_balances.redeemed, card_balances.balance,
  ${pending_of_voucher}`;

/** The columns of a {@link VoucherRow}. A category that was deleted counts as none. */
const voucher_fields = sql`${sums_and_own}, ${lots_of_voucher}`;

/** The same for lists. */
export const listed_voucher_fields = sql`${sums_and_own}, ${first_lot_of_voucher}`;

/** What a person may change of one voucher, and when they did. */
const editable = [
  "discount",
  "category_id",
  ...window_names,
  "active",
  "additional_info",
  "metadata",
  "updated_at",
] as const;

export const voucher_sources = sql`
  vouchers
  left join voucher_usage
    on voucher_usage.project_id = vouchers.project_id and voucher_usage.voucher_id = vouchers.id
  left join card_balances
    on card_balances.project_id = vouchers.project_id and card_balances.voucher_id = vouchers.id
  left join categories
    on categories.project_id = vouchers.project_id and categories.id = vouchers.category_id`;

export const findVouchersByIds = (
  db: Queries,
  project_id: string,
  ids: readonly string[],
  { bin_too } = { bin_too: false },
) =>
  db.many<VoucherRow>(sql`
    select ${voucher_fields} from ${voucher_sources}
     where vouchers.project_id = ${project_id}
       and vouchers.id = any(${ids}::text[])
       and (${bin_too}::boolean or vouchers.deleted_at is null)`);

/** By id or by code; an id wins where one text is both (vouchers-and-campaigns.md §3.3). */
export const findVoucher = (db: Queries, project_id: string, id: string, code_key: string) =>
  db.maybe<VoucherRow>(sql`
    select ${voucher_fields} from ${voucher_sources}
     where vouchers.project_id = ${project_id}
       and (vouchers.id = ${id} or vouchers.code_key = ${code_key})
       and vouchers.deleted_at is null
     order by vouchers.id = ${id} desc
     limit 1`);

/** Writes what a person may change. Runs under the voucher's key. */
export const updateVoucher = (tx: Tx, project_id: string, voucher: VoucherRow) =>
  tx.run(sql`
    update vouchers set ${sets(vouchers, voucher, editable)}
     where vouchers.project_id = ${project_id} and vouchers.id = ${voucher.id} and vouchers.deleted_at is null`);

/** Gives vouchers to a customer, those that still are as they were read; answers how many were given. */
export const giveVouchers = (
  tx: Tx,
  project_id: string,
  vouchers: readonly Pick<VoucherRow, "id" | "publish_count">[],
  given: {
    customer_id: string;
    /** Null leaves the vouchers' own. */
    expiration_date: Instant | null;
    instant: Instant;
  },
) =>
  tx.run(sql`
    update vouchers
       set holder_id = coalesce(vouchers.holder_id, ${given.customer_id}),
           publish_count = vouchers.publish_count + 1,
           expiration_date = coalesce(${isoOf(given.expiration_date)}::timestamptz, vouchers.expiration_date),
           updated_at = ${isoOf(given.instant)}
      from unnest(${column(vouchers, "id")}::text[], ${column(vouchers, "publish_count")}::bigint[])
        as chosen (id, publish_count)
     where vouchers.project_id = ${project_id}
       and vouchers.id = chosen.id
       and vouchers.publish_count = chosen.publish_count
       and vouchers.active is not false
       and vouchers.deleted_at is null`);

/**
 * Puts vouchers in the bin, or deletes them for good, with their holders and the rules they had. The books of a card stay: its ledger and balance name the voucher
 * by an id that nobody else will ever have (architecture.md §11). Answers how many there were, how many of them were not in the bin yet, and who
 * held those.
 */
export async function deleteVouchers(
  tx: Tx,
  project_id: string,
  ids: readonly string[],
  { force, instant }: { force: boolean; instant: Instant },
): Promise<{ deleted: number; live: number; holder_ids: string[] }> {
  if (!force) {
    const held = await tx.many<{ holder_id: string | null }>(sql`
      update vouchers set deleted_at = ${isoOf(instant)}
       where vouchers.project_id = ${project_id} and vouchers.id = any(${ids}::text[]) and vouchers.deleted_at is null
      returning vouchers.holder_id`);
    return { deleted: held.length, live: held.length, holder_ids: holdersOf(held) };
  }
  await forgetUses(tx, project_id, ids);
  const gone = await tx.many<{ holder_id: string | null; was_live: boolean }>(sql`
    delete from vouchers where vouchers.project_id = ${project_id} and vouchers.id = any(${ids}::text[])
    returning vouchers.holder_id, vouchers.deleted_at is null as was_live`);
  if (gone.length > 0) await cleanPages(tx, project_id, instant);
  const live = gone.filter(({ was_live }) => was_live);
  return { deleted: gone.length, live: live.length, holder_ids: holdersOf(live) };
}

const holdersOf = (vouchers: readonly { holder_id: string | null }[]): string[] => [
  ...new Set(vouchers.flatMap(({ holder_id }) => holder_id ?? [])),
];

/** Whether a campaign has a voucher, in the bin too. */
export const hasVouchers = async (tx: Tx, project_id: string, campaign_id: string) =>
  (await tx.maybe(sql`
    select 1 from vouchers
     where vouchers.project_id = ${project_id} and vouchers.campaign_id = ${campaign_id} limit 1`)) !== undefined;
