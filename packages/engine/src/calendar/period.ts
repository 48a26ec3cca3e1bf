import { Temporal } from "temporal-polyfill";
import type { Day } from "./day.js";
import type { Duration } from "./duration.js";

/** Months of a calendar period; each begins so many months after 1 January. */
const months_of = { MONTH: 1, QUARTER: 3, HALF_YEAR: 6, YEAR: 12 } as const;
export type CalendarPeriod = keyof typeof months_of;

/** The first day of the calendar period that holds the day. */
export function firstDayOf(period: CalendarPeriod, day: Day): Day {
  const date = Temporal.PlainDate.from(day);
  const months = months_of[period];
  return date.with({ month: date.month - ((date.month - 1) % months), day: 1 }).toString();
}

/** The last day of the calendar period that holds the day. */
export const lastDayOf = (period: CalendarPeriod, day: Day): Day => dayBefore(nextPeriod(period, day));

/** The first day of the period behind the one that holds the day. */
export const nextPeriod = (period: CalendarPeriod, day: Day): Day =>
  Temporal.PlainDate.from(firstDayOf(period, day)).add({ months: months_of[period] }).toString();

/** The first day of the period before the one that holds the day. */
export const lastPeriod = (period: CalendarPeriod, day: Day): Day =>
  firstDayOf(period, dayBefore(firstDayOf(period, day)));

const dayBefore = (day: Day): Day => Temporal.PlainDate.from(day).subtract({ days: 1 }).toString();

/** The day so many months, then days later; a day that a month does not have is its last. */
export const laterBy = (day: Day, { months, days }: Pick<Duration, "months" | "days">): Day =>
  Temporal.PlainDate.from(day).add({ months }).add({ days }).toString();

/** The first month of that name (1 to 12) that ends on the day or later; it may have begun already. */
export function monthFrom(month: number, day: Day): { first: Day; last: Day } {
  const date = Temporal.PlainDate.from(day);
  const year = date.month <= month ? date.year : date.year + 1;
  const first = date.with({ year, month, day: 1 }).toString();
  return { first, last: lastDayOf("MONTH", first) };
}
