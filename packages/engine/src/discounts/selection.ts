import type { OrderLine } from "../orders/order.js";
import { subtotal } from "../orders/part.js";
import type { ApplicableEntry, ApplicableTo, ItemRef, UnitBudget } from "../rules/contract.js";
import { type NamedItems, namedItems } from "../rules/named-items.js";
import type { Work } from "../work.js";
import type { LeftOut, Trace, UnitLimit } from "./trace.js";

/** A line that an entry lets be discounted, with how many of its units (`k` of discounts.md §4). */
export interface SelectedLine {
  readonly line: OrderLine;
  readonly entry: ApplicableEntry;
  readonly units: number;
  /** First counted unit from 0 and the distance to the next, when single units are counted; else null. */
  readonly positions: { readonly first: number; readonly step: number } | null;
}

export interface SelectionOptions {
  in_collection(collection_id: string, line: OrderLine): boolean;
  /** Units that a budget has left for a line; only asked where budgets apply. */
  budgetLeft: ((budget: UnitBudget, selected: { entry: ApplicableEntry; line: OrderLine }) => number) | null;
  /** Quantity limits are multiplied by it (discounts.md §9). */
  limit_factor: number;
  /** Applied to a line where the entry names no limit. */
  default_quantity_limit: number | null;
  /** Indexes of lines that products mode ONCE leaves out. */
  taken_lines: ReadonlySet<number>;
  trace: Trace;
  work?: Work;
}

/** What a line that is selected costs until it is discounted. */
const work_of_line = 20;
/** What an entry costs until its lines are put in order and shown, whether it has any or not. */
const work_of_entry = 40;

const EVERY_LINE: ApplicableEntry = {
  object: "products_collection",
  id: null,
  source_id: null,
  strict: false,
  effect: "APPLY_TO_EVERY",
  target: "ITEM",
  skip_initially: 0,
  repeat: 1,
  price: null,
  price_formula: null,
  quantity_limit: null,
  aggregated_quantity_limit: null,
  amount_limit: null,
  aggregated_amount_limit: null,
  budgets: [],
};

const same = (wanted: string | null, found: string | null) => wanted !== null && wanted === found;

/**
 * The lines and units a discount may touch, in the order of application (discounts.md §5, steps 1–5).
 * Lines without units or without any price take no part.
 */
export function selectLines(
  lines: readonly OrderLine[],
  applicable_to: ApplicableTo,
  options: SelectionOptions,
): SelectedLine[] {
  const assigned = assign(lines, applicable_to, options);
  return [...assigned].flatMap(([entry, members]) => selectOfEntry(entry, inOrder(entry, members), options));
}

/** Each line belongs to one entry: SKU before product before collection, then the first of the list. */
function assign(lines: readonly OrderLine[], applicable_to: ApplicableTo, options: SelectionOptions) {
  const { trace } = options;
  const { included, excluded, included_all } = applicable_to;
  const named = namedItems(included);
  const kept_out = namedItems(excluded);
  options.work?.spend(work_of_entry * included.length + excluded.length + work_of_line * lines.length);
  const takes_rest = included_all || (included.length === 0 && excluded.length > 0);
  const assigned = new Map<ApplicableEntry, OrderLine[]>(included.map((entry) => [entry, []]));
  if (takes_rest) assigned.set(EVERY_LINE, []);
  for (const line of lines) {
    const reason = leftOut(line, kept_out, options);
    const closest = reason === null ? named.closest(line, options.in_collection, options.work) : null;
    const entry = reason === null ? (closest ?? (takes_rest ? EVERY_LINE : null)) : null;
    if (entry !== null) assigned.get(entry)?.push(line);
    else trace?.line({ ...LEFT_OUT, line: line.index, left_out: reason ?? "not_included" });
  }
  return assigned;
}

/** A {@link LineStep} of a line that takes no part; the line and the reason are still to be said. */
export const LEFT_OUT = { entry: null, counted: 0, limits: [], units: 0 };

/** Why a line takes no part whatever is included; null: it may. */
function leftOut(
  line: OrderLine,
  excluded: NamedItems<ItemRef>,
  { taken_lines, in_collection, work }: SelectionOptions,
): LeftOut | null {
  if (taken_lines.has(line.index)) return "discounted_before";
  if (line.quantity === 0) return "no_units";
  if (line.amount === undefined) return "no_amount";
  return excluded.names(line, in_collection, work) ? "excluded" : null;
}

/** By unit price, then by what is left of the line, then as requested; the same tie rule in both directions. */
function inOrder(entry: ApplicableEntry, lines: OrderLine[]): OrderLine[] {
  if (entry.effect === "APPLY_TO_EVERY") return lines;
  const sign = entry.effect.endsWith("CHEAPEST") ? 1 : -1;
  return [...lines].sort((a, b) => sign * comparePrices(a, b) || subtotal(a) - subtotal(b) || a.index - b.index);
}

