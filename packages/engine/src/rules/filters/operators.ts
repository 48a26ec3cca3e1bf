import { holdsText, timesSearched } from "../../texts.js";
import { workOfText } from "../../work.js";
import { operandProblem } from "../operands.js";
import { EQUALITIES, isOneOf, OPERATORS, operatorOf, RANGES, TEXTS } from "../operator-names.js";
import { compileCondition } from "../operators.js";
import { canonicalText, elementsOf, isMissing, numberOf } from "../scalars.js";
import type { FilterClock, FilterField, GeoPoint } from "./contract.js";
import { DATE_OPERATORS, type DateTest, dateTestOf, daysAgoRange, NUMBERED_OPERATORS } from "./date-operators.js";
import { pointOf } from "./locations.js";

type Test = (value: unknown, at: FilterClock) => boolean;

const OWN_OPERATORS = ["$has_value", "$is_unknown", "$not_contain", "$in_location", "$not_in_location"] as const;

/** Every operator a filter may have (rules.md §15), those of rules (§4) included. */
export const FILTER_OPERATORS: readonly string[] = [
  ...OPERATORS.filter((operator) => operator !== "$from"),
  "$more_than_equal",
  "$less_than_equal",
  ...OWN_OPERATORS,
  ...DATE_OPERATORS,
];

/** The test of one operator over a field; null when there is no such operator. */
export function compileFilterOperator(operator: string, operands: readonly unknown[], field: FilterField): Test | null {
  switch (operator) {
    case "$has_value":
      return (value) => !isMissing(value);
    case "$is_unknown":
      return (value) => isMissing(value);
    case "$contains":
      return contains(operands);
    case "$not_contain": {
      const positive = contains(operands);
      return (value, at) => !positive(value, at);
    }
    case "$in_location":
      return located(operands, true);
    case "$not_in_location":
      return located(operands, false);
    default:
      return dateTest(operator, operands, field) ?? ruleTest(operator, operands, field);
  }
}

/** Why no value could satisfy an operator with this operand; null when some could. */
export function filterOperandProblem(operator: string, operand: unknown, { is_free }: FilterField): string | null {
  if (!is_free && typeof operand === "object" && operand !== null) return "must be a string, a number or a boolean";
  if (NUMBERED_OPERATORS.includes(operator)) return numberOf(operand) === null ? "must be a number" : null;
  const canonical = operatorOf(operator);
  // Filters ask for what is empty by names of their own, and pass over an empty operand of any other.
  return canonical === null || isOneOf(EQUALITIES, canonical) || isOneOf(TEXTS, canonical)
    ? null
    : operandProblem(canonical, operand);
}

/** Texts hold it as a part, arrays as an element. */
function contains(operands: readonly unknown[]): Test {
  const wanted = operands.map(canonicalText);
  const known = new Set(wanted);
  const times = timesSearched(wanted);
  return (value, { work }) => {
    if (isMissing(value)) return false;
    if (Array.isArray(value)) {
      work?.spend(value.length);
      return value.some((element) => known.has(canonicalText(element)));
    }
    if (typeof value !== "string") return false;
    work?.spend(times * workOfText(value));
    return wanted.some((text) => holdsText(value, text));
  };
}

/** Without a point neither inside nor outside holds. */
function located(operands: readonly unknown[], inside: boolean): Test {
  const locations = operands.filter((operand) => typeof operand === "string");
  return (value, at) => {
    const elements = elementsOf(value);
    at.work?.spend(elements.length * (10 + locations.length));
    const points = elements.flatMap((element) => pointOf(element) ?? []);
    if (points.length === 0) return false;
    return locations.some((id) => holdsSome(id, points, at)) === inside;
  };
}

function holdsSome(id: string, points: readonly GeoPoint[], { location, work }: FilterClock): boolean {
  const found = location?.(id);
  if (found === undefined) return false;
  work?.spend(found.work * points.length);
  return points.some((point) => found.holds(point));
}

const isDateField = ({ type }: FilterField) => type === "date" || type === "datetime";

function dateTest(operator: string, operands: readonly unknown[], field: FilterField): Test | null {
  const test: DateTest | null = dateTestOf(operator, operands, field.recurs_yearly === true);
  if (test !== null) return test;
  const canonical = operatorOf(operator);
  const range = RANGES.find((name) => name === canonical);
  const days = numberOf(operands[0]);
  // A bare number cannot be a date: on a date field it counts days.
  return range !== undefined && days !== null && isDateField(field) ? daysAgoRange(range, days) : null;
}

function ruleTest(operator: string, operands: readonly unknown[], { type }: FilterField): Test | null {
  const canonical = operatorOf(operator);
  if (canonical === null || canonical === "$from") return null;
  const condition = compileCondition(operator, canonical, operands, type);
  return (value, at) => condition.holds(value, at);
}
