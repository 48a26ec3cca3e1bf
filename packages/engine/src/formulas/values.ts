import { Decimal } from "decimal.js";
import { DAY } from "../calendar/zone.js";
import type { Instant } from "../facts.js";
import { dayOfMoment, instantOf, instantOfLocal, localDay, parseMoment } from "../rules/moments.js";

// Ten digits more than anything is compared or rounded with, so that 1 / 3 * 3 is 1 again. Beyond
// 10^100 a value is an overflow, and so null.
export const Exact = Decimal.clone({ precision: 50, rounding: Decimal.ROUND_HALF_UP, maxE: 100, minE: -100 });

const DIGITS_SETTLED = 40;

/** A value of the formula language (discounts.md §10). Null: missing, or could not be computed. */
export type FormulaValue = Decimal | string | boolean | FormulaMoment | readonly FormulaScalar[] | null;

export type FormulaScalar = Decimal | string | boolean;

/** A date or date-time in the project's zone; a date without a time begins with its day. */
interface FormulaMoment {
  readonly instant: Instant;
  /** Days since 1970-01-01 on the local calendar. */
  readonly day: number;
}

export const isNumber = (value: FormulaValue): value is Decimal => Exact.isDecimal(value);

export const isList = (value: FormulaValue): value is readonly FormulaScalar[] => Array.isArray(value);

const isMoment = (value: FormulaValue): value is FormulaMoment =>
  typeof value === "object" && value !== null && "instant" in value;

export const momentAt = (instant: Instant, time_zone: string): FormulaMoment => ({
  instant,
  day: localDay(instant, time_zone),
});

export const startOfDay = (day: number, time_zone: string): FormulaMoment => ({
  instant: instantOfLocal(day * DAY, time_zone),
  day,
});

/** A moment as it is, or the date that an ISO 8601 text holds: metadata has no other way to hold one. */
export function momentOf(value: FormulaValue, time_zone: string): FormulaMoment | null {
  if (isMoment(value)) return value;
  const written = parseMoment(value);
  return written && { instant: instantOf(written, time_zone), day: dayOfMoment(written, time_zone) };
}

/** A number without the noise that divisions leave in its last digits. */
export const settled = (value: Decimal): Decimal => value.toSignificantDigits(DIGITS_SETTLED);

/** A number, or null when it went out of bounds. */
export const bounded = (value: Decimal): Decimal | null => (value.isFinite() ? value : null);

/** Metadata as a formula sees it: JSON types are kept, objects have no counterpart. */
export function valueOfJson(json: unknown): FormulaValue {
  if (Array.isArray(json)) return json.map(scalarOfJson).filter((element) => element !== null);
  return scalarOfJson(json);
}

function scalarOfJson(json: unknown): FormulaScalar | null {
  if (typeof json === "number") return bounded(new Exact(json));
  return typeof json === "string" || typeof json === "boolean" ? json : null;
}

/** Compares two values that are not null: equal numbers, texts, booleans, moments or lists. */
export function isEqual(left: FormulaValue, right: FormulaValue): boolean {
  if (isNumber(left)) return isNumber(right) && settled(left).eq(settled(right));
  if (isList(left)) {
    return isList(right) && left.length === right.length && left.every((value, i) => isEqual(value, right[i] ?? null));
  }
  if (isMoment(left)) return isMoment(right) && left.instant === right.instant;
  return left === right;
}
