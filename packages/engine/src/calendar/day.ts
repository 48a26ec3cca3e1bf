import { Temporal } from "temporal-polyfill";
import type { Instant } from "../facts.js";
import { zoneOf } from "./zone.js";

/** A calendar day as it is written, `YYYY-MM-DD`; two of them compare as texts do, in the years 1 to 9999. */
export type Day = string;

/** The day so many days later; earlier where they are negative. */
export const daysAfter = (day: Day, days: number): Day => Temporal.PlainDate.from(day).add({ days }).toString();

/** The first instant of a day in a zone: midnight, or later where a change of clocks skips midnight. */
export const startOfDay = (day: Day, time_zone: string): Instant =>
  Temporal.PlainDate.from(day).toZonedDateTime(zoneOf(time_zone).name).epochMilliseconds;
