import { ALWAYS, compileWindow } from "../calendar/window.js";
import { localTime, MINUTE, zoneOf } from "../calendar/zone.js";
import { type Clock, dayOfMoment, instantOf, localDay, parseMoment, type WrittenMoment } from "./moments.js";
import type { DaysOperator, TimeOperator } from "./operator-names.js";
import { elementsOf, numberOf } from "./scalars.js";

type Test = (value: unknown, clock: Clock) => boolean;

type MomentTest = (moment: WrittenMoment, clock: Clock) => boolean;

const never: MomentTest = () => false;

/** A date or time operator of rules.md §4, local time being the project's. What cannot be read is false. */
export function dateOperator(operator: TimeOperator, operands: readonly unknown[]): Test {
  const tests = compileOperator(operator, operands);
  return (value, clock) => {
    const moment = parseMoment(value);
    return moment !== null && tests(moment, clock);
  };
}

function compileOperator(operator: TimeOperator, operands: readonly unknown[]): MomentTest {
  switch (operator) {
    case "$after":
      return ordered(operands[0], (value, bound) => value > bound);
    case "$before":
      return ordered(operands[0], (value, bound) => value < bound);
    case "$dow":
      return weekday(operands);
    case "$timeframe":
      return some(operands, timeframe);
    case "$timeframe_absolute":
      return some(operands, absolute);
    case "$timeframe_daily_hours":
      return some(operands, dailyHours);
    default:
      return daysAway(operator, numberOf(operands[0]));
  }
}

function some(operands: readonly unknown[], compile: (parts: readonly string[]) => MomentTest): MomentTest {
  const tests = operands.map((operand) => compile(typeof operand === "string" ? operand.split(";") : []));
  return (moment, clock) => tests.some((test) => test(moment, clock));
}

function ordered(operand: unknown, compare: (value: number, bound: number) => boolean): MomentTest {
  const bound = parseMoment(operand);
  if (bound === null) return never;
  return (moment, { time_zone }) => compare(instantOf(moment, time_zone), instantOf(bound, time_zone));
}

/** A range operator whose operand is a date; without a time it is the start of that local day. */
export function dateRange(operand: unknown, compare: (value: number, bound: number) => boolean): Test {
  const test = ordered(operand, compare);
  return (value, clock) => {
    const moment = parseMoment(value);
    return moment !== null && test(moment, clock);
  };
}

/** `$is` on a date: a date operand is equal to its whole local day, a date-time to its instant. */
export function dateEquality(operand: unknown): Test {
  const wanted = parseMoment(operand);
  if (wanted === null) return () => false;
  return (value, { time_zone }) => {
    const moment = parseMoment(value);
    if (moment === null) return false;
    return wanted.whole_day
      ? dayOfMoment(moment, time_zone) === dayOfMoment(wanted, time_zone)
      : instantOf(moment, time_zone) === instantOf(wanted, time_zone);
  };
}

/** The weekdays of a list, 0 Sunday … 6 Saturday; null when something in it is none. */
export function weekdaysOf(list: unknown): readonly number[] | null {
  const days = elementsOf(list).map((day) => numberOf(typeof day === "string" ? day.trim() : day));
  const isWeekday = (day: number | null) => day !== null && Number.isInteger(day) && day >= 0 && day <= 6;
  return days.every(isWeekday) ? (days as number[]) : null;
}

function weekday(operands: readonly unknown[]): MomentTest {
  const days = new Set(operands.flatMap((operand) => weekdaysOf(operand) ?? []));
  return (moment, { time_zone }) => days.has(localTime(zoneOf(time_zone), instantOf(moment, time_zone)).weekday);
}

/** `start;interval;duration`: the windows of vouchers-and-campaigns.md §4.2. */
function timeframe([start = "", interval = "", duration = ""]: readonly string[]): MomentTest {
  const from = parseMoment(start);
  if (from === null) return never;
  // A rule serves one project and so one zone; the opening last found is kept with the window.
  let window: ReturnType<typeof compileWindow> | null = null;
  let zone = "";
  return (moment, { time_zone }) => {
    if (window === null || zone !== time_zone) {
      const start_date = instantOf(from, time_zone);
      window = compileWindow({ ...ALWAYS, start_date, validity_timeframe: { interval, duration } }, time_zone);
      zone = time_zone;
    }
    return window.check(instantOf(moment, time_zone)) === null;
  };
}

/** `from;to`, both ends included. */
function absolute([from = "", to = ""]: readonly string[]): MomentTest {
  const start = parseMoment(from);
  const end = parseMoment(to);
  if (start === null || end === null) return never;
  return (moment, { time_zone }) => {
    const instant = instantOf(moment, time_zone);
    return instant >= instantOf(start, time_zone) && instant <= instantOf(end, time_zone);
  };
}

/** `HH:MM;HH:MM;d,d`: the end is no part of it; past midnight the hours belong to the day they began on. */
function dailyHours([start = "", end = "", days = ""]: readonly string[]): MomentTest {
  const from = timeOfDay(start);
  const until = timeOfDay(end);
  if (from === null || until === null) return never;
  const weekdays = new Set(weekdaysOf(days.split(",")) ?? []);
  return (moment, { time_zone }) => {
    const { weekday, time } = localTime(zoneOf(time_zone), instantOf(moment, time_zone));
    if (until >= from) return weekdays.has(weekday) && time >= from && time < until;
    return (weekdays.has(weekday) && time >= from) || (weekdays.has((weekday + 6) % 7) && time < until);
  };
}

/** `HH:MM` as milliseconds since midnight; null for anything else. */
export function timeOfDay(text: string): number | null {
  const parts = /^(\d\d):(\d\d)$/.exec(text.trim());
  const minutes = parts === null ? Number.NaN : Number(parts[1]) * 60 + Number(parts[2]);
  // 24:00 is how an editor writes the end of a day.
  return minutes <= 1440 && Number(parts?.[2]) < 60 ? minutes * MINUTE : null;
}

const DISTANCES: Readonly<Record<DaysOperator, { future: boolean; holds(days: number, wanted: number): boolean }>> = {
  $more_than_ago: { future: false, holds: (days, wanted) => days > wanted },
  $less_than_ago: { future: false, holds: (days, wanted) => days < wanted },
  $is_days_ago: { future: false, holds: (days, wanted) => days === wanted },
  $more_than_future: { future: true, holds: (days, wanted) => days > wanted },
  $less_than_future: { future: true, holds: (days, wanted) => days < wanted },
  $is_days_in_future: { future: true, holds: (days, wanted) => days === wanted },
};

/** Distances between local calendar dates; today is both 0 days ago and 0 days ahead. */
function daysAway(operator: DaysOperator, wanted: number | null): MomentTest {
  if (wanted === null) return never;
  const { future, holds } = DISTANCES[operator];
  return (moment, { instant, time_zone }) => {
    const ago = localDay(instant, time_zone) - dayOfMoment(moment, time_zone);
    const days = future ? -ago : ago;
    return days >= 0 && holds(days, wanted);
  };
}
