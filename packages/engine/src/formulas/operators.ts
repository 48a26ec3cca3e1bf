import type { Decimal } from "decimal.js";
import type { FormulaOperands } from "../discounts/formula.contract.js";
import { holdsText } from "../texts.js";
import { workOfText } from "../work.js";
import {
  bounded,
  Exact,
  type FormulaScalar,
  type FormulaValue,
  isEqual,
  isList,
  isNumber,
  momentOf,
  settled,
} from "./values.js";

/** A compiled part of a formula. */
export type Expression = (operands: FormulaOperands) => FormulaValue;

type Arithmetic = (left: Decimal, right: Decimal) => Decimal;

// decimal.js answers a division by zero with infinity or NaN, which `bounded` turns into null.
const ARITHMETIC: Readonly<Record<string, Arithmetic>> = {
  "+": (left, right) => left.plus(right),
  "-": (left, right) => left.minus(right),
  "*": (left, right) => left.times(right),
  "/": (left, right) => left.div(right),
  "%": (left, right) => left.mod(right),
};

/** An arithmetic operator over two parts; null unless both are numbers (discounts.md §10). */
export function arithmetic(symbol: string, left: Expression, right: Expression): Expression {
  const compute = ARITHMETIC[symbol] as Arithmetic;
  return (operands) => {
    const a = left(operands);
    if (!isNumber(a)) return null;
    const b = right(operands);
    return isNumber(b) ? bounded(compute(a, b)) : null;
  };
}

export function negated(part: Expression): Expression {
  return (operands) => {
    const value = part(operands);
    return isNumber(value) ? value.neg() : null;
  };
}

type Present = Exclude<FormulaValue, null>;

type Comparison = (left: Present, right: Present, time_zone: string) => boolean | null;

const numbers =
  (holds: (left: Decimal, right: Decimal) => boolean): Comparison =>
  (left, right) =>
    isNumber(left) && isNumber(right) ? holds(settled(left), settled(right)) : null;

const texts =
  (holds: (left: string, right: string) => boolean): Comparison =>
  (left, right) =>
    typeof left === "string" && typeof right === "string" ? holds(left, right) : null;

const dates =
  (holds: (left: { instant: number; day: number }, right: { instant: number; day: number }) => boolean): Comparison =>
  (left, right, time_zone) => {
    const a = momentOf(left, time_zone);
    const b = momentOf(right, time_zone);
    return a && b && holds(a, b);
  };

const not =
  (comparison: Comparison): Comparison =>
  (left, right, time_zone) => {
    const holds = comparison(left, right, time_zone);
    return holds === null ? null : !holds;
  };

const contains: Comparison = (left, right) => {
  if (isList(left)) return left.some((element) => isEqual(element, right));
  return typeof left === "string" && typeof right === "string" ? holdsText(left, right) : null;
};

// The list is one text, so that a number has to be compared with the number each part spells.
const inArray: Comparison = (left, right) => {
  if (typeof right !== "string") return null;
  const parts = right.split(",").map((part) => part.trim());
  const isListed = (value: FormulaScalar) =>
    parts.some((part) => (isNumber(value) ? spells(part, value) : part === value));
  if (isList(left)) return left.some(isListed);
  return typeof left === "string" || isNumber(left) ? isListed(left) : null;
};

const spells = (part: string, value: Decimal) => /^-?\d+(\.\d+)?$/.test(part) && isEqual(new Exact(part), value);

const dateIs = dates((left, right) => left.day === right.day);

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  ">": numbers((left, right) => left.gt(right)),
  "<": numbers((left, right) => left.lt(right)),
  ">=": numbers((left, right) => left.gte(right)),
  "<=": numbers((left, right) => left.lte(right)),
  // A number beside something else is a wrong type here, while `is` may ask about any two values.
  "=": (left, right) => (isNumber(left) === isNumber(right) ? isEqual(left, right) : null),
  is: isEqual,
  isNot: not(isEqual),
  contains,
  startsWith: texts((left, right) => left.startsWith(right)),
  endsWith: texts((left, right) => left.endsWith(right)),
  IN_ARRAY: inArray,
  NOT_IN_ARRAY: not(inArray),
  DATE_IS: dateIs,
  DATE_IS_NOT: not(dateIs),
  IS_AFTER: dates((left, right) => left.instant > right.instant),
  IS_BEFORE: dates((left, right) => left.instant < right.instant),
};

export const isComparison = (word: string) => Object.hasOwn(COMPARISONS, word);

/** A text may be as long as metadata is, and so may a list. */
const workOfValue = (value: Present) =>
  typeof value === "string" ? 4 * workOfText(value) : isList(value) ? 20 * value.length : 0;

export function compared(word: string, left: Expression, right: Expression): Expression {
  const compare = COMPARISONS[word] as Comparison;
  return (operands) => {
    const a = left(operands);
    if (a === null) return null;
    const b = right(operands);
    if (b === null) return null;
    for (const value of [a, b]) operands.work?.spend(workOfValue(value));
    return compare(a, b, operands.time_zone);
  };
}

/**
 * `AND` and `OR` of several parts. A part that is null or no boolean leaves the whole null unless another
 * part settles it: `OR` with one true part is true however little is known of the rest.
 */
export function joined(settling: boolean, parts: readonly Expression[]): Expression {
  return (operands) => {
    let known = true;
    for (const part of parts) {
      const value = part(operands);
      if (value === settling) return settling;
      if (value !== !settling) known = false;
    }
    return known ? !settling : null;
  };
}
