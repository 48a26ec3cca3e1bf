import { dayTest, localTime, zoneOf } from "@guerdon/engine";
import type { Instant } from "../clock.js";
import { isoOf } from "../clock.js";
import { type Sql, sql } from "../db/sql.js";
import { problems } from "../http/problems.js";
import { type Asked, anyOf, type Field, fieldOf, momentOf, type Test, type Today } from "./field.js";

const day_ms = 86_400_000;
/** Some 1,900 years: the database writes no date before the year 1. */
const days_max = 700_000;

/** Local days from the first to before the last, as days since 1970; without an end on that side where it is infinite. */
type Days = readonly [from: number, until: number];

const dateOf = (day: number) => new Date(day * day_ms);
const dayOf = (year: number, month: number) => Date.UTC(year, month, 1) / day_ms;

const months = (today: number, from: number, until: number): Days => {
  const [year, month] = [dateOf(today).getUTCFullYear(), dateOf(today).getUTCMonth()];
  return [dayOf(year, month + from), dayOf(year, month + until)];
};
const years = (today: number, from: number): Days => {
  const year = dateOf(today).getUTCFullYear() + from;
  return [dayOf(year, 0), dayOf(year + 1, 0)];
};
/** Weeks begin on Monday; the 1st of January 1970 was a Thursday. */
const weeks = (today: number, from: number): Days => {
  const monday = today - ((((today + 3) % 7) + 7) % 7) + from * 7;
  return [monday, monday + 7];
};

const periods: Readonly<Record<string, (today: number) => Days>> = {
  $today: (today) => [today, today + 1],
  $tomorrow: (today) => [today + 1, today + 2],
  $yesterday: (today) => [today - 1, today],
  $this_week: (today) => weeks(today, 0),
  $last_week: (today) => weeks(today, -1),
  $next_week: (today) => weeks(today, 1),
  $this_month: (today) => months(today, 0, 1),
  $last_month: (today) => months(today, -1, 0),
  $next_month: (today) => months(today, 1, 2),
  $this_year: (today) => years(today, 0),
  $last_year: (today) => years(today, -1),
  $next_year: (today) => years(today, 1),
};

/** What lies ahead is never ago, and today is both (rules.md §4). */
const distances: Readonly<Record<string, (today: number, days: number) => Days>> = {
  $more_than_ago: (today, days) => [-Infinity, today - days],
  $less_than_ago: (today, days) => [today - days + 1, today + 1],
  $is_days_ago: (today, days) => [today - days, today - days + 1],
  $more_than_future: (today, days) => [today + days + 1, Infinity],
  $less_than_future: (today, days) => [today, today + days],
  $is_days_in_future: (today, days) => [today + days, today + days + 1],
};

/** A comparison counts days where its operand is a whole number, and looks at the calendar where it is a date. */
const ranges: Readonly<Record<string, { ago: (today: number, days: number) => Days; comparison: Sql }>> = {
  $more_than: { ago: (today, days) => [-Infinity, today - days], comparison: sql`>` },
  $less_than: { ago: (today, days) => [today - days + 1, today + 1], comparison: sql`<` },
  $more_than_equal: { ago: (today, days) => [-Infinity, today - days + 1], comparison: sql`>=` },
  $less_than_equal: { ago: (today, days) => [today - days, today + 1], comparison: sql`<=` },
};

/** Those that look at month and day alone; a leap year has them all. */
const yearless = [
  ...Object.keys(periods).flatMap((period) => (period.endsWith("_year") ? [] : `${period}_md`)),
  ...["$is_days_ago_md", "$is_more_days_ago_md", "$is_less_days_ago_md"],
  ...["$is_days_in_future_md", "$is_more_days_in_future_md", "$is_less_days_in_future_md"],
  ...["$is_day_of_month", "$is_month"],
];
const leap_year_days = Array.from({ length: 366 }, (_none, i) => Date.UTC(2000, 0, 1) / day_ms + i);

/**
 * Dates. What speaks of days becomes a range of instants, so that the index on the column serves it, in the project's
 * calendar; what leaves out the year is compared with each row, month and day against those that the engine accepts.
 * @param also a column that is never null and equal to this one wherever it is not: an index on that one serves then
 */
