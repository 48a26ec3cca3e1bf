import { holdsText, timesSearched } from "../texts.js";
import { type Work, workOfText } from "../work.js";
import type { Clock } from "./moments.js";
import {
  COUNTS,
  type CountOperator,
  EQUALITIES,
  type EqualityOperator,
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
  /** The texts of which the value must equal one; null when other things decide as well. */
  readonly equals: readonly string[] | null;
  /** How far a number is from holding; null where distance has no meaning. */
  lacking(value: unknown): number | null;
}

/** Compiles an operator over its operands, at least one of them. `type` is the schema's for the value. */
export function compileCondition(
  operator: string,
  canonical: OperatorName,
  operands: readonly unknown[],
  type: ValueType | null,
  shown: readonly unknown[] = operands,
): Condition {
  const typed = operands.map((operand) => coerced(operand, type));
  const is_date = type === "date" || type === "datetime";
  if (isOneOf(EQUALITIES, canonical)) return new Equality(operator, canonical, shown, typed, is_date);
  if (isOneOf(RANGES, canonical)) {
    const bound = is_date ? null : numberOf(typed[0]);
    if (bound !== null) return new NumericRange(operator, canonical, shown, bound);
    return new Tested(operator, canonical, shown, ofElements(dateRange(typed[0], COMPARE[canonical])));
  }
  return new Tested(operator, canonical, shown, testOf(canonical, typed));
}

type Test = (value: unknown, clock: Clock) => boolean;

// A longer list is looked up, a shorter one walked: a Set takes 200 bytes, and most lists hold one text.
const WALKED_MAX = 8;

class Equality implements Condition {
  private readonly texts: readonly string[];
  private readonly known: ReadonlySet<string> | null;
  private readonly dates: readonly Test[] | null;

  constructor(
    readonly operator: string,
    readonly canonical: EqualityOperator,
    readonly operands: readonly unknown[],
    typed: readonly unknown[],
    is_date: boolean,
  ) {
    this.texts = typed.map(canonicalText);
    this.known = this.texts.length > WALKED_MAX ? new Set(this.texts) : null;
    this.dates = is_date ? typed.map(dateEquality) : null;
  }

  get equals() {
    return this.dates === null && this.isPositive ? this.texts : null;
  }

  holds(value: unknown, clock: Clock): boolean {
    return this.some(value, clock) === this.isPositive;
  }

  lacking(value: unknown): number | null {
    const found = numberOf(value);
    const wanted = numberOf(this.texts[0]);
    if (this.canonical !== "$is" || found === null || wanted === null) return null;
    return found === wanted ? null : Math.abs(wanted - found);
  }

  private get isPositive() {
    return this.canonical === "$is" || this.canonical === "$in";
  }

  private some(value: unknown, clock: Clock): boolean {
    if (isMissing(value)) return false;
    if (Array.isArray(value)) {
      clock.work?.spend(value.length);
      return value.some((element) => this.isOne(element, clock));
    }
    if (value instanceof Set) return this.texts.some((text) => value.has(text));
    return this.isOne(value, clock);
  }

  // An empty element of an array is no text "null".
  private isOne(value: unknown, clock: Clock): boolean {
    if (isMissing(value)) return false;
    const text = textOf(value, clock.work);
    if (this.known === null ? this.texts.includes(text) : this.known.has(text)) return true;
    if (this.dates === null) return false;
    clock.work?.spend(WORK_OF_DATE * this.dates.length);
    return this.dates.some((isDate) => isDate(value, clock));
  }
}

const COMPARE: Readonly<Record<RangeOperator, (value: number, bound: number) => boolean>> = {
  $less_than: (value, bound) => value < bound,
  $less_than_or_equal: (value, bound) => value <= bound,
  $more_than: (value, bound) => value > bound,
  $more_than_or_equal: (value, bound) => value >= bound,
};

class NumericRange implements Condition {
  readonly equals = null;

