import type { OrderLine } from "../orders/order.js";
import type { BundleRule, ItemRef } from "../rules/contract.js";
import { isNamed, type SelectionOptions } from "./selection.js";

/** How often an order holds a bundle (discounts.md §9). Lines count from 0. */
export interface BundleCount {
  readonly quantity: number;
  readonly limit: number;
  readonly identified: readonly {
    readonly id: string;
    readonly object: "product" | "sku";
    readonly item_index: number;
    readonly item_quantity: number;
  }[];
  readonly missing: readonly {
    readonly id: string;
    readonly object: ItemRef["object"];
    readonly item_quantity: number;
  }[];
}

interface Attempt {
  readonly found: readonly { condition: ItemRef; line: OrderLine; units: number }[];
  readonly lacking: readonly { condition: ItemRef; units: number }[];
}

const CLOSENESS = { sku: 0, product: 1, products_collection: 2 };

/** Counts complete bundles, at most the rule's limit; with none, says what is missing for the first. */
export function countBundle(
  { limit, conditions }: BundleRule,
  lines: readonly OrderLine[],
  in_collection: SelectionOptions["in_collection"],
): BundleCount {
  // The closest condition chooses first: a SKU condition has fewer lines to take its units from.
  const sorted = [...conditions].sort((a, b) => CLOSENESS[a.item.object] - CLOSENESS[b.item.object]);
  const attempt = (bundles: number) => takeUnits(sorted, bundles, lines, in_collection);
  let quantity = Math.min(limit, ...sorted.map((condition) => upperBound(condition, lines, in_collection)));
  while (quantity > 0 && attempt(quantity).lacking.length > 0) quantity -= 1;
  const { found, lacking } = attempt(Math.max(1, quantity));
  return {
    quantity,
    limit,
    identified: found.map(({ condition, line, units }) => ({
      ...identityIn(line, condition),
      item_index: line.index,
      item_quantity: units,
    })),
    missing: lacking.map(({ condition, units }) => ({
      id: condition.id ?? condition.source_id ?? "",
      object: condition.object,
      item_quantity: units,
    })),
  };
}

type Condition = BundleRule["conditions"][number];

function upperBound(
  { item, quantity }: Condition,
  lines: readonly OrderLine[],
  in_collection: SelectionOptions["in_collection"],
) {
  const units = lines.reduce((sum, line) => sum + (isNamed(item, line, in_collection) ? line.quantity : 0), 0);
  return Math.floor(units / quantity);
}

/** Takes units for a number of bundles. A unit serves one condition only. */
function takeUnits(
  conditions: readonly Condition[],
  bundles: number,
  lines: readonly OrderLine[],
  in_collection: SelectionOptions["in_collection"],
): Attempt {
  const free = lines.map((line) => line.quantity);
  const found: { condition: ItemRef; line: OrderLine; units: number }[] = [];
  const lacking: { condition: ItemRef; units: number }[] = [];
  for (const { item, quantity } of conditions) {
    let wanted = quantity * bundles;
    lines.forEach((line, i) => {
      const units = Math.min(wanted, free[i] as number);
      if (units === 0 || !isNamed(item, line, in_collection)) return;
      free[i] = (free[i] as number) - units;
      wanted -= units;
      found.push({ condition: item, line, units });
    });
    if (wanted > 0) lacking.push({ condition: item, units: wanted });
  }
  return { found, lacking };
}

function identityIn(line: OrderLine, { object, id }: ItemRef): { id: string; object: "product" | "sku" } {
  const as_sku = object === "sku" || (object === "products_collection" && line.sku_id !== null);
  const line_id = as_sku ? (line.sku_id ?? line.sku_source_id) : (line.product_id ?? line.product_source_id);
  return {
    id: (object === "products_collection" ? line_id : (id ?? line_id)) ?? "",
    object: as_sku ? "sku" : "product",
  };
}
