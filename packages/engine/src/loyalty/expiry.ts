import { Temporal } from "temporal-polyfill";
import type { Day } from "../calendar/day.js";

/** When points expire (loyalty.md §6.1). What a period does not need is ignored. */
export interface ExpirationRules {
  period_type: "MONTH" | "FIXED_DAY_OF_YEAR";
  /** Months, of a MONTH. */
  period_value?: number;
  rounding_type?: "END_OF_MONTH" | "END_OF_QUARTER" | "END_OF_HALF_YEAR" | "END_OF_YEAR" | "PARTICULAR_MONTH";
  /** The month, 1 to 12, of PARTICULAR_MONTH. */
  rounding_value?: number;
  fixed_month?: number;
  fixed_day?: number;
}

/** Months of the periods that end together. */
const months_of = { END_OF_MONTH: 1, END_OF_QUARTER: 3, END_OF_HALF_YEAR: 6, END_OF_YEAR: 12 };

/** The last day on which points earned on a day can be spent; null where they do not expire (loyalty.md §6.2). */
export function expiresOn(rules: ExpirationRules | null | undefined, earned: Day): Day | null {
  if (!rules) return null;
  const day = Temporal.PlainDate.from(earned);
  if (rules.period_type === "FIXED_DAY_OF_YEAR") return nextDayOfYear(rules, day).toString();
  // Clamped to the length of the month it comes to.
  return rounded(rules, day.add({ months: rules.period_value ?? 0 })).toString();
}

/** Up to the end of what contains it, never down. */
function rounded({ rounding_type, rounding_value }: ExpirationRules, day: Temporal.PlainDate): Temporal.PlainDate {
  if (rounding_type === undefined) return day;
  if (rounding_type === "PARTICULAR_MONTH") {
    const months = ((rounding_value ?? day.month) - day.month + 12) % 12;
    return lastOfMonth(day.with({ day: 1 }).add({ months }));
  }
  const length = months_of[rounding_type];
  return lastOfMonth(day.with({ day: 1, month: Math.ceil(day.month / length) * length }));
}

/** The day itself is the first that may be it; the 29th to 31st are the last day of a shorter month. */
function nextDayOfYear(
  { fixed_month: month = 12, fixed_day = 31 }: ExpirationRules,
  day: Temporal.PlainDate,
): Temporal.PlainDate {
  const inYear = (year: number) => Temporal.PlainDate.from({ year, month, day: fixed_day });
  const this_year = inYear(day.year);
  return Temporal.PlainDate.compare(this_year, day) >= 0 ? this_year : inYear(day.year + 1);
}

const lastOfMonth = (day: Temporal.PlainDate) => day.with({ day: day.daysInMonth });
