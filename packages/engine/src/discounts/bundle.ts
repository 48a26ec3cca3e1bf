import type { OrderLine } from "../orders/order.js";
import type { BundleRule, ItemRef } from "../rules/contract.js";
import { isNamed } from "../rules/named-items.js";
import type { Work } from "../work.js";
import { shareUnits } from "./bundle-units.js";
import type { SelectionOptions } from "./selection.js";

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

const CLOSENESS = { sku: 0, product: 1, products_collection: 2 };

/** Counts complete bundles, at most the rule's limit; with none, says what is missing for the first. */
export function countBundle(
  { limit, conditions }: BundleRule,
  lines: readonly OrderLine[],
  in_collection: SelectionOptions["in_collection"],
  work?: Work,
): BundleCount {
  // Every condition looks at each line, and for each half of the bundles once more.
  work?.spend(conditions.length * lines.length * (1 + Math.log2(limit)));
  // The closest condition chooses first: an order's items serve SKUs before products before collections.
  const sorted = [...conditions].sort((a, b) => CLOSENESS[a.item.object] - CLOSENESS[b.item.object]);
  const available = lines.map((line) => line.quantity);
  const lines_of = sorted.map(({ item }) =>
    lines.flatMap((line, i) => (line.quantity > 0 && isNamed(item, line, in_collection) ? [i] : [])),
  );
  const market = (bundles: number) => ({
    wanted: sorted.map(({ quantity }) => quantity * bundles),
    available,
    lines_of,
  });
  const isComplete = (bundles: number) =>
    shareUnits(market(bundles), "one_short").every(({ lacking }) => lacking === 0);
  const quantity = mostBundles(Math.min(limit, ...upperBounds(sorted, lines_of, available)), isComplete);
  const shares = shareUnits(market(Math.max(1, quantity)));
  return {
    quantity,
    limit,
    identified: shares.flatMap(({ taken }, i) => identified(taken, (sorted[i] as Condition).item, lines)),
    missing: shares.flatMap(({ lacking }, i) => missing(lacking, (sorted[i] as Condition).item)),
  };
}

type Condition = BundleRule["conditions"][number];

/** More bundles than the lines of each condition hold, or all of their lines together, there cannot be. */
function upperBounds(
  conditions: readonly Condition[],
  lines_of: readonly (readonly number[])[],
  available: readonly number[],
): number[] {
  const unitsOf = (lines: Iterable<number>) => sumOf([...lines].map((line) => available[line] as number));
  const each = conditions.map(({ quantity }, i) => Math.floor(unitsOf(lines_of[i] as number[]) / quantity));
  const all = unitsOf(new Set(lines_of.flat())) / sumOf(conditions.map(({ quantity }) => quantity));
  return [...each, Math.floor(all)];
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

/** The largest number of bundles that is complete, found by halves: each bundle more asks for more. */
function mostBundles(at_most: number, isComplete: (bundles: number) => boolean): number {
  if (at_most === 0 || isComplete(at_most)) return at_most;
  let complete = 0;
  let incomplete = at_most;
  while (incomplete - complete > 1) {
    const middle = Math.floor((complete + incomplete) / 2);
    if (isComplete(middle)) complete = middle;
    else incomplete = middle;
  }
  return complete;
}

function identified(taken: ReadonlyMap<number, number>, condition: ItemRef, lines: readonly OrderLine[]) {
  const in_line_order = [...taken].sort(([a], [b]) => a - b);
  return in_line_order.map(([i, item_quantity]) => {
    const line = lines[i] as OrderLine;
    return { ...identityIn(line, condition), item_index: line.index, item_quantity };
  });
}

const missing = (item_quantity: number, { id, source_id, object }: ItemRef) =>
  item_quantity === 0 ? [] : [{ id: id ?? source_id ?? "", object, item_quantity }];

function identityIn(line: OrderLine, { object, id }: ItemRef): { id: string; object: "product" | "sku" } {
  const is_sku = (line.sku_id ?? line.sku_source_id) !== null;
  const as_sku = object === "sku" || (object === "products_collection" && is_sku);
  const line_id = as_sku ? (line.sku_id ?? line.sku_source_id) : (line.product_id ?? line.product_source_id);
  return {
    id: (object === "products_collection" ? line_id : (id ?? line_id)) ?? "",
    object: as_sku ? "sku" : "product",
  };
}
