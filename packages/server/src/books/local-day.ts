import { localTime, zoneOf } from "@guerdon/engine";
import type { Instant } from "../platform/clock.js";

const day_ms = 86_400_000;

/** The project's calendar day at an instant, `YYYY-MM-DD`: what daily counters are counted by (rules.md §7). */
export function localDay(instant: Instant, time_zone: string): string {
  const { day } = localTime(zoneOf(time_zone), instant);
  return new Date(day * day_ms).toISOString().slice(0, 10);
}
