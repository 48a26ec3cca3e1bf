import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";
import type { ActivityWindow } from "../facts.js";
import { ALWAYS, compileWindow } from "./window.js";

const at = (iso: string) => Date.parse(iso);
const WARSAW = "Europe/Warsaw";
const verdict = (window: Partial<ActivityWindow>, iso: string, zone = WARSAW) =>
  compileWindow({ ...ALWAYS, ...window }, zone).check(at(iso))?.key ?? "active";

// Summer time ends in Warsaw on 26 October 2025, when the hour from 02:00 is there twice, and began on 30 March, when
// it was left out.
describe("windows over a change of DST", () => {
  const daily = (start: string, duration: string) => ({
    start_date: at(start),
    validity_timeframe: { duration, interval: "P1D" },
  });
  const hours = (start_time: string, expiration_time: string) => ({
    validity_hours: { daily: [{ start_time, expiration_time }] },
  });
  test.each`
    name                               | window                                    | instant                   | outcome
    ${"09:00, before the autumn"}      | ${daily("2025-10-25T07:00:00Z", "PT1H")}  | ${"2025-10-25T07:30:00Z"} | ${"active"}
    ${"09:00 stays 09:00"}             | ${daily("2025-10-25T07:00:00Z", "PT1H")}  | ${"2025-10-26T08:30:00Z"} | ${"active"}
    ${"and is no longer 07:00Z"}       | ${daily("2025-10-25T07:00:00Z", "PT1H")}  | ${"2025-10-26T07:30:00Z"} | ${"outside_timeframe"}
    ${"02:30 there twice: the first"}  | ${daily("2025-10-20T00:30:00Z", "PT30M")} | ${"2025-10-26T00:45:00Z"} | ${"active"}
    ${"02:30 there twice: the second"} | ${daily("2025-10-20T00:30:00Z", "PT30M")} | ${"2025-10-26T01:45:00Z"} | ${"outside_timeframe"}
    ${"02:30 left out: at 03:30"}      | ${daily("2025-03-20T01:30:00Z", "PT30M")} | ${"2025-03-30T01:45:00Z"} | ${"active"}
    ${"02:30 left out: not at 03:00"}  | ${daily("2025-03-20T01:30:00Z", "PT30M")} | ${"2025-03-30T01:15:00Z"} | ${"outside_timeframe"}
    ${"a day of 25 hours: its end"}    | ${daily("2025-10-25T22:00:00Z", "P1D")}   | ${"2025-10-26T22:59:59Z"} | ${"active"}
    ${"hours there twice: the first"}  | ${hours("02:00", "02:59")}                | ${"2025-10-26T00:30:00Z"} | ${"active"}
    ${"hours there twice: the second"} | ${hours("02:00", "02:59")}                | ${"2025-10-26T01:30:00Z"} | ${"active"}
    ${"and then it is over"}           | ${hours("02:00", "02:59")}                | ${"2025-10-26T02:00:00Z"} | ${"outside_hours"}
    ${"hours left out: before"}        | ${hours("02:00", "02:59")}                | ${"2025-03-30T00:59:59Z"} | ${"outside_hours"}
    ${"hours left out: after"}         | ${hours("02:00", "02:59")}                | ${"2025-03-30T01:00:00Z"} | ${"outside_hours"}
  `("$name: $instant is $outcome", ({ window, instant, outcome }) => {
    expect(verdict(window, instant)).toBe(outcome);
  });
});

