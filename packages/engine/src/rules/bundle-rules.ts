import type { BundleRule } from "./contract.js";
import { itemRefsOf } from "./items.js";
import { isObject, type JsonObject } from "./properties.js";
import { numberOf } from "./scalars.js";
import { fieldFault, type RuleFault } from "./source.js";

const LIMIT_MAX = 100;

// A bundle is counted anew for each number of bundles, so its parts are bounded.
const CONDITIONS_MAX = 100;

/** Reads `bundle_rules` (rules.md §6.6); nothing in it, no bundle. */
export function compileBundle(source: unknown): { bundle: BundleRule | null } | { fault: RuleFault } {
  if (source === undefined || source === null) return { bundle: null };
  if (!isObject(source)) return { fault: fieldFault("bundle_rules", "must be an object") };
  const { limit: written, logic: _logic, ...leaves } = source;
  const limit = written === undefined || written === null ? 1 : written;
  if (typeof limit !== "number" || !Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
    return { fault: fieldFault("bundle_rules.limit", `must be an integer from 1 to ${LIMIT_MAX}`) };
  }
  const count = Object.keys(leaves).length;
  if (count === 0) return { bundle: null };
  if (count > CONDITIONS_MAX)
    return { fault: fieldFault("bundle_rules", `must not have more than ${CONDITIONS_MAX} rules`) };
  const conditions: BundleRule["conditions"][number][] = [];
  for (let number = 1; number <= count; number += 1) {
    const leaf = leaves[String(number)];
    if (!isObject(leaf)) return { fault: fieldFault("bundle_rules", "must be numbered from 1 without gaps") };
    const read = conditionOf(leaf, `bundle_rules.${number}`);
    if ("fault" in read) return read;
    conditions.push(read.condition);
  }
  return { bundle: { limit, conditions } };
}

/**
 * What is wrong with `bundle_rules` as a caller sends them, though they could be read (rules.md §6.6): what is stored already
 * was accepted once, and holds without what says nothing.
 */
export function faultOfSentBundle(source: unknown): RuleFault | null {
  if (!isObject(source) || Object.keys(source).length === 0) return null;
  const { limit: _limit, logic, ...leaves } = source;
  if (logic !== undefined)
    return fieldFault("bundle_rules.logic", "must not be given: every rule of a bundle must be met");
  if (Object.keys(leaves).length === 0) return fieldFault("bundle_rules", "must have at least one rule");
  for (const [number, leaf] of Object.entries(leaves)) {
    const [operand] = isObject(leaf) ? onlyOperands(leaf.conditions) : [];
    const fault = faultOfSentOperand(operand, `bundle_rules.${number}.conditions.$is[0]`);
    if (fault !== null) return fault;
  }
  return null;
}

/** Beside what names it, the object of a leaf says what it is, in both ways of the contract. */
function faultOfSentOperand(operand: unknown, path: string): RuleFault | null {
  if (!isObject(operand)) return null;
  if (typeof operand.id !== "string" || operand.id === "") return fieldFault(`${path}.id`, "is required");
  for (const [field, choices] of Object.entries(NAMED_BY)) {
    if (!choices.includes(operand[field] as string))
      return fieldFault(`${path}.${field}`, `must be one of ${choices.join(", ")}`);
  }
  return null;
}

const NAMED_BY: Readonly<Record<string, readonly string[]>> = {
  type: ["product_or_sku", "products_collection"],
  object: ["products_collection", "product", "sku"],
};

function conditionOf(
  { name, conditions, rules }: JsonObject,
  path: string,
): { condition: BundleRule["conditions"][number] } | { fault: RuleFault } {
  if (name !== "order.items.any") return { fault: fieldFault(`${path}.name`, "must be order.items.any in a bundle") };
  const operands = onlyOperands(conditions);
  const [item, ...more] = operands.flatMap((operand) => (isObject(operand) ? itemRefsOf(operand, null) : []));
  if (item === undefined || more.length > 0)
    return { fault: fieldFault(`${path}.conditions`, "must name exactly one object in '$is'") };
  const quantity = quantityOf(rules);
  if (quantity === null) {
    const only = "must hold nothing but order.items.aggregated_quantity with a whole number of at least 1 in '$is'";
    return { fault: fieldFault(`${path}.rules`, only) };
  }
  return { condition: { item, quantity } };
}

/** Units that one bundle takes; one unless a nested rule says more. */
function quantityOf(rules: unknown): number | null {
  if (rules === undefined || rules === null) return 1;
  if (!isObject(rules)) return null;
  const { logic: _logic, ...leaves } = rules;
  const nested = Object.values(leaves);
  if (nested.length === 0) return 1;
  const [leaf] = nested;
  if (nested.length > 1 || !isObject(leaf) || leaf.name !== "order.items.aggregated_quantity") return null;
  const quantity = numberOf(onlyOperands(leaf.conditions)[0]);
  return quantity !== null && Number.isSafeInteger(quantity) && quantity >= 1 ? quantity : null;
}

function onlyOperands(conditions: unknown): readonly unknown[] {
  if (!isObject(conditions) || Object.keys(conditions).join() !== "$is") return [];
  return Array.isArray(conditions.$is) ? conditions.$is : [conditions.$is];
}
