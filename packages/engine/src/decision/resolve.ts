import type { SelectedLine } from "../discounts/selection.js";
import type { OrderLine, RunningOrder } from "../orders/order.js";
import type { ApplicableEntry, ApplicableTo, ItemRef } from "../rules/contract.js";
import { isNamed } from "../rules/named-items.js";
import type { Work } from "../work.js";
import type { ResolvedItem } from "./outcome.js";

/** Above this many units in an order, units are not listed one by one (discounts.md §5). */
const LISTED_UNITS_MAX = 1000;

type InCollection = (collection_id: string, line: OrderLine) => boolean;

/**
 * The included entries with the lines they select, and the cart's items that a collection brings in,
 * each listed by itself as well.
 */
export function resolveIncluded(
  { included }: ApplicableTo,
  selected: readonly SelectedLine[],
  order: RunningOrder | null,
): ResolvedItem[] {
  if (included.length === 0) return [];
  const list_units = (order?.lines ?? []).reduce((sum, line) => sum + line.quantity, 0) <= LISTED_UNITS_MAX;
  const by_entry = new Map<ApplicableEntry, SelectedLine[]>(included.map((entry) => [entry, []]));
  for (const one of selected) by_entry.get(one.entry)?.push(one);
  return [...by_entry].flatMap(([entry, of_entry]) => {
    const configured = resolved(entry, entry, of_entry, list_units);
    return entry.object === "products_collection" ? [configured, ...coveredItems(of_entry, list_units)] : [configured];
  });
}

/** The excluded items with the lines they keep out. */
export function resolveExcluded(
  { excluded }: ApplicableTo,
  order: RunningOrder | null,
  in_collection: InCollection,
  work: Work | undefined,
): ResolvedItem[] {
  work?.spend(excluded.length * (order?.lines.length ?? 0));
  return excluded.map((item) => {
    const kept_out = (order?.lines ?? []).filter((line) => isNamed(item, line, in_collection));
    const order_item_indices = kept_out.map((line) => line.index);
    return { ...resolved(item, null, [], true), order_item_indices };
  });
}

type Named = ItemRef & Pick<ApplicableEntry, "product_id" | "product_source_id">;

function resolved(
  item: Named,
  entry: ApplicableEntry | null,
  selected: readonly SelectedLine[],
  list_units: boolean,
): ResolvedItem {
  const counts_units = selected.some(({ positions }) => positions !== null);
  return {
    object: item.object,
    id: item.id,
    source_id: item.source_id,
    product_id: item.product_id ?? null,
    product_source_id: item.product_source_id ?? null,
    strict: item.strict,
    entry,
    order_item_indices: selected.map(({ line }) => line.index),
    ...(counts_units ? { order_item_units: selected.map((one) => unitsOf(one, list_units)) } : undefined),
  };
}

function unitsOf({ line: { index }, units, positions }: SelectedLine, list_units: boolean) {
  if (!list_units || positions === null) return { index, units_limit_exceeded: true as const };
  return { index, units: Array.from({ length: units }, (_, i) => positions.first + i * positions.step + 1) };
}

/** The cart's own products and SKUs, where it was a collection that brought them in. */
function coveredItems(selected: readonly SelectedLine[], list_units: boolean): ResolvedItem[] {
  const by_item = new Map<string, SelectedLine[]>();
  for (const one of selected) {
    const { sku_id, sku_source_id, product_id, product_source_id } = one.line;
    const item = JSON.stringify([sku_id, sku_source_id, product_id, product_source_id]);
    const alike = by_item.get(item);
    if (alike) alike.push(one);
    else by_item.set(item, [one]);
  }
  return [...by_item.values()].map((lines) => {
    const { sku_id, sku_source_id, product_id, product_source_id } = (lines[0] as SelectedLine).line;
    const is_sku = (sku_id ?? sku_source_id) !== null;
    const item: Named = is_sku
      ? { object: "sku", id: sku_id, source_id: sku_source_id, product_id, product_source_id, strict: true }
      : { object: "product", id: product_id, source_id: product_source_id, strict: true };
    return resolved(item, null, lines, list_units);
  });
}