describe("zones with odd offsets and days that never were", () => {
  const APIA = "Pacific/Apia";
  const KATHMANDU = "Asia/Kathmandu";
  const everyDay = (start: string) => ({
    start_date: at(start),
    validity_timeframe: { duration: "PT1H", interval: "P1D" },
  });
  // Samoa went from 29 to 31 December 2011, and with it from Thursday to Saturday.
  test.each`
    zone         | window                                                                                                  | instant                   | outcome
    ${KATHMANDU} | ${{ validity_day_of_week: [3] }}                                                                        | ${"2025-06-10T18:14:59Z"} | ${"outside_day_of_week"}
    ${KATHMANDU} | ${{ validity_day_of_week: [3] }}                                                                        | ${"2025-06-10T18:15:00Z"} | ${"active"}
    ${KATHMANDU} | ${{ validity_hours: { daily: [{ start_time: "09:45", expiration_time: "10:00" }] } }}                   | ${"2025-06-10T04:00:00Z"} | ${"active"}
    ${KATHMANDU} | ${{ validity_hours: { daily: [{ start_time: "09:45", expiration_time: "10:00" }] } }}                   | ${"2025-06-10T04:15:01Z"} | ${"outside_hours"}
    ${APIA}      | ${{ validity_day_of_week: [5] }}                                                                        | ${"2011-12-30T09:59:59Z"} | ${"outside_day_of_week"}
    ${APIA}      | ${{ validity_day_of_week: [6] }}                                                                        | ${"2011-12-30T10:00:00Z"} | ${"active"}
    ${APIA}      | ${everyDay("2011-12-28T20:00:00Z")}                                                                     | ${"2011-12-29T20:30:00Z"} | ${"active"}
    ${APIA}      | ${everyDay("2011-12-28T20:00:00Z")}                                                                     | ${"2011-12-30T20:30:00Z"} | ${"active"}
    ${APIA}      | ${everyDay("2011-12-28T20:00:00Z")}                                                                     | ${"2012-01-01T20:30:00Z"} | ${"active"}
    ${APIA}      | ${everyDay("2011-12-28T20:00:00Z")}                                                                     | ${"2011-12-30T12:30:00Z"} | ${"outside_timeframe"}
    ${"UTC"}     | ${{ start_date: at("2024-02-29T00:00:00Z"), validity_timeframe: { duration: "P1D", interval: "P1Y" } }} | ${"2025-02-28T12:00:00Z"} | ${"active"}
    ${"UTC"}     | ${{ start_date: at("2024-02-29T00:00:00Z"), validity_timeframe: { duration: "P1D", interval: "P1Y" } }} | ${"2028-02-28T12:00:00Z"} | ${"outside_timeframe"}
    ${"UTC"}     | ${{ start_date: at("2024-02-29T00:00:00Z"), validity_timeframe: { duration: "P1D", interval: "P1Y" } }} | ${"2028-02-29T12:00:00Z"} | ${"active"}
  `("$window in $zone at $instant is $outcome", ({ zone, window, instant, outcome }) => {
    expect(verdict(window, instant, zone)).toBe(outcome);
  });
});

test("a window is open exactly where one of its openings, counted one by one, is", () => {
  const zones = fc.constantFrom(WARSAW, "America/New_York", "Asia/Kathmandu", "Pacific/Apia", "Australia/Lord_Howe");
  const durations = fc.constantFrom("PT1H", "PT36H", "P1D", "P3D", "P1W", "P1M", "P1DT6H");
  const start = at("2011-12-20T10:30:00Z");
  fc.assert(
    fc.property(
      zones,
      durations,
      durations,
      fc.integer({ min: 0, max: 40 * 86_400 }),
      (zone, interval, duration, after) => {
        const window = { start_date: start, validity_timeframe: { duration, interval } };
        const instant = start + after * 1000;
        const [every, long] = [interval, duration].map((text) => Temporal.Duration.from(text));
        const begin = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(zone);
        const times = Array.from({ length: 41 * 24 }, (_none, k) => k);
        const opensAt = (k: number) =>
          begin
            .add({ months: every!.months * k, weeks: every!.weeks * k, days: every!.days * k })
            .add({ hours: every!.hours * k });
        const last = times
          .map(opensAt)
          .filter((opens) => opens.epochMilliseconds <= instant)
          .at(-1)!;
        const is_open = instant < last.add(long!).epochMilliseconds;
        expect(verdict(window, new Date(instant).toISOString(), zone)).toBe(is_open ? "active" : "outside_timeframe");
      },
    ),
    { numRuns: 60 },
  );
});
