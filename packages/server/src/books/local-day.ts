import { localTime, zoneOf } from "@guerdon/engine";
import { dateOf, type Instant } from "../platform/clock.js";

/** The project's calendar day at an instant, `YYYY-MM-DD`: what daily counters are counted by (rules.md §7). */
export const localDay = (instant: Instant, time_zone: string): string =>
  dateOf(localTime(zoneOf(time_zone), instant).day);
