import type { OrderLine } from "../orders/order.js";
import type { ItemRef, RuleContext } from "./contract.js";
import { ItemLook, itemRefsOf, type LineTest, type Quantifier } from "./items.js";
import { isNamed, NamedItems } from "./named-items.js";
import type { Look } from "./nodes.js";
import { isNegative } from "./operator-names.js";
import type { Condition } from "./operators.js";
import { readProperty, workOfPath } from "./properties.js";

type ItemObject = ItemRef["object"];

/** How an item rule finds its lines (rules.md §6.2, §6.5). */
export function itemLook(conditions: readonly Condition[], quantifier: Quantifier, object: ItemObject | null): Look {
  const negative = isAllNegative(conditions);
  // "Is not" on an older product rule says that no line is that product, whatever else is in the cart.
  if (object !== null && negative)
    return new ItemLook("none", null, new NamedLines([named(conditions, object)], [], false));
  const from = conditions.filter(({ canonical }) => canonical === "$from");
  const tests = conditions
    .filter(({ canonical }) => canonical !== "$from")
    .map((condition) => ({ ...named([condition], object), positive: !isNegative(condition.canonical) }));
  const test = new NamedLines(tests, refsOf(from, "products_collection"), negative);
  return new ItemLook(quantifier, quantifier === "none" ? null : quantifier !== "any", test);
}

const isAllNegative = (conditions: readonly Condition[]) =>
  conditions.length > 0 && conditions.every(({ canonical }) => isNegative(canonical));

const refsOf = (conditions: readonly Condition[], object: ItemObject | null) =>
  conditions.flatMap(({ operands }) => operands.flatMap((operand) => itemRefsOf(operand, object)));

interface Naming {
  readonly named: NamedItems<ItemRef>;
  /** False: the line must be none of them. */
  readonly positive: boolean;
}

/** An operator that means nothing for lines names nothing, and so holds for none. */
function named(conditions: readonly Condition[], object: ItemObject | null): Naming {
  const meaningful = conditions.filter(
    ({ canonical }) => canonical === "$is" || canonical === "$in" || canonical === "$is_not" || canonical === "$not_in",
  );
  return { named: new NamedItems(refsOf(meaningful, object)), positive: true };
}

class NamedLines implements LineTest {
  constructor(
    private readonly namings: readonly Naming[],
    private readonly collections: readonly ItemRef[],
    readonly negative: boolean,
  ) {}

  get items() {
    return [...this.namings.flatMap(({ named }) => named.items), ...this.collections];
  }

  matches(line: OrderLine, context: RuleContext): boolean {
    const { in_collection, work } = context;
    for (const { named, positive } of this.namings)
      if (named.names(line, in_collection, work) !== positive) return false;
    return true;
  }

  belongs(line: OrderLine, context: RuleContext): boolean {
    context.work?.spend(10 * this.collections.length);
    for (const collection of this.collections) if (!isNamed(collection, line, context.in_collection)) return false;
    return true;
  }
}

/** How `product.metadata` finds its lines: some, or with `match_all` every line of the cart. */
export function productMetadataLook(conditions: readonly Condition[], property: string, match_all: boolean): Look {
  return new ItemLook(match_all ? "every" : "any", match_all, new ProductMetadata(conditions, property));
}

const NO_ITEMS: readonly ItemRef[] = [];

class ProductMetadata implements LineTest {
  readonly negative: boolean;
  readonly items = NO_ITEMS;

  constructor(
    private readonly conditions: readonly Condition[],
    private readonly property: string,
  ) {
    this.negative = isAllNegative(conditions);
  }

  matches(line: OrderLine, context: RuleContext): boolean {
    context.work?.spend(1 + this.conditions.length + workOfPath(this.property));
    const value = readProperty(line.product_metadata, this.property);
    return this.conditions.every((condition) => condition.holds(value, context));
  }

  belongs(): boolean {
    return true;
  }
}
