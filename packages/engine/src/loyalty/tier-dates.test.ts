import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkTiersExpiration, type TiersExpiration, tierDates, tierSettings } from "./tier-dates.js";

type Ends = TiersExpiration["expiration_date"];

const by_balance = (expiration_date: Ends): TiersExpiration => ({
  qualification_type: "BALANCE",
  start_date: { type: "IMMEDIATE" },
  expiration_date,
});
const by_points = (
  qualification_period: TiersExpiration["qualification_period"],
  type: "IMMEDIATE" | "NEXT_PERIOD",
  expiration_date: Ends,
): TiersExpiration => ({
  qualification_type: "POINTS_IN_PERIOD",
  qualification_period,
  start_date: { type },
  expiration_date,
});
const custom = (extend: string, rounding?: Ends["rounding"]) => by_balance({ type: "CUSTOM", extend, rounding });

describe("a tier counts", () => {
  test.each<[string, TiersExpiration | null, string, string, string | null]>([
    ["as long as the balance says, where nothing is set", null, "2027-05-14", "2027-05-14", null],
    [
      "as long as the balance says",
      by_balance({ type: "BALANCE_DROP", extend: "P1M" }),
      "2027-05-14",
      "2027-05-14",
      null,
    ],
    ["two months", custom("P2M"), "2027-05-14", "2027-05-14", "2027-07-14"],
    ["ten days", custom("P10D"), "2027-05-25", "2027-05-25", "2027-06-04"],
    ["to a month's last day", custom("P1M"), "2027-08-31", "2027-08-31", "2027-09-30"],
    [
      "to the end of a quarter",
      custom("P2M", { type: "QUARTER", strategy: "END" }),
      "2027-05-14",
      "2027-05-14",
      "2027-09-30",
    ],
    ["to its end unless said", custom("P2M", { type: "HALF_YEAR" }), "2027-05-14", "2027-05-14", "2027-12-31"],
    [
      "to its beginning",
      custom("P2M", { type: "QUARTER", strategy: "START" }),
      "2027-05-14",
      "2027-05-14",
      "2027-07-01",
    ],
    [
      "for a day at least",
      custom("P1D", { type: "MONTH", strategy: "START" }),
      "2027-05-14",
      "2027-05-14",
      "2027-05-14",
    ],
    [
      "to the end of the next February",
      custom("P2M", { type: "CUSTOM", value: 1 }),
      "2027-05-14",
      "2027-05-14",
      "2028-02-29",
    ],
    [
      "to a February that has begun",
      custom("P3M", { type: "CUSTOM", value: 1 }),
      "2026-11-10",
      "2026-11-10",
      "2027-02-28",
    ],
    [
      "to the beginning of March",
      custom("P3M", { type: "CUSTOM", value: 2, strategy: "START" }),
      "2026-11-10",
      "2026-11-10",
      "2027-03-01",
    ],
    [
      "to the month's end",
      by_points("MONTH", "IMMEDIATE", { type: "END_OF_PERIOD" }),
      "2027-05-14",
      "2027-05-14",
      "2027-05-31",
    ],
    [
      "to the end of the next",
      by_points("MONTH", "IMMEDIATE", { type: "END_OF_NEXT_PERIOD" }),
      "2027-05-14",
      "2027-05-14",
      "2027-06-30",
    ],
    [
      "five days longer",
      by_points("MONTH", "IMMEDIATE", { type: "END_OF_PERIOD", extend: "P5D" }),
      "2027-05-14",
      "2027-05-14",
      "2027-06-05",
    ],
    [
      "from the next quarter on",
      by_points("QUARTER", "NEXT_PERIOD", { type: "END_OF_PERIOD" }),
      "2027-05-14",
      "2027-07-01",
      "2027-09-30",
    ],
    [
      "from the next year on, two years",
      by_points("YEAR", "NEXT_PERIOD", { type: "END_OF_NEXT_PERIOD" }),
      "2027-12-31",
      "2028-01-01",
      "2029-12-31",
    ],
    [
      "to the end of the half-year",
      by_points("HALF_YEAR", "IMMEDIATE", { type: "END_OF_PERIOD" }),
      "2027-06-30",
      "2027-06-30",
      "2027-06-30",
    ],
  ])("%s", (_what, stored, reached, start, end) => {
    expect(tierDates(tierSettings(stored), reached)).toEqual({ start, end });
  });

  test("from the day it was reached or later, and to no day before that", () => {
    const days = fc
      .date({ min: new Date("1990-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
    const extend = fc.constantFrom("P0D", "P1D", "P40D", "P1M", "P13M", "P1M2D");
    const period = fc.constantFrom("MONTH", "QUARTER", "HALF_YEAR", "YEAR");
    const rounding = fc.option(
      fc.record({
        type: fc.constantFrom("MONTH", "QUARTER", "HALF_YEAR", "YEAR", "CUSTOM"),
        strategy: fc.constantFrom("START", "END"),
        value: fc.nat(11),
      }),
      { nil: undefined },
    );
    const settings = fc.oneof(
      fc.record({ extend, rounding }).map(({ extend, rounding }) => custom(extend, rounding as Ends["rounding"])),
      fc
        .record({
          period,
          extend,
          rounding,
          start: fc.constantFrom("IMMEDIATE", "NEXT_PERIOD"),
          type: fc.constantFrom("END_OF_PERIOD", "END_OF_NEXT_PERIOD"),
        })
        .map(({ period, start, ...ends }) => by_points(period as "MONTH", start as "IMMEDIATE", ends as Ends)),
    );
    fc.assert(
      fc.property(days, settings, (reached, stored) => {
        expect(checkTiersExpiration(stored)).toBeNull();
        const { start, end } = tierDates(tierSettings(stored), reached);
        expect(start >= reached).toBe(true);
        expect((end as string) >= start).toBe(true);
      }),
    );
  });
});

describe("settings that cannot be meant are refused", () => {
  test.each<[string, string, TiersExpiration]>([
    ["qualification_period", "is required", by_points(undefined, "IMMEDIATE", { type: "END_OF_PERIOD" })],
    ["start_date.type", "must be IMMEDIATE", { ...custom("P1M"), start_date: { type: "NEXT_PERIOD" } }],
    ["expiration_date.type", "must be BALANCE_DROP or CUSTOM", by_balance({ type: "END_OF_PERIOD" })],
    ["expiration_date.type", "must be END_OF_PERIOD or", by_points("MONTH", "IMMEDIATE", { type: "CUSTOM" })],
    ["expiration_date.extend", "must be an ISO 8601 duration", custom("two months")],
    ["expiration_date.extend", "must be an ISO 8601 duration", custom("PT12H")],
    ["expiration_date.rounding.value", "must be a month", custom("P1M", { type: "CUSTOM" })],
    ["expiration_date.rounding.value", "must be a month", custom("P1M", { type: "CUSTOM", value: 12 })],
  ])("%s %s", (path, problem, settings) => {
    const fault = checkTiersExpiration(settings);
    expect(fault).toMatchObject({ path });
    expect(fault?.problem).toContain(problem);
    expect(tierSettings(settings)).toEqual(tierSettings(null));
  });
});