  constructor(
    readonly operator: string,
    readonly canonical: RangeOperator,
    readonly operands: readonly unknown[],
    private readonly bound: number,
  ) {}

  holds(value: unknown, { work }: Clock): boolean {
    if (Array.isArray(value)) work?.spend(value.length);
    if (Array.isArray(value)) return value.some((element) => this.isWithin(element));
    return this.isWithin(value);
  }

  // Between whole numbers a strict bound lies one further on.
  lacking(value: unknown): number | null {
    const number = numberOf(value);
    if (number === null || this.isWithin(number)) return null;
    const strict = this.canonical === "$more_than" || this.canonical === "$less_than";
    const apart = Math.abs(this.bound - number);
    return strict && Number.isInteger(apart) ? apart + 1 : apart;
  }

  private isWithin(value: unknown): boolean {
    const number = numberOf(value);
    return number !== null && COMPARE[this.canonical](number, this.bound);
  }
}

/** Any other operator: a test of its own. */
class Tested implements Condition {
  readonly equals = null;

  constructor(
    readonly operator: string,
    readonly canonical: OperatorName,
    readonly operands: readonly unknown[],
    private readonly test: Test,
  ) {}

  holds(value: unknown, clock: Clock): boolean {
    return this.test(value, clock);
  }

  lacking() {
    return null;
  }
}

/** Item rules read their operands themselves, as references to lines. */
export const unreadCondition = (operator: string, canonical: OperatorName, operands: readonly unknown[]): Condition =>
  new Tested(operator, canonical, operands, never);

const never: Test = () => false;

function testOf(operator: OperatorName, operands: readonly unknown[]): Test {
  if (isOneOf(TEXTS, operator)) return ofElements(textTest(operator, operands));
  if (isOneOf(COUNTS, operator)) return countTest(operator, numberOf(operands[0]));
  if (isOneOf(SETS, operator)) return setTest(operator, operands);
  if (isOneOf(TIMES, operator)) return ofElements(timed(operands.length, dateOperator(operator, operands)));
  // $from beside anything but lines, which item rules read themselves.
  return never;
}

/** A test that reads a date and compares it with so many others. */
const timed =
  (operands: number, test: Test): Test =>
  (value, clock) => {
    clock.work?.spend(WORK_OF_DATE * operands);
    return test(value, clock);
  };

/** Reading two dates and comparing them in a time zone. */
const WORK_OF_DATE = 20;

/** A value as text; an object is written out for it. */
function textOf(value: unknown, work: Work | undefined): string {
  const text = canonicalText(value);
  if (typeof value === "object") work?.spend(workOfText(text) * WRITTEN_OUT);
  return text;
}

/** How many times longer than looking through a text it takes to write one out. */
const WRITTEN_OUT = 4;

/** An array satisfies a positive operator when some element does; what is missing never does. */
const ofElements =
  (test: Test): Test =>
  (value, clock) => {
    if (isMissing(value)) return false;
    if (!Array.isArray(value)) return test(value, clock);
    clock.work?.spend(value.length);
    return value.some((element) => test(element, clock));
  };

function textTest(operator: TextOperator, operands: readonly unknown[]): Test {
  const wanted = operands.map(canonicalText);
  const times = timesSearched(wanted);
  return (value, { work }) => {
    if (typeof value !== "string") return false;
    work?.spend(operator === "$contains" ? times * workOfText(value) : wanted.length);
    if (operator === "$starts_with") return wanted.some((text) => value.startsWith(text));
    if (operator === "$ends_with") return wanted.some((text) => value.endsWith(text));
    return wanted.some((text) => holdsText(value, text));
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
  return (value, { work }) => {
    if (isMissing(value)) return operator === "$not_intersect";
    const elements = elementsOf(value);
    work?.spend(2 * elements.length);
    const found = new Set(elements.map((element) => textOf(element, work)));
    const shared = [...found].filter((text) => wanted.has(text)).length;
    if (operator === "$not_intersect") return shared === 0;
    return shared === wanted.size && shared === found.size;
  };
}
