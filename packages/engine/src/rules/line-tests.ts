import type { OrderLine } from "../orders/order.js";
import type { ItemRef, RuleContext } from "./contract.js";
import { itemRefsOf, type LineTest, matcher, namesLine, type Quantifier } from "./items.js";
import type { Look } from "./nodes.js";
import { isNegative } from "./operator-names.js";
import type { Condition } from "./operators.js";
import { readProperty } from "./properties.js";

type ItemObject = ItemRef["object"];

/** How an item rule finds its lines (rules.md §6.2, §6.5). */
export function itemLook(conditions: readonly Condition[], quantifier: Quantifier, object: ItemObject | null): Look {
  const negative = isAllNegative(conditions);
  const every = quantifier === "none" ? null : quantifier !== "any";
  // "Is not" on an older product rule says that no line is that product, whatever else is in the cart.
  if (object !== null && negative) {
    const named = refsOf(conditions, object);
    return {
      kind: "items",
      every: null,
      match: matcher(
        "none",
        testOf((line, context) => namesLine(named, line, context)),
      ),
    };
  }
  return { kind: "items", every, match: matcher(quantifier, lineTest(conditions, object, negative)) };
}

const isAllNegative = (conditions: readonly Condition[]) =>
  conditions.length > 0 && conditions.every(({ canonical }) => isNegative(canonical));

const refsOf = (conditions: readonly Condition[], object: ItemObject | null) =>
  conditions.flatMap(({ operands }) => operands.flatMap((operand) => itemRefsOf(operand, object)));

const testOf = (matches: LineTest["matches"], negative = false): LineTest => ({
  matches,
  belongs: () => true,
  negative,
});

function lineTest(conditions: readonly Condition[], object: ItemObject | null, negative: boolean): LineTest {
  const from = refsOf(
    conditions.filter(({ canonical }) => canonical === "$from"),
    "products_collection",
  );
  const tests = conditions
    .filter(({ canonical }) => canonical !== "$from")
    .map((condition) => {
      const named = refsOf([condition], object);
      if (condition.canonical === "$is" || condition.canonical === "$in") {
        return (line: OrderLine, context: RuleContext) => namesLine(named, line, context);
      }
      if (!isNegative(condition.canonical)) return () => false;
      return (line: OrderLine, context: RuleContext) => !namesLine(named, line, context);
    });
  return {
    matches: (line, context) => tests.every((test) => test(line, context)),
    belongs: (line, context) => from.every((collection) => namesLine([collection], line, context)),
    negative,
  };
}

/** How `product.metadata` finds its lines: some, or with `match_all` every line of the cart. */
export function productMetadataLook(conditions: readonly Condition[], property: string, match_all: boolean): Look {
  const matches: LineTest["matches"] = (line, context) => {
    const value = readProperty(line.product_metadata, property);
    return conditions.every((condition) => condition.holds(value, context));
  };
  const quantifier = match_all ? "every" : "any";
  return { kind: "items", every: match_all, match: matcher(quantifier, testOf(matches, isAllNegative(conditions))) };
}
