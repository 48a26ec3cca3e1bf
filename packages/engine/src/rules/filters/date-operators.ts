import { DAY, weekdayOf } from "../../calendar/zone.js";
import { Work } from "../../work.js";
import {
  type CalendarDate,
  dateOfDay,
  dayOfDate,
  dayOfMoment,
  localDay,
  monthsBetween,
  parseMoment,
} from "../moments.js";
import type { RangeOperator } from "../operator-names.js";
import { elementsOf, numberOf } from "../scalars.js";
import type { FilterClock } from "./contract.js";

export type DateTest = (value: unknown, at: FilterClock) => boolean;

/** Whether a local day, as a number, stands in some relation to today. */
type DayTest = (day: number, today: number, week_start: number) => boolean;

const startOfWeek = (day: number, week_start: number) => day - ((weekdayOf(day) - week_start + 7) % 7);

const weeksApart =
  (weeks: number): DayTest =>
  (day, today, week_start) =>
    startOfWeek(day, week_start) === startOfWeek(today, week_start) + weeks * 7;

const monthIndex = ({ year, month }: CalendarDate) => year * 12 + month;

const monthsApart =
  (months: number): DayTest =>
  (day, today) =>
    monthIndex(dateOfDay(day)) === monthIndex(dateOfDay(today)) + months;

const yearsApart =
  (years: number): DayTest =>
  (day, today) =>
    dateOfDay(day).year === dateOfDay(today).year + years;

const daysApart =
  (days: number): DayTest =>
  (day, today) =>
    day - today === days;

const PERIODS: Readonly<Record<string, DayTest>> = {
  $today: daysApart(0),
  $tomorrow: daysApart(1),
  $yesterday: daysApart(-1),
  $this_week: weeksApart(0),
  $last_week: weeksApart(-1),
  $next_week: weeksApart(1),
  $this_month: monthsApart(0),
  $last_month: monthsApart(-1),
  $next_month: monthsApart(1),
  $this_year: yearsApart(0),
  $last_year: yearsApart(-1),
  $next_year: yearsApart(1),
};

// A birthdate never lies ahead, so there these ask for the anniversary.
const FUTURE_PERIODS: readonly string[] = ["$tomorrow", "$next_week", "$next_month"];

type NumberTest = (wanted: number) => DayTest;

/** Operators with a number, one of several when several are given. */
const NUMBERED: Readonly<Record<string, NumberTest>> = {
  $is_years_ago: (years) => (day, today) => day <= today && Math.trunc(monthsBetween(day, today) / 12) === years,
  $is_day_of_month: (wanted) => (day) => dateOfDay(day).day === wanted,
  $is_day: (weekday) => (day) => weekdayOf(day) === weekday,
  $is_month: (month) => (day) => dateOfDay(day).month === month,
  $is_year: (year) => (day) => dateOfDay(day).year === year,
};

/** The same for the nearest anniversary of a date, in days from today. */
const ANNIVERSARIES: Readonly<Record<string, { ahead: boolean; holds(days: number, wanted: number): boolean }>> = {
  $is_days_ago_md: { ahead: false, holds: (days, wanted) => days === wanted },
  $is_more_days_ago_md: { ahead: false, holds: (days, wanted) => days > wanted },
  $is_less_days_ago_md: { ahead: false, holds: (days, wanted) => days < wanted },
  $is_days_in_future_md: { ahead: true, holds: (days, wanted) => days === wanted },
  $is_more_days_in_future_md: { ahead: true, holds: (days, wanted) => days > wanted },
  $is_less_days_in_future_md: { ahead: true, holds: (days, wanted) => days < wanted },
};

const WITHOUT_YEAR = Object.keys(PERIODS)
  .filter((period) => !period.endsWith("_year"))
  .map((period) => `${period}_md`);

/** Those of {@link DATE_OPERATORS} that compare with a number; the others ignore what stands beside them. */
export const NUMBERED_OPERATORS: readonly string[] = [...Object.keys(NUMBERED), ...Object.keys(ANNIVERSARIES)];

