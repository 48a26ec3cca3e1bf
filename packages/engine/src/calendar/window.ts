import type { ActivityWindow, Instant } from "../facts.js";
import { addDuration, type Duration, isEmpty, parseDuration, repeated, roughLength } from "./duration.js";
import { localTime, MINUTE, type Zone, zoneOf } from "./zone.js";

/** Why something is not switched on at an instant, in the order of the checks (vouchers-and-campaigns.md §4.1). */
export type WindowRefusal =
  | { key: "not_started"; start_date: Instant }
  | { key: "expired"; expiration_date: Instant }
  | { key: "outside_timeframe" | "outside_day_of_week" | "outside_hours" };

/** An activity window turned into a closure for one zone. Compiled once, checked with every decision. */
export interface CompiledWindow {
  readonly start_date: Instant | null;
  readonly expiration_date: Instant | null;
  /** Null: switched on. Both end dates belong to the window. */
  check(instant: Instant): WindowRefusal | null;
}

type Recurrence = (instant: Instant) => WindowRefusal | null;

/** Compiles a window for a project's zone. A window that {@link checkWindow} would refuse is never open. */
export function compileWindow(window: ActivityWindow, time_zone: string): CompiledWindow {
  const { start_date, expiration_date } = window;
  const from = start_date ?? Number.NEGATIVE_INFINITY;
  const until = expiration_date ?? Number.POSITIVE_INFINITY;
  const recurrences = recurrencesOf(window, time_zone);
  const check = (instant: Instant): WindowRefusal | null => {
    if (instant < from) return { key: "not_started", start_date: from };
    if (instant > until) return { key: "expired", expiration_date: until };
    for (const recurrence of recurrences) {
      const refusal = recurrence(instant);
      if (refusal !== null) return refusal;
    }
    return null;
  };
  return { start_date, expiration_date, check };
}

export const ALWAYS: ActivityWindow = {
  start_date: null,
  expiration_date: null,
  validity_timeframe: null,
  validity_day_of_week: null,
  validity_hours: null,
};

/** A voucher's window: each of its own fields where it is set, else the campaign's (vouchers-and-campaigns.md §4.5). */
export function inheritWindow(own: ActivityWindow, inherited: ActivityWindow): ActivityWindow {
  return {
    start_date: own.start_date ?? inherited.start_date,
    expiration_date: own.expiration_date ?? inherited.expiration_date,
    validity_timeframe: own.validity_timeframe ?? inherited.validity_timeframe,
    validity_day_of_week: own.validity_day_of_week ?? inherited.validity_day_of_week,
    validity_hours: own.validity_hours ?? inherited.validity_hours,
  };
}

function recurrencesOf(window: ActivityWindow, time_zone: string): Recurrence[] {
  const zone = zoneOf(time_zone);
  const recurrences: Recurrence[] = [];
  if (window.validity_timeframe !== null) recurrences.push(timeframe(window, zone));
  const weekdays = window.validity_day_of_week ?? [];
  if (weekdays.length > 0) {
    recurrences.push((instant) =>
      weekdays.includes(localTime(zone, instant).weekday) ? null : { key: "outside_day_of_week" },
    );
  }
  if (hasHours(window)) recurrences.push(hours(window.validity_hours?.daily ?? [], zone));
  return recurrences;
}

/** An empty list of hours restricts nothing, as an empty list of weekdays does. */
export const hasHours = ({ validity_hours }: ActivityWindow) => (validity_hours?.daily ?? []).length > 0;

function timeframe({ start_date, validity_timeframe }: ActivityWindow, zone: Zone): Recurrence {
  const interval = parseDuration(validity_timeframe?.interval ?? "");
  const duration = parseDuration(validity_timeframe?.duration ?? "");
  const outside: WindowRefusal = { key: "outside_timeframe" };
  if (start_date === null || interval === null || duration === null || isEmpty(interval)) return () => outside;
  return openings(start_date, interval, duration, zone, outside);
}

/** Remembers the opening last looked at: until the next one begins, a check is three comparisons. */
function openings(
  start: Instant,
  interval: Duration,
  duration: Duration,
  zone: Zone,
  outside: WindowRefusal,
): Recurrence {
  let opens = Number.POSITIVE_INFINITY;
  let closes = Number.POSITIVE_INFINITY;
  let next = Number.NEGATIVE_INFINITY;
  const opening = (k: number) => addDuration(start, repeated(interval, k), zone);
  return (instant) => {
    if (instant < opens || instant >= next) {
      // Month lengths and DST make the estimate wrong by one or two at most.
      let k = Math.max(0, Math.floor((instant - start) / roughLength(interval)) - 2);
      while (opening(k + 1) <= instant) k += 1;
      opens = opening(k);
      closes = addDuration(opens, duration, zone);
      next = opening(k + 1);
    }
    return instant >= opens && instant < closes ? null : outside;
  };
}

type DailyHours = NonNullable<ActivityWindow["validity_hours"]>["daily"];

interface HoursOfDay {
  weekdays: readonly number[];
  from: number;
  to: number;
}

function hours(daily: DailyHours, zone: Zone): Recurrence {
  const entries = daily.flatMap(hoursOfDay);
  return (instant) => {
    const { weekday, time } = localTime(zone, instant);
    const open = entries.some((entry) => isOpen(entry, weekday, time));
    return open ? null : { key: "outside_hours" };
  };
}

function isOpen({ weekdays, from, to }: HoursOfDay, weekday: number, time: number): boolean {
  if (to >= from) return weekdays.includes(weekday) && time >= from && time <= to;
  // Past midnight the hours belong to the day they began on.
  return (weekdays.includes(weekday) && time >= from) || (weekdays.includes((weekday + 6) % 7) && time <= to);
}

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];

/** The entry in milliseconds after midnight, or nothing when a time of day makes no sense. */
export function hoursOfDay(entry: DailyHours[number]): HoursOfDay[] {
  const from = timeOfDay(entry.start_time);
  const to = timeOfDay(entry.expiration_time);
  if (from === null || to === null) return [];
  const weekdays = entry.days_of_week ?? [];
  return [{ weekdays: weekdays.length > 0 ? weekdays : EVERY_DAY, from, to }];
}

/** `HH:mm` as milliseconds after midnight; null when it is no time of day. */
export function timeOfDay(text: string): number | null {
  const parts = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  return parts === null ? null : (Number(parts[1]) * 60 + Number(parts[2])) * MINUTE;
}
