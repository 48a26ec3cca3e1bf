import type { ItemRef, Scenario } from "../rules/contract.js";
import { itemRefsOf } from "../rules/items.js";
import type { Expression, Leaf } from "../rules/nodes.js";
import type { Condition } from "../rules/operators.js";
import type { ValidationRule } from "../rules/rule.js";
import { numberOf } from "../rules/scalars.js";
import {
  ANYTHING,
  type Atom,
  allOf,
  type Dimension,
  isAnything,
  oneOf,
  type Predicates,
  someOf,
  within,
} from "./predicates.js";

const COMPLETE_BUNDLES: readonly Scenario[] = ["ALL", "CUSTOMER_WALLET", "PROMOTION_STACKS"];

/**
 * What a rule lets one know cheaply: equalities of segments, tiers, items, collections and metadata, and
 * bounds of amounts. Leaves that say nothing cheap, or that the scenario leaves out, count as true, so
 * the predicates hold wherever the rule does, and sometimes where it does not.
 */
export function predicatesOf(rule: ValidationRule, scenario: Scenario | null): Predicates {
  const tree = ofExpression(rule.expression, scenario);
  const bundled = scenario === null || COMPLETE_BUNDLES.includes(scenario);
  if (rule.bundle === null || !bundled) return tree;
  return allOf([tree, ...rule.bundle.conditions.map(({ item }) => namedItems([item]))]);
}

function ofExpression(expression: Expression, scenario: Scenario | null): Predicates {
  if (expression.kind === "leaf") return ofLeaf(expression.leaf, scenario);
  const parts = expression.parts.map((part) => ofExpression(part, scenario));
  return expression.kind === "and" ? allOf(parts) : someOf(parts);
}

function ofLeaf(leaf: Leaf, scenario: Scenario | null): Predicates {
  const left_out = scenario !== null && leaf.rule.omitted_in.has(scenario);
  const nested = leaf.nested === null ? ANYTHING : ofExpression(leaf.nested.expression, scenario);
  if (left_out) return nested;
  const own = allOf(leaf.conditions.map((condition) => ofCondition(leaf, condition)));
  // An item rule that no line has to satisfy, such as a negative one on an empty cart, never asks what is nested.
  return leaf.look.kind === "items" && isAnything(own) ? own : allOf([own, nested]);
}

function ofCondition(leaf: Leaf, condition: Condition): Predicates {
  const dimension = DIMENSION_OF[leaf.rule.name];
  if (dimension !== undefined) return bounded(dimension, condition);
  if (leaf.look.kind === "items" && leaf.rule.name !== "product.metadata") return ofItems(leaf, condition);
  const family = familyOf(leaf);
  if (family === null || condition.equals === null) return ANYTHING;
  return oneOf(condition.equals.map((value) => ({ family, value })));
}

const DIMENSION_OF: Readonly<Record<string, Dimension>> = {
  "order.initial_amount": "initial_amount",
  "order.amount": "amount",
  "order.items.count": "units",
};

function bounded(dimension: Dimension, { canonical, operands }: Condition): Predicates {
  const bound = numberOf(operands[0]);
  if (bound === null) return ANYTHING;
  switch (canonical) {
    case "$more_than":
    case "$more_than_or_equal":
      return within(dimension, bound, Number.POSITIVE_INFINITY);
    case "$less_than":
    case "$less_than_or_equal":
      return within(dimension, Number.NEGATIVE_INFINITY, bound);
    case "$is":
      return operands.length === 1 ? within(dimension, bound, bound) : ANYTHING;
    default:
      return ANYTHING;
  }
}

/** Where the values of a leaf come from; null for what is not cheap to look up. */
function familyOf({ rule: { name }, property }: Leaf): string | null {
  switch (name) {
    case "customer.segment":
      return name;
    case "customer.loyalty_tier":
    case "customer.loyalty.tier":
      return "customer.loyalty_tier";
    case "customer.metadata":
    case "order.metadata":
    case "redemption.metadata":
    case "product.metadata":
      return `${name}.${property}`;
    case "order.items.metadata_any":
      return `order.items.metadata.${property}`;
    default:
      return null;
  }
}

function ofItems({ rule: { name } }: Leaf, { canonical, operands }: Condition): Predicates {
  if (name === "order.items.none") return ANYTHING;
  if (canonical === "$from") {
    return allOf(operands.map((operand) => namedItems(itemRefsOf(operand, "products_collection"))));
  }
  if (canonical !== "$is" && canonical !== "$in") return ANYTHING;
  const object = name === "product.id" ? "product" : name === "sku.id" ? "sku" : null;
  return namedItems(operands.flatMap((operand) => itemRefsOf(operand, object)));
}

/** Some line is one of the items. */
const namedItems = (items: readonly ItemRef[]): Predicates => oneOf(items.flatMap(atomsOfItem));

function atomsOfItem({ object, id, source_id }: ItemRef): Atom[] {
  if (object === "products_collection") return id === null ? [] : [{ family: "collection", value: id }];
  const atoms: Atom[] = [];
  if (id !== null) atoms.push({ family: `${object}.id`, value: id });
  if (source_id !== null) atoms.push({ family: `${object}.source_id`, value: source_id });
  return atoms;
}
