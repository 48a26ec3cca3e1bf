import type { ActivityWindow, Discount } from "@guerdon/engine";
import { reopenCards } from "../../books/index.js";
import { bounds } from "../../platform/bounds.js";
import { type Instant, isoOf } from "../../platform/clock.js";
import type { Tx } from "../../platform/db/database.js";
import { column, jsonOf, sql } from "../../platform/db/sql.js";
import { sets } from "../../platform/db/table.js";
import type { LoyaltyCard } from "./loyalty-card.js";
import type { Gift } from "./voucher.js";
import { type VoucherColumns, vouchers } from "./voucher.store.js";

/** What an edit of a campaign changes in its vouchers; what is left out stays (vouchers-and-campaigns.md §5.2). */
export interface VoucherChange {
  /** Only the vouchers that were neither published nor redeemed follow these, and keep what is not named of their own. */
  window?: Partial<ActivityWindow>;
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

/** Ids of a campaign's live vouchers, or of all of them, a slice at a time. */
export const findVoucherIdsOfCampaign = (
  tx: Tx,
  project_id: string,
  campaign_id: string,
  { bin_too, count_max }: { bin_too: boolean; count_max: number },
) =>
  tx.many<{ id: string }>(sql`
    select vouchers.id from vouchers
     where vouchers.project_id = ${project_id}
       and vouchers.campaign_id = ${campaign_id}
       and (${bin_too}::boolean or vouchers.deleted_at is null)
     limit ${count_max}`);

/** Lays what changed over vouchers that follow their campaign; fields that are not named stay. */
export async function updateFollowers(
  tx: Tx,
  project_id: string,
  ids: readonly string[],
  { window, metadata: _, ...followed }: VoucherChange,
  instant: Instant,
): Promise<void> {
  const changed = { ...followed, ...window, updated_at: instant };
  const names = (Object.keys(changed) as (keyof typeof changed)[]).filter((name) => changed[name] !== undefined);
  const updated = await tx.many<{ id: string }>(sql`
    update vouchers set ${sets(vouchers, changed as VoucherColumns, names)}
     where vouchers.project_id = ${project_id}
       and vouchers.id = any(${ids}::text[])
       and vouchers.publish_count = 0 -- one published meanwhile keeps what it was given with
    returning vouchers.id`);
  const opening = followed.gift?.amount ?? followed.loyalty_card?.points;
  if (opening !== undefined) await reopenCards(tx, project_id, column(updated, "id"), opening);
}

/**
 * Merges metadata into vouchers, published ones too. One that would grow past the bound of a metadata object stays as it is:
 * years of edits that take fields out of the campaign again would add up in its vouchers.
 */
export const mergeMetadata = (
  tx: Tx,
  project_id: string,
  ids: readonly string[],
  metadata: Record<string, unknown>,
  instant: Instant,
) =>
  tx.run(sql`
    update vouchers set metadata = vouchers.metadata || ${jsonOf(metadata)}::jsonb, updated_at = ${isoOf(instant)}
     where vouchers.project_id = ${project_id} and vouchers.id = any(${ids}::text[])
       and octet_length((vouchers.metadata || ${jsonOf(metadata)}::jsonb)::text) <= ${bounds().metadata_bytes_max}`);
