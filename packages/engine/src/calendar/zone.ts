import { Temporal } from "temporal-polyfill";
import type { Instant } from "../facts.js";

export const MINUTE = 60_000;
export const DAY = 86_400_000;

/** A time zone as plain arithmetic: between two changes of its offset, local time is UTC plus a constant. */
export interface Zone {
  /** As Temporal understands it. */
  readonly name: string;
  /** Milliseconds that local time is ahead of UTC. */
  offsetAt(instant: Instant): number;
}

/** Where an instant lies in its local week. */
interface LocalTime {
  /** Days since 1970-01-01 on the local calendar. */
  day: number;
  /** 0 Sunday … 6 Saturday. */
  weekday: number;
  /** Milliseconds since local midnight by the wall clock. */
  time: number;
}

interface Span {
  from: Instant;
  until: Instant;
  offset: number;
}

/** Whether a project may use the name: an IANA zone, `Etc/GMT+1`, `GMT+02:00` or `+02:00` (platform.md §7). */
export function isTimeZone(name: string): boolean {
  try {
    new Temporal.ZonedDateTime(0n, temporalName(name));
    return true;
  } catch {
    return false;
  }
}

const zones = new Map<string, Zone>();

/** The zone of a name. Zones are kept: a project has one, and finding an offset anew costs microseconds. */
export function zoneOf(name: string): Zone {
  let zone = zones.get(name);
  if (zone === undefined) {
    // An unknown name can only come from data older than the check; UTC keeps the project working.
    zone = isTimeZone(name) ? cachedZone(temporalName(name)) : cachedZone("UTC");
    if (zones.size >= 1000) zones.clear();
    zones.set(name, zone);
  }
  return zone;
}

export function localTime(zone: Zone, instant: Instant): LocalTime {
  const local = instant + zone.offsetAt(instant);
  const day = Math.floor(local / DAY);
  return { day, weekday: weekdayOf(day), time: local - day * DAY };
}

/** 1970-01-01 was a Thursday. */
export const weekdayOf = (day: number) => (((day + 4) % 7) + 7) % 7;

function temporalName(name: string): string {
  const fixed = /^(?:GMT|UTC)?([+-])(\d{1,2})(?::?(\d\d))?$/.exec(name);
  if (fixed === null) return name;
  const [, sign = "+", hours = "0", minutes = "00"] = fixed;
  return `${sign}${hours.padStart(2, "0")}:${minutes}`;
}

// Bounds the memory that dates of all centuries in some metadata could otherwise claim.
const SPANS_MAX = 512;

function cachedZone(name: string): Zone {
  let spans: Span[] = [];
  let last: Span = { from: 0, until: 0, offset: 0 };
  return {
    name,
    offsetAt(instant) {
      if (instant >= last.from && instant < last.until) return last.offset;
      const known = spans.find((span) => instant >= span.from && instant < span.until);
      if (known === undefined) {
        last = spanAround(name, instant);
        spans = [last, ...spans.slice(0, SPANS_MAX)];
      } else last = known;
      return last.offset;
    },
  };
}

function spanAround(name: string, instant: Instant): Span {
  const whole = Math.floor(instant);
  const moment = Temporal.Instant.fromEpochMilliseconds(whole).toZonedDateTimeISO(name);
  const offset = moment.offsetNanoseconds / 1e6;
  const next = moment.getTimeZoneTransition("next");
  const previous = moment.add({ nanoseconds: 1 }).getTimeZoneTransition("previous");
  return {
    from: previous?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    until: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset,
  };
}
