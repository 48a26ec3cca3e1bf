import type { RuleName } from "./catalogue/index.js";
import { type OperatorName, operatorOf } from "./operator-names.js";
import { type Condition, compileCondition, unreadCondition } from "./operators.js";
import { isObject } from "./properties.js";
import type { ValueType } from "./scalars.js";
import { fault, quoted, type RuleFault } from "./source.js";

/** Compiles the `conditions` of a leaf; several are joined with AND (rules.md §2). */
export function compileConditions(
  source: unknown,
  rule: RuleName,
  type: ValueType | null,
): { conditions: Condition[] } | { fault: RuleFault } {
  if (source === undefined || source === null) return { conditions: [] };
  if (!isObject(source)) return { fault: fault(`Conditions of rule '${rule.name}' must be an object`) };
  const conditions: Condition[] = [];
  for (const [operator, written] of Object.entries(source)) {
    const canonical = operatorOf(operator);
    if (canonical === null) return { fault: fault(`Condition '${quoted(operator)}' is not supported`) };
    const operands = operandsOf(written);
    // No weekday at all is a legal list of weekdays.
    const may_be_empty = canonical === "$dow" && Array.isArray(written);
    if (operands.length === 0 && !may_be_empty) {
      return { fault: fault(`Condition '${operator}' must be a non-empty array`) };
    }
    conditions.push(conditionOf(rule, operator, canonical, operands, type));
  }
  return { conditions };
}

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

// Segments, tiers and keys may be written as `{ "id": … }`.
const idOf = (operand: unknown): unknown =>
  isObject(operand) && typeof operand.id === "string" ? operand.id : operand;
