import type { ActivityWindow, Discount } from "@guerdon/engine";
import { type Instant, isoOf } from "../../platform/clock.js";
import type { Tx } from "../../platform/database.js";
import { column, jsonOf, sql } from "../../platform/sql.js";
import { windowColumns } from "../../terms/index.js";
import type { LoyaltyCard } from "./loyalty-card.js";
import type { Gift } from "./voucher.js";

/** What an edit of a campaign changes in its vouchers; what is left out stays (vouchers-and-campaigns.md §5.2). */
export interface VoucherChange {
  /** Only the vouchers that were neither published nor redeemed follow these. */
  window?: ActivityWindow;
  category_id?: string | null;
  discount?: Discount;
  gift?: Gift;
  loyalty_card?: LoyaltyCard;
  /** Merged into every voucher, published or not. */
  metadata?: Record<string, unknown>;
}

/** Where a walk over a campaign's vouchers stands: the last voucher seen, in the order of creation. */
export interface Place {
  created_at: Instant;
  id: string;
}

/** The next live vouchers of a campaign, and which of them still follow it: never published, never redeemed (§5.2). */
export const nextVouchersOfCampaign = (
  tx: Tx,
  project_id: string,
  campaign_id: string,
  after: Place | null,
  count_max: number,
) =>
  tx.many<Place & { follows: boolean }>(sql`
    select vouchers.id, vouchers.created_at,
           vouchers.publish_count = 0 and coalesce(voucher_usage.redeemed_quantity, 0) = 0 as follows
      from vouchers
      left join voucher_usage
        on voucher_usage.project_id = vouchers.project_id and voucher_usage.voucher_id = vouchers.id
     where vouchers.project_id = ${project_id}
       and vouchers.campaign_id = ${campaign_id}
       and vouchers.deleted_at is null
       and (${after === null}::boolean
            or (vouchers.created_at, vouchers.id) > (${isoOf(after?.created_at ?? null)}::timestamptz, ${after?.id ?? null}::text))
     order by vouchers.created_at, vouchers.id
     limit ${count_max}`);

/** Lays what changed over vouchers that follow their campaign; fields that are not named stay. */
export async function updateFollowers(
  tx: Tx,
  project_id: string,
  ids: readonly string[],
  change: VoucherChange,
  instant: Instant,
): Promise<void> {
  const window = change.window ? windowColumns(change.window) : null;
  const followed = await tx.many<{ id: string }>(sql`
    update vouchers
       set start_date = case when ${window !== null}::boolean then ${window?.start_date ?? null}::timestamptz else vouchers.start_date end,
           expiration_date = case when ${window !== null}::boolean then ${window?.expiration_date ?? null}::timestamptz else vouchers.expiration_date end,
           validity_timeframe = case when ${window !== null}::boolean then ${window?.validity_timeframe ?? null}::jsonb else vouchers.validity_timeframe end,
           validity_day_of_week = case when ${window !== null}::boolean then ${window?.validity_day_of_week ?? null}::int[] else vouchers.validity_day_of_week end,
           validity_hours = case when ${window !== null}::boolean then ${window?.validity_hours ?? null}::jsonb else vouchers.validity_hours end,
           category_id = case when ${change.category_id !== undefined}::boolean then ${change.category_id ?? null}::text else vouchers.category_id end,
           discount = coalesce(${jsonOf(change.discount)}::jsonb, vouchers.discount),
           gift = coalesce(${jsonOf(change.gift)}::jsonb, vouchers.gift),
           loyalty_card = coalesce(${jsonOf(change.loyalty_card)}::jsonb, vouchers.loyalty_card),
           updated_at = ${isoOf(instant)}
     where vouchers.project_id = ${project_id}
       and vouchers.id = any(${ids}::text[])
       and vouchers.publish_count = 0 -- one published meanwhile keeps what it was given with
    returning vouchers.id`);
  const amount = change.gift?.amount ?? change.loyalty_card?.points;
  if (amount === undefined) return;
  // What was added or taken by hand stays: only what the card was opened with becomes another amount.
  await tx.run(sql`
    update card_balances
       set opening = ${amount}, added = card_balances.added - card_balances.opening + ${amount},
           balance = card_balances.balance - card_balances.opening + ${amount}
     where card_balances.project_id = ${project_id}
       and card_balances.voucher_id = any(${column(followed, "id")}::text[])
       and card_balances.balance - card_balances.opening + ${amount} >= 0`);
}

/** Merges metadata into vouchers, published ones too. */
export const mergeMetadata = (
  tx: Tx,
  project_id: string,
  ids: readonly string[],
  metadata: Record<string, unknown>,
  instant: Instant,
) =>
  tx.run(sql`
    update vouchers set metadata = vouchers.metadata || ${jsonOf(metadata)}::jsonb, updated_at = ${isoOf(instant)}
     where vouchers.project_id = ${project_id} and vouchers.id = any(${ids}::text[])`);
