import type { OrderLine, RunningOrder } from "../orders/order.js";
import type { ItemRef, RuleContext } from "./contract.js";
import { type Absence, type Match, NO_ORDER } from "./nodes.js";

/** Lines that are in the cart: one whose last unit was exchanged is not. */
export function presentLines({ lines }: RunningOrder): readonly OrderLine[] {
  for (const line of lines) if (line.quantity === 0) return lines.filter(({ quantity }) => quantity > 0);
  return lines;
}

/** Minor units for one unit; undefined for a line without any price (rules.md §6.3). */
export const unitPrice = ({ price, amount, quantity }: OrderLine): number | undefined =>
  price ?? (amount === undefined || quantity === 0 ? undefined : amount / quantity);

export type Quantifier = "any" | "every" | "none" | "cheapest" | "most_expensive";

/** What an item rule asks of a single line. */
export interface LineTest {
  /** What the operators name, whether a line must be it or must not. */
  readonly items: readonly ItemRef[];
  /** Only negative operators were given, which an empty cart satisfies (rules.md §5). */
  readonly negative: boolean;
  /** `$is`, `$in`, `$is_not`, `$not_in` and their like. */
  matches(line: OrderLine, context: RuleContext): boolean;
  /** `$from`: belongs to each of the collections. */
  belongs(line: OrderLine, context: RuleContext): boolean;
}

/** Finds the lines of a quantifier and says whether it holds over them (rules.md §6.2). */
export class ItemLook {
  readonly kind = "items";

  /** `every` is how the lines are handed to nested rules, null when those are ignored. */
  constructor(
    private readonly quantifier: Quantifier,
    readonly every: boolean | null,
    private readonly test: LineTest,
  ) {}

  get items() {
    return this.test.items;
  }

  match(context: RuleContext): Match | Absence {
    if (context.order === null) return NO_ORDER;
    const lines = presentLines(context.order);
    context.work?.spend(lines.length);
    const { quantifier, test } = this;
    if (lines.length === 0) return { lines, holds: quantifier === "none" || test.negative };
    if (quantifier === "cheapest" || quantifier === "most_expensive") return this.matchExtremes(lines, context);
    const matched: OrderLine[] = [];
    for (const line of lines) if (test.belongs(line, context) && test.matches(line, context)) matched.push(line);
    return { lines: matched, holds: isSatisfied(quantifier, matched.length, lines.length) };
  }

  private matchExtremes(lines: readonly OrderLine[], context: RuleContext): Match {
    const base = lines.filter((line) => this.test.belongs(line, context));
    const top = extremes(base, this.quantifier === "cheapest" ? 1 : -1);
    return { lines: top, holds: top.length > 0 && top.every((line) => this.test.matches(line, context)) };
  }
}

function isSatisfied(quantifier: "any" | "every" | "none", matched: number, all: number): boolean {
  if (quantifier === "none") return matched === 0;
  return quantifier === "any" ? matched > 0 : matched === all;
}

/** The lines of the lowest (1) or highest (−1) unit price; ties all count. */
function extremes(lines: readonly OrderLine[], direction: 1 | -1): OrderLine[] {
  const priced = lines.flatMap((line) => {
    const price = unitPrice(line);
    return price === undefined ? [] : [{ line, rank: price * direction }];
  });
  let lowest = Number.POSITIVE_INFINITY;
  for (const { rank } of priced) lowest = Math.min(lowest, rank);
  return priced.filter(({ rank }) => rank === lowest).map(({ line }) => line);
}

type ItemObject = ItemRef["object"];

const OBJECTS: readonly string[] = ["product", "sku", "products_collection"] satisfies ItemObject[];

const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);

/**
 * The references of an operand. A bare id of an item rule may be a product's or a SKU's; what names
 * nothing gives no reference and so matches no line.
 */
export function itemRefsOf(operand: unknown, expected: ItemObject | null): ItemRef[] {
  if (typeof operand !== "object" || operand === null) {
    const id = text(operand);
    const objects = expected === null ? bareObjects(id ?? "") : [expected];
    return id === null ? [] : objects.map((object) => ({ object, id, source_id: null, strict: false }));
  }
  const { object, type, id, source_id } = operand as Record<string, unknown>;
  if (text(id) === null && text(source_id) === null) return [];
  const named = text(object) ?? (type === "products_collection" ? type : null);
  const objects =
    named !== null && OBJECTS.includes(named) ? [named as ItemObject] : ((expected && [expected]) ?? PRODUCT_OR_SKU);
  return objects.map((kind) => ({ object: kind, id: text(id), source_id: text(source_id), strict: false }));
}

const PRODUCT_OR_SKU: readonly ItemObject[] = ["product", "sku"];

const bareObjects = (id: string): readonly ItemObject[] =>
  id.startsWith("pc_") ? ["products_collection"] : PRODUCT_OR_SKU;