/** Compares `amount ÷ quantity` crosswise where a line has no price, since a quotient would be rounded. */
function comparePrices(a: OrderLine, b: OrderLine): number {
  if (a.price !== undefined && b.price !== undefined) return a.price - b.price;
  const left = a.price === undefined ? [a.amount ?? 0, a.quantity] : [a.price, 1];
  const right = b.price === undefined ? [b.amount ?? 0, b.quantity] : [b.price, 1];
  const difference =
    BigInt(left[0] as number) * BigInt(right[1] as number) - BigInt(right[0] as number) * BigInt(left[1] as number);
  return difference === 0n ? 0 : difference > 0n ? 1 : -1;
}

function selectOfEntry(entry: ApplicableEntry, lines: OrderLine[], options: SelectionOptions): SelectedLine[] {
  const only_one = entry.effect === "APPLY_TO_CHEAPEST" || entry.effect === "APPLY_TO_MOST_EXPENSIVE";
  const per_line = scaled(entry.quantity_limit ?? options.default_quantity_limit, options.limit_factor);
  let left = scaled(entry.aggregated_quantity_limit, options.limit_factor);
  let position = 0;
  let done = false;
  const selected: SelectedLine[] = [];
  for (const line of lines) {
    const length = entry.target === "UNIT" ? line.quantity : 1;
    const counted = done ? NONE_COUNTED : countedIn(position, length, entry, only_one);
    position += length;
    const units = counted.count > 0 && entry.target === "ITEM" ? line.quantity : counted.count;
    const budget = units === 0 ? Number.POSITIVE_INFINITY : budgetOf(entry, line, selected, options);
    const allowed = Math.min(units, per_line, left, budget);
    options.trace?.line({
      line: line.index,
      left_out: null,
      entry: entry === EVERY_LINE ? null : { object: entry.object, id: entry.id, source_id: entry.source_id },
      counted: units,
      limits: unitLimits(per_line, left, budget).filter((limit) => limit.left < units),
      units: allowed,
    });
    left -= allowed;
    const positions = entry.target === "UNIT" ? { first: counted.first, step: entry.repeat } : null;
    if (allowed > 0) selected.push({ line, entry, units: allowed, positions });
    if (only_one && units > 0) done = true;
  }
  return selected;
}

const NONE_COUNTED = { count: 0, first: 0 };

const unitLimits = (per_line: number, left: number, budget: number): { name: UnitLimit; left: number }[] => [
  { name: "quantity_limit", left: per_line },
  { name: "aggregated_quantity_limit", left },
  { name: "unit_budget", left: budget },
];

const scaled = (limit: number | null, factor: number) => (limit === null ? Number.POSITIVE_INFINITY : limit * factor);

/** What the budgets still allow, less what earlier lines of this selection take from them. */
function budgetOf(
  entry: ApplicableEntry,
  line: OrderLine,
  selected: SelectedLine[],
  { budgetLeft, work }: SelectionOptions,
) {
  let left = Number.POSITIVE_INFINITY;
  if (budgetLeft === null) return left;
  for (const budget of entry.budgets) {
    work?.spend(2 + selected.length / 2);
    const sharing = budget.each_product ? selected.filter((other) => isSameItem(other.line, line)) : selected;
    const taken = sharing.reduce((sum, other) => sum + other.units, 0);
    left = Math.min(left, Math.max(0, budgetLeft(budget, { entry, line }) - taken));
  }
  return left;
}

/**
 * Whether two lines count as one product for a budget (discounts.md §5). Either identifier suffices, since a
 * line may name by its source id what another names by its id; a line of no product stands for its SKU.
 */
export function isSameItem(a: OrderLine, b: OrderLine): boolean {
  if (a.index === b.index) return true;
  if (same(a.product_id, b.product_id) || same(a.product_source_id, b.product_source_id)) return true;
  return namesNoProduct(a) && namesNoProduct(b) && (same(a.sku_id, b.sku_id) || same(a.sku_source_id, b.sku_source_id));
}

const namesNoProduct = (line: OrderLine) => (line.product_id ?? line.product_source_id) === null;

/**
 * How many of `length` positions from `start` on count: the first not skipped and then every
 * `repeat`-th. Computed, not counted: a line may hold a billion units.
 */
function countedIn(start: number, length: number, { skip_initially, repeat }: ApplicableEntry, only_one: boolean) {
  const begin = Math.max(start, skip_initially);
  const first = skip_initially + Math.ceil((begin - skip_initially) / repeat) * repeat;
  const end = start + length;
  if (first >= end) return NONE_COUNTED;
  const count = only_one ? 1 : Math.floor((end - 1 - first) / repeat) + 1;
  return { count, first: first - start };
}
