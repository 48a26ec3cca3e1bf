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
  if (instant !== last.instant) last = { instant, iso: new Date(instant).toISOString() };
  return last.iso;
}

/** A request has one instant, and says it a dozen times. */
let last: { instant: Instant; iso: string } = { instant: 0, iso: new Date(0).toISOString() };
