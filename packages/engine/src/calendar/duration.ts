import { Temporal } from "temporal-polyfill";
import type { Instant } from "../facts.js";
import { DAY, type Zone, zoneOf } from "./zone.js";

/** An ISO 8601 duration in its two kinds of time: calendar parts, and parts of fixed length. */
export interface Duration {
  readonly months: number;
  readonly days: number;
  readonly milliseconds: number;
}

const PATTERN =
  /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

// A thousand years; more than that only serves to run out of the calendar.
const MONTHS_MAX = 12_000;
const DAYS_MAX = 366_000;

/** Reads `P1Y2M3W4DT5H6M7S`; null when the text is no duration or longer than a thousand years. */
export function parseDuration(text: string): Duration | null {
  const parts = PATTERN.exec(text);
  if (parts === null || text.endsWith("T") || text === "P") return null;
  const [years, months, weeks, days, hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0));
  const duration = {
    months: (years as number) * 12 + (months as number),
    days: (weeks as number) * 7 + (days as number),
    milliseconds: Math.round(((hours as number) * 3600 + (minutes as number) * 60 + (seconds as number)) * 1000),
  };
  const bounded = duration.months <= MONTHS_MAX && duration.days <= DAYS_MAX && duration.milliseconds <= DAYS_MAX * DAY;
  return bounded ? duration : null;
}

/** Multiplies every part, so that the k-th month after the 31st is counted from the 31st and not from a shorter month. */
export const repeated = (duration: Duration, count: number): Duration => ({
  months: duration.months * count,
  days: duration.days * count,
  milliseconds: duration.milliseconds * count,
});

export const isEmpty = (duration: Duration) =>
  duration.months === 0 && duration.days === 0 && duration.milliseconds === 0;

/** Average length; only an estimate wherever months or days occur. */
export const roughLength = (duration: Duration) =>
  (duration.months * 365.2425 * DAY) / 12 + duration.days * DAY + duration.milliseconds;

/**
 * The instant a duration later (vouchers-and-campaigns.md §4.2, §4.6): years to days on the calendar
 * of the zone, keeping the local hour; hours to seconds as elapsed time. A local time that a DST
 * change skips moves forward, one that it repeats is the first of the two.
 */
export function addDuration(instant: Instant, duration: Duration, zone: Zone | string): Instant {
  if (duration.months === 0 && duration.days === 0) return instant + duration.milliseconds;
  const { name } = typeof zone === "string" ? zoneOf(zone) : zone;
  const moment = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(name);
  return moment.add({ months: duration.months, days: duration.days }).epochMilliseconds + duration.milliseconds;
}
