import { randomInt } from "node:crypto";
import type { Queries } from "../platform/db/database.js";
import { column, type Sql, sql } from "../platform/db/sql.js";
import { all } from "../platform/http/lists.js";
import { type CountedRow, countedByDay, countedIds } from "./redeemed.js";

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
type Discounted = CountedRow & { units: readonly ItemUnits[] | null };

/** Rows that the units of one item are spread over. */
const slots = 16;

/**
 * What a redemption adds to the units of its campaign and tier, or of a voucher without a campaign (discounts.md §5);
 * with the sign −1 what its rollback gives back.
 */
export function unitMovesOf(row: Discounted, sign: 1 | -1): UnitMove[] {
  const { campaign_id, units } = row;
  if (units === null) return [];
  // What stands for its campaign has sums, few as its redemptions may be.
  const object_ids = campaign_id === null ? countedIds(row) : countedByDay(row);
  return object_ids.flatMap((object_id) => units.map((item) => ({ ...item, object_id, units: sign * item.units })));
}

/** Moves units. Written last and sorted, for the same reasons as `moveDays`. */
export function moveUnits(project_id: string, moves: readonly UnitMove[]): readonly Sql[] {
  const slot = randomInt(slots);
  const statement = sql`
    insert into unit_usage (project_id, object_id, product, sku, slot, units)
    select ${project_id}, move.object_id, move.product, move.sku, ${slot}, sum(move.units)
      from unnest(${column(moves, "object_id")}::text[], ${column(moves, "product")}::text[],
                  ${column(moves, "sku")}::text[], ${column(moves, "units")}::bigint[])
             as move (object_id, product, sku, units)
     group by move.object_id, move.product, move.sku
     order by move.object_id, move.product, move.sku
    on conflict (project_id, object_id, product, sku, slot) do update
       set units = unit_usage.units + excluded.units`;
  return [statement];
}

/** Names under which units may be kept. */
export interface ItemNames {
  products: readonly string[];
  skus: readonly string[];
}

/** What campaigns, tiers and vouchers without a campaign have discounted for everyone; null: of whatever item. */
export function sumUnits(db: Queries, project_id: string, object_ids: readonly string[], names: ItemNames | null) {
  const conditions = [sql`unit_usage.object_id = any(${object_ids}::text[])`];
  if (names !== null) conditions.push(isNamed(sql`unit_usage`, names));
  return db.many<ItemUnits & { object_id: string }>(sql`
    select unit_usage.object_id, unit_usage.product, unit_usage.sku, sum(unit_usage.units) as units
      from unit_usage
     where unit_usage.project_id = ${project_id} and ${all(conditions)}
     group by unit_usage.object_id, unit_usage.product, unit_usage.sku`);
}

/** That a row of units, of the table or alias, is of one of the names. */
export function isNamed(units: Sql, { products, skus }: ItemNames): Sql {
  const is_product = sql`${units}.product = any(${products}::text[])`;
  // A SKU may have been redeemed under another product, or under none.
  return skus.length === 0 ? is_product : sql`(${is_product} or ${units}.sku = any(${skus}::text[]))`;
}
