import type { Clock } from "./moments.js";
import {
  COUNTS,
  type CountOperator,
  EQUALITIES,
  isOneOf,
  type OperatorName,
  RANGES,
  type RangeOperator,
  SETS,
  type SetOperator,
  TEXTS,
  type TextOperator,
  TIMES,
} from "./operator-names.js";
import { canonicalText, coerced, elementsOf, isMissing, numberOf, type ValueType } from "./scalars.js";
import { dateEquality, dateOperator, dateRange } from "./time-operators.js";

/** One operator with its operands, read once (rules.md §4). */
export interface Condition {
  /** As written; aliases are stored unchanged. */
  readonly operator: string;
  readonly operands: readonly unknown[];
  readonly canonical: OperatorName;
  holds(value: unknown, clock: Clock): boolean;
  /** How far a number is from holding; null where distance has no meaning. */
  lacking(value: unknown): number | null;
}

/** Compiles an operator over its operands, at least one of them. `type` is the schema's for the value. */
export function compileCondition(
  operator: string,
  canonical: OperatorName,
  operands: readonly unknown[],
  type: ValueType | null,
): Condition {
  const typed = operands.map((operand) => coerced(operand, type));
  const range = isOneOf(RANGES, canonical) ? numericRange(canonical, typed[0], type) : null;
  return {
    operator,
    operands,
    canonical,
    holds: range === null ? testOf(canonical, typed, type) : ofElements(range.holds),
    lacking: (value) => range?.lacking(value) ?? distance(canonical, typed[0], value),
  };
}

type Test = (value: unknown, clock: Clock) => boolean;

function testOf(operator: OperatorName, operands: readonly unknown[], type: ValueType | null): Test {
  if (isOneOf(EQUALITIES, operator)) {
    const equals = equality(operands, type);
    const members = operands.map(canonicalText);
    const some: Test = (value, clock) => {
      if (value instanceof Set) return members.some((member) => value.has(member));
      return !isMissing(value) && elementsOf(value).some((element) => equals(element, clock));
    };
    return operator === "$is" || operator === "$in" ? some : (value, clock) => !some(value, clock);
  }
  if (isOneOf(TEXTS, operator)) return ofElements(textTest(operator, operands));
  if (isOneOf(COUNTS, operator)) return countTest(operator, numberOf(operands[0]));
  if (isOneOf(SETS, operator)) return setTest(operator, operands);
  if (isOneOf(TIMES, operator)) return ofElements(dateOperator(operator, operands));
  // $from beside anything but lines, which item rules read themselves.
  return () => false;
}

/** An array satisfies a positive operator when some element does; what is missing never does. */
const ofElements =
  (test: Test): Test =>
  (value, clock) => {
    if (isMissing(value)) return false;
    return Array.isArray(value) ? value.some((element) => test(element, clock)) : test(value, clock);
  };

function equality(operands: readonly unknown[], type: ValueType | null): Test {
  const texts = new Set(operands.map(canonicalText));
  const equal: Test = (value) => texts.has(canonicalText(value));
  if (type !== "date" && type !== "datetime") return equal;
  const dates = operands.map(dateEquality);
  return (value, clock) => equal(value, clock) || dates.some((isDate) => isDate(value, clock));
}

const COMPARE: Readonly<Record<RangeOperator, (value: number, bound: number) => boolean>> = {
  $less_than: (value, bound) => value < bound,
  $less_than_or_equal: (value, bound) => value <= bound,
  $more_than: (value, bound) => value > bound,
  $more_than_or_equal: (value, bound) => value >= bound,
};

/** Numbers, unless the schema or the look of the operand says that dates are compared (rules.md §5). */
function numericRange(operator: RangeOperator, operand: unknown, type: ValueType | null) {
  const compare = COMPARE[operator];
  const bound = type === "date" || type === "datetime" ? null : numberOf(operand);
  if (bound === null) return { holds: dateRange(operand, compare), lacking: () => null };
  return {
    holds: (value: unknown) => {
      const number = numberOf(value);
      return number !== null && compare(number, bound);
    },
    lacking: (value: unknown) => {
      const number = numberOf(value);
      return number === null || compare(number, bound) ? null : step(operator, number, bound);
    },
  };
}

// Between whole numbers a strict bound lies one further on.
function step(operator: RangeOperator, value: number, bound: number): number {
  const strict = operator === "$more_than" || operator === "$less_than";
  const apart = Math.abs(bound - value);
  return strict && Number.isInteger(apart) ? apart + 1 : apart;
}

function distance(operator: OperatorName, operand: unknown, value: unknown): number | null {
  if (operator !== "$is") return null;
  const number = numberOf(value);
  const wanted = numberOf(operand);
  return number === null || wanted === null || number === wanted ? null : Math.abs(wanted - number);
}

function textTest(operator: TextOperator, operands: readonly unknown[]): Test {
  const wanted = operands.map(canonicalText);
  return (value) => {
    if (typeof value !== "string") return false;
    if (operator === "$starts_with") return wanted.some((text) => value.startsWith(text));
    if (operator === "$ends_with") return wanted.some((text) => value.endsWith(text));
    return wanted.some((text) => value.includes(text));
  };
}

function countTest(operator: CountOperator, wanted: number | null): Test {
  return (value) => {
    const count = isMissing(value) ? 0 : Array.isArray(value) ? value.length : null;
    if (count === null || wanted === null) return false;
    if (operator === "$count") return count === wanted;
    return operator === "$count_more" ? count > wanted : count < wanted;
  };
}

/** A single value counts as an array of one. */
function setTest(operator: SetOperator, operands: readonly unknown[]): Test {
  const wanted = new Set(operands.flatMap(elementsOf).map(canonicalText));
  return (value) => {
    if (isMissing(value)) return operator === "$not_intersect";
    const found = new Set(elementsOf(value).map(canonicalText));
    const shared = [...found].filter((text) => wanted.has(text)).length;
    if (operator === "$not_intersect") return shared === 0;
    return shared === wanted.size && shared === found.size;
  };
}
