import type { Database } from "./db/database.js";
import { sql } from "./db/sql.js";

/** Milliseconds since 1970 UTC. */
export type Instant = number;

/** Where instants come from. Tests hold one they can turn; the service follows the database's. */
export interface Clock {
  now(): Instant;
}

/** By how much the clocks of nodes may differ, each of which follows the database's. */
export const clocks_differ_ms_max = 1_000;

interface DatabaseClock extends Clock {
  /** Measures the offset anew. */
  follow(): Promise<void>;
}

/**
 * A clock that follows the database's, so that several nodes agree on "now" whatever their own
 * clocks say. The offset is measured on {@link DatabaseClock.follow}, which the service calls each minute.
 */
export function databaseClock(db: Database): DatabaseClock {
  let offset_ms = 0;
  return {
    now: () => Date.now() + offset_ms,
    async follow() {
      const asked = Date.now();
      const { now_ms } = await db.one<{ now_ms: number }>(
        sql`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms`,
      );
      // The database read its clock about half a round trip ago.
      offset_ms = Math.round(now_ms - (asked + Date.now()) / 2);
    },
  };
}

/** ISO 8601 in UTC with milliseconds: the one way a date-time leaves the service (platform.md §11.5). */
export function isoOf(instant: Instant): string;
export function isoOf(instant: Instant | null): string | null;
export function isoOf(instant: Instant | null): string | null {
  if (instant === null) return null;
  if (instant !== last.instant) last = { instant, iso: spelt(instant) };
  return last.iso;
}

/** A request has one instant, and says it a dozen times. */
let last: { instant: Instant; iso: string } = { instant: Number.NaN, iso: "" };

const day_ms = 86_400_000;
const padded = (count: number, digits: number) =>
  Array.from({ length: count }, (_, number) => String(number).padStart(digits, "0"));
const [of_two, of_three] = [padded(60, 2), padded(1_000, 3)];

/** What `Date` says of it, for a sixth of the time: most are of the same day as the one before. */
function spelt(instant: Instant): string {
  const whole = Math.trunc(instant);
  const day = Math.floor(whole / day_ms);
  const ms = whole - day * day_ms;
  const seconds = Math.floor(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  const time = `${of_two[Math.floor(minutes / 60)]}:${of_two[minutes % 60]}:${of_two[seconds % 60]}.${of_three[ms % 1_000]}`;
  return `${dateOf(day)}T${time}Z`;
}

let last_date = { day: Number.NaN, date: "" };

/** A calendar day as `YYYY-MM-DD`, by its number since 1970. */
export function dateOf(day: number): string {
  if (day !== last_date.day) last_date = { day, date: new Date(day * day_ms).toISOString().split("T")[0] as string };
  return last_date.date;
}
