import { isNamed, type SelectedLine } from "../discounts/selection.js";
import type { OrderLine, RunningOrder } from "../orders/order.js";
import type { ApplicableEntry, ApplicableTo, ItemRef } from "../rules/contract.js";
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
  return included.flatMap((entry) => {
    const of_entry = selected.filter((one) => one.entry === entry);
    const configured = { ...identityOf(entry), strict: entry.strict, entry, ...linesOf(of_entry, list_units) };
    if (entry.object !== "products_collection") return [configured];
    return [configured, ...coveredItems(of_entry, list_units)];
  });
}

/** The excluded items with the lines they keep out. */
export function resolveExcluded(
  { excluded }: ApplicableTo,
  order: RunningOrder | null,
  in_collection: InCollection,
): ResolvedItem[] {
  return excluded.map((item) => ({
    ...identityOf(item),
    strict: item.strict,
    entry: null,
    order_item_indices: (order?.lines ?? [])
      .filter((line) => isNamed(item, line, in_collection))
      .map((line) => line.index),
  }));
}

function identityOf(item: ItemRef & Partial<ApplicableEntry>) {
  const { object, id, source_id, product_id, product_source_id } = item;
  return { object, id, source_id, product_id: product_id ?? null, product_source_id: product_source_id ?? null };
}

function linesOf(selected: readonly SelectedLine[], list_units: boolean) {
  const order_item_indices = selected.map(({ line }) => line.index);
  if (!selected.some(({ positions }) => positions !== null)) return { order_item_indices };
  return {
    order_item_indices,
    order_item_units: selected.map(({ line: { index }, units, positions }) =>
      list_units && positions !== null
        ? { index, units: Array.from({ length: units }, (_, i) => positions.first + i * positions.step + 1) }
        : { index, units_limit_exceeded: true as const },
    ),
  };
}

function coveredItems(selected: readonly SelectedLine[], list_units: boolean): ResolvedItem[] {
  const by_item = new Map<string, SelectedLine[]>();
  for (const one of selected) {
    const { sku_id, sku_source_id, product_id, product_source_id } = one.line;
    const item = JSON.stringify([sku_id, sku_source_id, product_id, product_source_id]);
    by_item.set(item, [...(by_item.get(item) ?? []), one]);
  }
  return [...by_item.values()].map((lines) => {
    const { line } = lines[0] as SelectedLine;
    const is_sku = (line.sku_id ?? line.sku_source_id) !== null;
    return {
      object: is_sku ? "sku" : "product",
      id: is_sku ? line.sku_id : line.product_id,
      source_id: is_sku ? line.sku_source_id : line.product_source_id,
      product_id: is_sku ? line.product_id : null,
      product_source_id: is_sku ? line.product_source_id : null,
      strict: true,
      entry: null,
      ...linesOf(lines, list_units),
    };
  });
}
