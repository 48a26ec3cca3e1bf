import { describe, expect, test } from "vitest";
import { type ExpirationRules, expiresOn } from "./expiry.js";

const months = (period_value: number, more: Partial<ExpirationRules> = {}): ExpirationRules => ({
  period_type: "MONTH",
  period_value,
  ...more,
});
const fixed = (fixed_month: number, fixed_day: number): ExpirationRules => ({
  period_type: "FIXED_DAY_OF_YEAR",
  fixed_month,
  fixed_day,
});
const march = { rounding_type: "PARTICULAR_MONTH", rounding_value: 3 } as const;

describe("the last day of points (loyalty.md §6.2)", () => {
  test.each<[string, ExpirationRules, string]>([
    ["2027-05-14", months(2), "2027-07-14"],
    ["2027-08-31", months(1), "2027-09-30"],
    ["2027-12-30", months(2), "2028-02-29"],
    ["2027-05-14", months(0), "2027-05-14"],
    ["2027-05-14", months(2, { rounding_type: "END_OF_MONTH" }), "2027-07-31"],
    ["2027-05-14", months(2, { rounding_type: "END_OF_QUARTER" }), "2027-09-30"],
    ["2027-05-14", months(2, { rounding_type: "END_OF_HALF_YEAR" }), "2027-12-31"],
    ["2027-05-14", months(8, { rounding_type: "END_OF_YEAR" }), "2028-12-31"],
    ["2027-05-14", months(2, march), "2028-03-31"],
    ["2027-05-14", fixed(4, 15), "2028-04-15"],
  ])("earned on %s by %j is %s", (earned, rules, last) => {
    expect(expiresOn(rules, earned)).toBe(last);
  });

  test.each<[string, string, ExpirationRules, string]>([
    ["the end of a period is in it", "2027-04-30", months(2, { rounding_type: "END_OF_QUARTER" }), "2027-06-30"],
    ["so is its first day", "2027-05-01", months(2, { rounding_type: "END_OF_QUARTER" }), "2027-09-30"],
    [
      "the first half of a year ends in June",
      "2027-01-01",
      months(0, { rounding_type: "END_OF_HALF_YEAR" }),
      "2027-06-30",
    ],
    ["a day in the month is rounded to the end of it", "2027-03-02", months(0, march), "2027-03-31"],
    ["the end of the month stays", "2027-03-31", months(0, march), "2027-03-31"],
    ["after it comes the next year's", "2027-04-01", months(0, march), "2028-03-31"],
    ["in a leap year February has a day more", "2027-12-31", months(1, { ...march, rounding_value: 2 }), "2028-02-29"],
    ["a fixed day that is today is today", "2027-04-15", fixed(4, 15), "2027-04-15"],
    ["the day after it is a year ahead", "2027-04-16", fixed(4, 15), "2028-04-15"],
    ["a fixed day that its month lacks is its last", "2027-01-10", fixed(2, 31), "2027-02-28"],
    ["in each year by itself", "2027-03-01", fixed(2, 29), "2028-02-29"],
  ])("%s: earned on %s", (_rule, earned, rules, last) => {
    expect(expiresOn(rules, earned)).toBe(last);
  });

  test("is none where there are no rules", () => {
    expect(expiresOn(null, "2027-05-14")).toBeNull();
    expect(expiresOn(undefined, "2027-05-14")).toBeNull();
  });
});