/** Operators on dates that only filters have (rules.md §15). */
export const DATE_OPERATORS: readonly string[] = [...Object.keys(PERIODS), ...WITHOUT_YEAR, ...NUMBERED_OPERATORS];

/** The test of a date operator; null for any other operator. */
export function dateTestOf(operator: string, operands: readonly unknown[], recurs_yearly: boolean): DateTest | null {
  if (!DATE_OPERATORS.includes(operator)) return null;
  const yearless = operator.endsWith("_md") || (recurs_yearly && FUTURE_PERIODS.includes(operator));
  const period = PERIODS[operator.replace(/_md$/, "")];
  if (period !== undefined) return ofDays(yearless ? onAnniversary(period) : period);
  const numbers = operands.flatMap((operand) => numberOf(operand) ?? []);
  const numbered = NUMBERED[operator];
  if (numbered !== undefined) return ofDays(anyOf(numbers.map(numbered)), 10 + 5 * numbers.length);
  return ofDays(anyOf(numbers.map((wanted) => nearestAnniversary(operator, wanted))), 10 + 20 * numbers.length);
}

/** The test of a date operator over local days, for callers that look for days and not at values. What they hold it against is their own to bound. */
export function dayTest(
  operator: string,
  operands: readonly unknown[],
  today: Omit<FilterClock, "work">,
): (day: number) => boolean {
  const test = dateTestOf(operator, operands, false);
  const at = { ...today, work: new Work({ turn_max: Infinity, decision_max: Infinity }) };
  return (day) => test?.(new Date(day * DAY).toISOString().slice(0, 10), at) ?? false;
}

const anyOf =
  (tests: readonly DayTest[]): DayTest =>
  (day, today, week_start) =>
    tests.some((test) => test(day, today, week_start));

/** `$more_than: n` on a date: more than n days ago; a day ahead is never ago. */
export function daysAgoRange(operator: RangeOperator, wanted: number): DateTest {
  const holds: DayTest = (day, today) => {
    const ago = today - day;
    if (ago < 0) return false;
    if (operator === "$more_than") return ago > wanted;
    if (operator === "$more_than_or_equal") return ago >= wanted;
    return operator === "$less_than" ? ago < wanted : ago <= wanted;
  };
  return ofDays(holds);
}

/**
 * An array satisfies a test when some element does; what is no date never does.
 * @param tests work that they are on one element
 */
function ofDays(test: DayTest, tests = 10): DateTest {
  return (value, { instant, time_zone, work, week_start = 1 }) => {
    const today = localDay(instant, time_zone);
    const elements = elementsOf(value);
    work?.spend(elements.length * tests);
    return elements.some((element) => {
      const moment = parseMoment(element);
      return moment !== null && test(dayOfMoment(moment, time_zone), today, week_start);
    });
  };
}

/** The day of a date in the years around today; 29 February is 28 February in common years. */
function anniversaries(day: number, today: number): number[] {
  const { month, day: date } = dateOfDay(day);
  const { year } = dateOfDay(today);
  return [year - 1, year, year + 1].map(
    (around) => dayOfDate(around, month, date) ?? (dayOfDate(around, month, date - 1) as number),
  );
}

const onAnniversary =
  (test: DayTest): DayTest =>
  (day, today, week_start) =>
    anniversaries(day, today).some((anniversary) => test(anniversary, today, week_start));

function nearestAnniversary(operator: string, wanted: number): DayTest {
  const definition = ANNIVERSARIES[operator];
  return (day, today) => {
    if (definition === undefined) return false;
    const distances = anniversaries(day, today).map((anniversary) =>
      definition.ahead ? anniversary - today : today - anniversary,
    );
    const nearest = Math.min(...distances.filter((distance) => distance >= 0));
    return definition.holds(nearest, wanted);
  };
}