export function dateField(column: Sql, also: Sql = column): Field {
  const compared = (comparison: Sql, moment: string) =>
    also === column
      ? sql`${column} ${comparison} ${moment}::timestamptz`
      : sql`(${column} ${comparison} ${moment}::timestamptz and ${also} ${comparison} ${moment}::timestamptz)`;
  const within = ([from, until]: Days, { time_zone }: Today): Sql => {
    if (from >= until) return sql`false`;
    const since = from === -Infinity ? sql`true` : compared(sql`>=`, midnight(from, time_zone));
    return until === Infinity
      ? sql`(${since} and ${column} is not null)`
      : sql`(${since} and ${compared(sql`<`, midnight(until, time_zone))})`;
  };
  const equal: Test = ({ operands, path, today }) =>
    anyOf(
      operands.map((operand) => {
        const moment = momentOf(operand, path);
        if (operand.includes("T") || operand.includes("t")) return compared(sql`=`, moment);
        const day = Date.parse(moment) / day_ms;
        return within([day, day + 1], today);
      }),
    );
  const tests: Record<string, Test> = {
    $is: equal,
    $in: equal,
    $after: ({ operands, path }) => compared(sql`>`, momentOf(operands[0] ?? "", path)),
    $before: ({ operands, path }) => compared(sql`<`, momentOf(operands[0] ?? "", path)),
    $has_value: () => sql`${column} is not null`,
  };
  for (const [operator, { ago, comparison }] of Object.entries(ranges)) {
    tests[operator] = ({ operands: [operand = ""], path, today }) =>
      operand.length > 9 && operand.includes("-")
        ? compared(comparison, momentOf(operand, path))
        : within(ago(dayOfToday(today), wholeNumber(operand, path)), today);
  }
  for (const [operator, ago] of Object.entries(distances)) {
    tests[operator] = ({ operands: [operand = ""], path, today }) =>
      within(ago(dayOfToday(today), wholeNumber(operand, path)), today);
  }
  for (const [operator, period] of Object.entries(periods)) {
    tests[operator] = ({ today }) => within(period(dayOfToday(today)), today);
  }
  tests.$is_year = (asked) =>
    anyOf(
      wholeNumbers(asked).map((year) =>
        year < 2 || year > 9998 ? sql`false` : within([yearStart(year), yearStart(year + 1)], asked.today),
      ),
    );
  tests.$is_years_ago = (asked) => anyOf(wholeNumbers(asked).map((ago) => within(yearsAgo(asked, ago), asked.today)));
  tests.$is_day = (asked) =>
    sql`extract(dow from ${localOf(column, asked.today)})::int = any(${wholeNumbers(asked)}::int[])`;
  for (const operator of yearless) tests[operator] = (asked) => onMonthDays(column, operator, asked);
  return fieldOf(tests);
}

/** Also of years below 100, which `Date.UTC` takes for those of the last century. */
const yearStart = (year: number) => Date.parse(`${String(year).padStart(4, "0")}-01-01T00:00:00Z`) / day_ms;

function onMonthDays(column: Sql, operator: string, { operands, path, today }: Asked): Sql {
  const numbered = /^\$is_/.test(operator);
  const accepts = dayTest(operator, numbered ? operands.map((operand) => wholeNumber(operand, path)) : [true], today);
  const days = leap_year_days.filter(accepts).map((day) => dateOf(day).toISOString().slice(5, 10));
  return sql`to_char(${localOf(column, today)}, 'MM-DD') = any(${days}::text[])`;
}

/** PostgreSQL reads the sign of a written offset the other way round, but not that of an interval. */
function localOf(column: Sql, { time_zone }: Today): Sql {
  const { name } = zoneOf(time_zone);
  return /^[+-]/.test(name) ? sql`${column} at time zone ${name}::interval` : sql`${column} at time zone ${name}::text`;
}

/** The days on which what is so many full years old began, found around where they must lie. */
function yearsAgo({ today }: Asked, ago: number): Days {
  if (ago > 1900) return [0, 0];
  const accepts = dayTest("$is_years_ago", [ago], today);
  const near = Math.floor(dayOfToday(today) - 365.2425 * ago);
  const days = Array.from({ length: 372 }, (_none, i) => near - 368 + i).filter(accepts);
  const [first, last] = [days[0], days.at(-1)];
  return first === undefined || last === undefined ? [0, 0] : [first, last + 1];
}

const dayOfToday = ({ instant, time_zone }: Today) => localTime(zoneOf(time_zone), instant).day;

function wholeNumber(operand: string, path: string): number {
  if (!/^\d+$/.test(operand)) throw problems.invalidQuery(`Property ${path} must be integer`);
  return Math.min(Number(operand), days_max);
}

const wholeNumbers = ({ operands, path }: Asked) => operands.map((operand) => wholeNumber(operand, path));

/** The instant at which a local day begins. */
function midnight(day: number, time_zone: string): string {
  const zone = zoneOf(time_zone);
  const wall: Instant = day * day_ms;
  // The offset in force then, which is not known before the moment is: the second look sees past a change of the clocks.
  const near = wall - zone.offsetAt(wall);
  return isoOf(wall - zone.offsetAt(near));
}
