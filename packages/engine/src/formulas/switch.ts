import type { Expression } from "./operators.js";
import { isEqual } from "./values.js";

/** `SWITCH`: the first case equal to the subject, else the default; nothing is equal to null (discounts.md §10). */
export function switched(
  subject: Expression,
  cases: readonly { when: Expression; result: Expression }[],
  otherwise: Expression,
): Expression {
  return (operands) => {
    const value = subject(operands);
    if (value === null) return null;
    for (const { when, result } of cases) {
      const candidate = when(operands);
      if (candidate !== null && isEqual(value, candidate)) return result(operands);
    }
    return otherwise(operands);
  };
}
