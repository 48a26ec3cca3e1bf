import { expect, test } from "vitest";
import type { ActivityWindow } from "../facts.js";
import { opensWithin } from "./opens-within.js";
import { ALWAYS } from "./window.js";

const at = (text: string) => Date.parse(text);
const hours = (start_time: string, expiration_time: string, days_of_week?: number[]) => ({
  validity_hours: { daily: [{ start_time, expiration_time, ...(days_of_week ? { days_of_week } : {}) }] },
});
const every = (interval: string, duration: string, start_date: string) => ({
  start_date: at(start_date),
  validity_timeframe: { interval, duration },
});

// 2027-05-15 is a Saturday.
test.each<[string, Partial<ActivityWindow>, string, string, boolean]>([
  ["no days and no hours", {}, "2027-05-15T00:00Z", "2027-05-15T00:00Z", true],
  ["nothing between the ends", {}, "2027-05-16T00:00Z", "2027-05-15T00:00Z", false],
  ["a Monday in a weekend", { validity_day_of_week: [1] }, "2027-05-15T00:00Z", "2027-05-16T21:59Z", false],
  ["a Monday of the zone in it", { validity_day_of_week: [1] }, "2027-05-15T00:00Z", "2027-05-16T22:00Z", true],
  ["a Monday in nine days", { validity_day_of_week: [1] }, "2027-05-15T00:00Z", "2027-05-24T00:00Z", true],
  ["an hour before the only day", hours("08:00", "09:00"), "2027-05-15T10:00Z", "2027-05-15T20:00Z", false],
  ["one minute of it", hours("12:00", "12:00"), "2027-05-15T09:59:30Z", "2027-05-15T10:00:30Z", true],
  ["hours of another day", hours("08:00", "20:00", [1]), "2027-05-15T00:00Z", "2027-05-16T20:00Z", false],
  [
    "each year's first day, in May",
    every("P1Y", "P1D", "2027-01-01T00:00Z"),
    "2027-05-01T00:00Z",
    "2027-05-31T00:00Z",
    false,
  ],
  [
    "each month's first day, in May",
    every("P1M", "P1D", "2020-01-01T00:00Z"),
    "2027-05-01T00:00Z",
    "2027-05-31T00:00Z",
    true,
  ],
  [
    "Mondays of openings that are all Saturdays, for ever",
    { ...every("P7D", "P1D", "2027-05-15T00:00Z"), validity_day_of_week: [1] },
    "2027-05-15T00:00Z",
    "9999-01-01T00:00Z",
    false,
  ],
  [
    "Mondays of openings that begin on any day",
    { ...every("P1M", "P1D", "2027-05-15T00:00Z"), validity_day_of_week: [1] },
    "2027-05-15T00:00Z",
    "9999-01-01T00:00Z",
    true,
  ],
])("%s", (_what, window, from, until, opens) => {
  expect(opensWithin({ ...ALWAYS, ...window }, "Europe/Warsaw", at(from), at(until))).toBe(opens);
});
