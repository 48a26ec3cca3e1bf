import type { RuleName } from "./catalogue/index.js";
import { itemRefsOf } from "./items.js";
import { operandProblem } from "./operands.js";
import { type OperatorName, operatorOf, takesOne } from "./operator-names.js";
import { type Condition, compileCondition, unreadCondition } from "./operators.js";
import { isObject } from "./properties.js";
import { numberOf, type ValueType } from "./scalars.js";
import { fault, fieldFault, quoted, type RuleFault } from "./source.js";

/** Compiles the `conditions` of a leaf; several are joined with AND (rules.md §2). `path` is the leaf's. */
export function compileConditions(
  source: unknown,
  rule: RuleName,
  type: ValueType | null,
  path: string,
): { conditions: Condition[] } | { fault: RuleFault } {
  if (source === undefined || source === null) return { conditions: [] };
  if (!isObject(source)) return { fault: fieldFault(`${path}.conditions`, "must be an object") };
  const conditions: Condition[] = [];
  for (const [operator, written] of Object.entries(source)) {
    const at = `${path}.conditions.${quoted(operator)}`;
    const canonical = operatorOf(operator);
    if (canonical === null) return { fault: fault(at, `Condition '${quoted(operator)}' is not supported`) };
    if (!rule.operators.includes(canonical)) {
      return { fault: fault(at, `Condition '${operator}' is not supported by rule '${rule.name}'`) };
    }
    const operands = operandsOf(written);
    // No weekday at all is a legal list of weekdays.
    const may_be_empty = canonical === "$dow" && Array.isArray(written);
    if (operands.length === 0 && !may_be_empty) {
      return { fault: fault(at, `Condition '${operator}' must be a non-empty array`) };
    }
    const wrong = operandsFault(rule, canonical, operands, at);
    if (wrong !== null) return { fault: wrong };
    conditions.push(conditionOf(rule, operator, canonical, operands, type));
  }
  return { conditions };
}

function operandsFault(
  { look, counter }: RuleName,
  operator: OperatorName,
  operands: readonly unknown[],
  path: string,
): RuleFault | null {
  if (takesOne(operator) && operands.length > 1) return fieldFault(path, "must have a single value");
  for (const [i, operand] of operands.entries()) {
    const problem =
      operandProblem(operator, operand) ??
      (look.kind === "items" ? itemProblem(operator, operand) : null) ??
      (counter === null ? null : countedProblem(operand));
    if (problem !== null) return fieldFault(`${path}[${i}]`, problem);
  }
  return null;
}

const itemProblem = (operator: OperatorName, operand: unknown) => {
  const [item] = itemRefsOf(operand, operator === "$from" ? "products_collection" : null);
  return item === undefined ? "must name a product, SKU or collection by its 'id' or 'source_id'" : null;
};

/** Counters begin at 0 (rules.md §4). */
const countedProblem = (operand: unknown) => {
  const number = numberOf(operand);
  return number === null || number < 0 ? "must be a number of at least 0" : null;
};

/** A bare scalar is a list of one. */
export function operandsOf(written: unknown): readonly unknown[] {
  if (Array.isArray(written)) return written;
  return written === undefined || written === null ? [] : [written];
}

function conditionOf(
  { look }: RuleName,
  operator: string,
  canonical: OperatorName,
  operands: readonly unknown[],
  type: ValueType | null,
): Condition {
  if (look.kind === "items") return unreadCondition(operator, canonical, operands);
  const compared = look.kind === "value" ? operands.map(idOf) : operands;
  return compileCondition(operator, canonical, compared, type, operands);
}

/** Segments, tiers and keys may be written as `{ "id": … }`. */
export const idOf = (operand: unknown): unknown =>
  isObject(operand) && typeof operand.id === "string" ? operand.id : operand;
