import { randomInt } from "node:crypto";
import type { Queries, Tx } from "../platform/db/database.js";
import { column, type Sql, sql } from "../platform/db/sql.js";
import { all } from "../platform/http/lists.js";

/** Discounted units of one thing: ids, or source ids where no id was known; empty for none. */
export interface ItemUnits {
  product: string;
  sku: string;
  units: number;
}

/** Units that redemptions add to a campaign, tier or voucher; negative ones are given back. */
export interface UnitMove extends ItemUnits {
  object_id: string;
}

/** A redemption as far as it moves the units of what it was of. */
interface Discounted {
  voucher_id: string | null;
  promotion_tier_id: string | null;
  campaign_id: string | null;
  units: readonly ItemUnits[] | null;
}

/** Rows that the units of one item are spread over. */
const slots = 16;

/**
 * What a redemption adds to the units of its campaign and tier, or of a voucher without a campaign (discounts.md §5);
 * with the sign −1 what its rollback gives back.
 */
export const unitMovesOf = (
  { voucher_id, promotion_tier_id, campaign_id, units }: Discounted,
  sign: 1 | -1,
): UnitMove[] =>
  [campaign_id ?? voucher_id, promotion_tier_id]
    .filter((object_id) => object_id !== null)
    .flatMap((object_id) => (units ?? []).map((item) => ({ ...item, object_id, units: sign * item.units })));

/** Moves units. Written last and sorted, for the same reasons as `moveDays`. */
export async function moveUnits(tx: Tx, project_id: string, moves: readonly UnitMove[]): Promise<void> {
  if (moves.length === 0) return;
  const slot = randomInt(slots);
  await tx.run(sql`
    insert into unit_usage (project_id, object_id, product, sku, slot, units)
    select ${project_id}, move.object_id, move.product, move.sku, ${slot}, sum(move.units)
      from unnest(${column(moves, "object_id")}::text[], ${column(moves, "product")}::text[],
                  ${column(moves, "sku")}::text[], ${column(moves, "units")}::bigint[])
             as move (object_id, product, sku, units)
     group by move.object_id, move.product, move.sku
     order by move.object_id, move.product, move.sku
    on conflict (project_id, object_id, product, sku, slot) do update
       set units = unit_usage.units + excluded.units`);
}

/** Names under which units may be kept. */
export interface ItemNames {
  products: readonly string[];
  skus: readonly string[];
}

/** What campaigns, tiers and vouchers without a campaign have discounted for everyone; null: of whatever item. */
export function sumUnits(db: Queries, project_id: string, object_ids: readonly string[], names: ItemNames | null) {
  const conditions = [sql`unit_usage.object_id = any(${object_ids}::text[])`];
  if (names !== null) conditions.push(isNamed(names));
  return db.many<ItemUnits & { object_id: string }>(sql`
    select unit_usage.object_id, unit_usage.product, unit_usage.sku, sum(unit_usage.units) as units
      from unit_usage
     where unit_usage.project_id = ${project_id} and ${all(conditions)}
     group by unit_usage.object_id, unit_usage.product, unit_usage.sku`);
}

function isNamed({ products, skus }: ItemNames): Sql {
  const is_product = sql`unit_usage.product = any(${products}::text[])`;
  // A SKU may have been redeemed under another product, or under none.
  return skus.length === 0 ? is_product : sql`(${is_product} or unit_usage.sku = any(${skus}::text[]))`;
}

/** By which index redemptions are counted one by one: through a customer's own, or through a voucher's. */
export type CountedBy = "customer_in_campaign" | "customer" | "voucher";

const ways: Record<CountedBy, Sql> = {
  customer_in_campaign: sql`redemptions.campaign_id = owner.campaign_id and redemptions.customer_id = owner.customer_id`,
  customer: sql`redemptions.customer_id = owner.customer_id`,
  voucher: sql`redemptions.voucher_id = owner.object_id`,
};

/** The same from redemptions one by one: of one customer each, or of a single voucher. */
export function sumUnitsOfRedemptions(
  db: Queries,
  project_id: string,
  counted_by: CountedBy,
  owners: readonly { id: string; campaign_id: string | null; customer_id: string | null }[],
) {
  // The owner is looked for in an array, so that no index of its is taken: a public code has been redeemed far more often
  // than any of its customers has redeemed, which the planner cannot know (45 ms instead of 1 for 100,000 redemptions).
  return db.many<ItemUnits & { object_id: string; customer_id: string | null }>(sql`
    select owner.object_id, owner.customer_id, item.product, item.sku, sum(item.units) as units
      from unnest(${column(owners, "id")}::text[], ${column(owners, "campaign_id")}::text[],
                  ${column(owners, "customer_id")}::text[]) as owner (object_id, campaign_id, customer_id)
      join redemptions on redemptions.project_id = ${project_id} and ${ways[counted_by]}
       and owner.object_id = any(array[redemptions.campaign_id, redemptions.promotion_tier_id, redemptions.voucher_id])
     cross join jsonb_to_recordset(redemptions.units) as item (product text, sku text, units bigint)
     where redemptions.object = 'redemption' and redemptions.status = 'SUCCEEDED'
     group by owner.object_id, owner.customer_id, item.product, item.sku`);
}
