import { Decimal } from "decimal.js";
import type { FormulaOperands } from "../discounts/formula.contract.js";
import { dateOfDay, localDay, monthsBetween } from "../rules/moments.js";
import type { Expression } from "./operators.js";
import { bounded, Exact, type FormulaValue, isNumber, momentOf, settled } from "./values.js";

/** A function of the formula language (discounts.md §10). */
interface FormulaFunction {
  readonly arguments_min: number;
  readonly arguments_max: number;
  /** Work of one call, counted in numbers added. */
  readonly cost: number;
  call(parts: readonly Expression[]): Expression;
}

type Rounding = Decimal.Rounding;

// The exponent decides how long a power takes. A root at full precision takes 0.8 ms, at twenty digits 0.1 ms.
const POWER_MAX = 1000;
const POWER_COST = 60;
const Rough = Exact.clone({ precision: 20 });
const DIGITS_MAX = 30;

/** Any null or any value that is no number makes the whole null. */
function ofNumbers(compute: (numbers: Decimal[]) => Decimal | null) {
  return (parts: readonly Expression[]): Expression =>
    (operands) => {
      const numbers: Decimal[] = [];
      for (const part of parts) {
        const value = part(operands);
        if (!isNumber(value)) return null;
        numbers.push(value);
      }
      return compute(numbers);
    };
}

const rounding = (mode: Rounding): FormulaFunction => ({
  arguments_min: 1,
  arguments_max: 2,
  cost: 2,
  call: ofNumbers(([value = new Exact(0), digits = new Exact(0)]) => {
    const places = digits.toNumber();
    if (!Number.isInteger(places) || Math.abs(places) > DIGITS_MAX) return null;
    // Rounding to tens is rounding to units of a tenth of the number.
    const scale = new Exact(10).pow(Math.max(0, -places));
    return settled(value).div(scale).toDecimalPlaces(Math.max(0, places), mode).times(scale);
  }),
});

const extreme = (sign: 1 | -1): FormulaFunction => ({
  arguments_min: 1,
  arguments_max: Number.POSITIVE_INFINITY,
  cost: 1,
  call: ofNumbers((numbers) => numbers.reduce((best, value) => (value.comparedTo(best) * sign > 0 ? value : best))),
});

const power: FormulaFunction = {
  arguments_min: 2,
  arguments_max: 2,
  cost: POWER_COST,
  call: ofNumbers(([base = new Exact(0), exponent = new Exact(0)]) => {
    if (exponent.abs().gt(POWER_MAX)) return null;
    const value = exponent.isInteger() ? base.pow(exponent) : new Rough(base).pow(exponent);
    return bounded(new Exact(value));
  }),
};

const conditional: FormulaFunction = {
  arguments_min: 3,
  arguments_max: 3,
  cost: 1,
  call: ([condition, then, otherwise]) => {
    return (operands) => {
      const holds = condition?.(operands) ?? null;
      if (typeof holds !== "boolean") return null;
      return (holds ? then : otherwise)?.(operands) ?? null;
    };
  },
};

const firstPresent: FormulaFunction = {
  arguments_min: 2,
  arguments_max: Number.POSITIVE_INFINITY,
  cost: 1,
  call: (parts) => (operands) => {
    for (const part of parts) {
      const value = part(operands);
      if (value !== null) return value;
    }
    return null;
  },
};

const ofMoment = (
  compute: (moment: { instant: number; day: number }, operands: FormulaOperands) => FormulaValue,
): FormulaFunction => ({
  arguments_min: 1,
  arguments_max: 1,
  cost: 1,
  call:
    ([part]) =>
    (operands) => {
      const moment = momentOf(part?.(operands) ?? null, operands.time_zone);
      return moment && compute(moment, operands);
    },
});

const ofDate = (compute: (day: number, today: number) => number) =>
  ofMoment(({ day }, { instant, time_zone }) => new Exact(compute(day, localDay(instant, time_zone))));

const moment = ofMoment((value) => value);

// Years are whole months by twelve, so that a birthday on 29 February completes its year on 1 March.
const yearsBetween = (from: number, until: number) => Math.trunc(monthsBetween(from, until) / 12);

/** Every name that is followed by brackets, `SWITCH` and the metadata names apart. */
export const FUNCTIONS: Readonly<Record<string, FormulaFunction>> = {
  MIN: extreme(-1),
  MAX: extreme(1),
  POW: power,
  IF: conditional,
  DEFAULT_TO: firstPresent,
  ROUND: rounding(Decimal.ROUND_HALF_UP),
  FLOOR: rounding(Decimal.ROUND_FLOOR),
  CEIL: rounding(Decimal.ROUND_CEIL),
  DATE: moment,
  DATE_TIME: moment,
  DAY_OF_MONTH: ofDate((day) => dateOfDay(day).day),
  MONTH: ofDate((day) => dateOfDay(day).month),
  YEAR: ofDate((day) => dateOfDay(day).year),
  DAYS_SINCE: ofDate((day, today) => today - day),
  MONTHS_SINCE: ofDate(monthsBetween),
  YEARS_SINCE: ofDate(yearsBetween),
  DAYS_UNTIL: ofDate((day, today) => day - today),
  MONTHS_UNTIL: ofDate((day, today) => monthsBetween(today, day)),
};
