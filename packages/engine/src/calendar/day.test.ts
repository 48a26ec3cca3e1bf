import { expect, test } from "vitest";
import { daysAfter, startOfDay } from "./day.js";

test.each([
  ["2027-02-28", 1, "2027-03-01"],
  ["2028-02-28", 1, "2028-02-29"],
  ["2028-01-01", -1, "2027-12-31"],
])("the day %s and %i days are %s", (day, days, later) => {
  expect(daysAfter(day, days)).toBe(later);
});

test.each([
  ["2026-03-29", "UTC", "2026-03-29T00:00:00.000Z"],
  ["2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00.000Z"],
  ["2026-03-30", "Europe/Berlin", "2026-03-29T22:00:00.000Z"],
  ["2026-03-02", "GMT+02:00", "2026-03-01T22:00:00.000Z"],
  // Midnight is skipped: the day begins at one.
  ["2026-03-08", "America/Havana", "2026-03-08T05:00:00.000Z"],
])("%s begins in %s at %s", (day, time_zone, begins) => {
  expect(new Date(startOfDay(day, time_zone)).toISOString()).toBe(begins);
});
