import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";
import type { ActivityWindow } from "../facts.js";
import { addDuration, type Duration, parseDuration } from "./duration.js";
import { ALWAYS, compileWindow, inheritWindow } from "./window.js";
import { checkWindow } from "./window-fault.js";
import { isTimeZone, localTime, zoneOf } from "./zone.js";

const at = (iso: string) => Date.parse(iso);
const WARSAW = "Europe/Warsaw";
const verdict = (window: Partial<ActivityWindow>, iso: string, zone = WARSAW) =>
  compileWindow({ ...ALWAYS, ...window }, zone).check(at(iso))?.key ?? "active";

describe("start and expiration dates", () => {
  test.each`
    instant                       | outcome
    ${"2025-01-31T23:59:59.999Z"} | ${"not_started"}
    ${"2025-02-01T00:00:00.000Z"} | ${"active"}
    ${"2025-02-28T12:00:00.000Z"} | ${"active"}
    ${"2025-02-28T12:00:00.001Z"} | ${"expired"}
  `("both ends belong to the window: $instant is $outcome", ({ instant, outcome }) => {
    const window = { start_date: at("2025-02-01T00:00:00Z"), expiration_date: at("2025-02-28T12:00:00Z") };
    expect(verdict(window, instant)).toBe(outcome);
  });
});

describe("every third day for two hours from a Monday 09:00 in Warsaw", () => {
  const window = {
    start_date: at("2025-03-03T08:00:00Z"),
    validity_timeframe: { duration: "PT2H", interval: "P3D" },
  };
  test.each`
    instant                       | outcome
    ${"2025-03-03T07:59:59.999Z"} | ${"not_started"}
    ${"2025-03-03T08:00:00.000Z"} | ${"active"}
    ${"2025-03-05T09:00:00.000Z"} | ${"outside_timeframe"}
    ${"2025-03-06T07:59:59.999Z"} | ${"outside_timeframe"}
    ${"2025-03-06T09:59:59.000Z"} | ${"active"}
    ${"2025-03-06T10:00:00.000Z"} | ${"outside_timeframe"}
    ${"2025-03-27T08:00:00.000Z"} | ${"active"}
    ${"2025-03-30T06:59:59.999Z"} | ${"outside_timeframe"}
    ${"2025-03-30T07:00:00.000Z"} | ${"active"}
    ${"2025-03-30T09:00:00.000Z"} | ${"outside_timeframe"}
  `("$instant is $outcome", ({ instant, outcome }) => {
    expect(verdict(window, instant)).toBe(outcome);
  });

  test("the answer does not depend on what was asked before", () => {
    const compiled = compileWindow({ ...ALWAYS, ...window }, WARSAW);
    const instants = fc.integer({ min: at("2025-02-20T00:00:00Z"), max: at("2026-12-31T00:00:00Z") });
    fc.assert(
      fc.property(fc.array(instants), (asked) => {
        for (const instant of asked) {
          expect(compiled.check(instant)).toEqual(compileWindow({ ...ALWAYS, ...window }, WARSAW).check(instant));
        }
      }),
    );
  });
});

test("every seventh day for two days from New Year: 1 and 2, 8 and 9, 15 and 16 January", () => {
  const window = { start_date: at("2025-01-01T00:00:00Z"), validity_timeframe: { duration: "P2D", interval: "P7D" } };
  const days = Array.from({ length: 17 }, (_none, i) => i + 1);
  const active = days.filter(
    (day) => verdict(window, `2025-01-${String(day).padStart(2, "0")}T12:00:00Z`) === "active",
  );
  expect(active).toEqual([1, 2, 8, 9, 15, 16]);
});

test("months are counted from the start date, so the 31st comes back after February", () => {
  const window = {
    start_date: at("2025-01-31T11:00:00Z"),
    validity_timeframe: { duration: "P1D", interval: "P1M" },
  };
  expect(verdict(window, "2025-02-28T11:00:00Z")).toBe("active");
  expect(verdict(window, "2025-03-28T11:00:00Z")).toBe("outside_timeframe");
  expect(verdict(window, "2025-03-31T10:00:00Z")).toBe("active");
});

test("a duration of at least the interval means always on", () => {
  const window = { start_date: at("2025-01-01T00:00:00Z"), validity_timeframe: { duration: "P3D", interval: "P2D" } };
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3e11 }), (elapsed) => {
      expect(compileWindow({ ...ALWAYS, ...window }, WARSAW).check(window.start_date + elapsed)).toBeNull();
    }),
  );
});

test("pure time parts are absolute: every 36 hours does not follow DST", () => {
  const window = {
    start_date: at("2025-03-29T08:00:00Z"),
    validity_timeframe: { duration: "PT1H", interval: "PT36H" },
  };
  expect(verdict(window, "2025-03-30T20:30:00Z")).toBe("active");
  expect(verdict(window, "2025-04-01T08:30:00Z")).toBe("active");
});

describe("days of the week", () => {
  test.each`
    zone           | days               | outcome
    ${WARSAW}      | ${[1, 2, 3, 4, 5]} | ${"outside_day_of_week"}
    ${"UTC"}       | ${[1, 2, 3, 4, 5]} | ${"active"}
    ${WARSAW}      | ${[6]}             | ${"active"}
    ${WARSAW}      | ${[]}              | ${"active"}
    ${"GMT-3"}     | ${[5]}             | ${"active"}
    ${"Etc/GMT-1"} | ${[6]}             | ${"active"}
  `("Friday 23:30 UTC against $days in $zone is $outcome", ({ zone, days, outcome }) => {
    expect(verdict({ validity_day_of_week: days }, "2025-03-07T23:30:00Z", zone)).toBe(outcome);
  });
});

test("an empty list of hours restricts nothing, as an empty list of weekdays does", () => {
  expect(verdict({ validity_hours: { daily: [] } }, "2025-03-07T23:30:00Z")).toBe("active");
});

describe("hours of the day", () => {
  const tuesdays = {
    validity_hours: { daily: [{ start_time: "10:00", expiration_time: "12:30", days_of_week: [2, 4] }] },
  };
  const nights = { validity_hours: { daily: [{ start_time: "22:00", expiration_time: "02:00", days_of_week: [6] }] } };
  test.each`
    name                | window      | instant                       | outcome
    ${"Tuesday"}        | ${tuesdays} | ${"2025-03-04T08:59:59.999Z"} | ${"outside_hours"}
    ${"Tuesday"}        | ${tuesdays} | ${"2025-03-04T09:00:00.000Z"} | ${"active"}
    ${"Tuesday"}        | ${tuesdays} | ${"2025-03-04T09:15:00.000Z"} | ${"active"}
    ${"Tuesday"}        | ${tuesdays} | ${"2025-03-04T11:30:00.000Z"} | ${"active"}
    ${"Tuesday"}        | ${tuesdays} | ${"2025-03-04T11:30:00.001Z"} | ${"outside_hours"}
    ${"Tuesday"}        | ${tuesdays} | ${"2025-03-04T11:31:00.000Z"} | ${"outside_hours"}
    ${"Tuesday"}        | ${tuesdays} | ${"2025-03-05T09:15:00.000Z"} | ${"outside_hours"}
    ${"Saturday night"} | ${nights}   | ${"2025-03-08T21:00:00.000Z"} | ${"active"}
    ${"Saturday night"} | ${nights}   | ${"2025-03-09T00:59:00.000Z"} | ${"active"}
    ${"Saturday night"} | ${nights}   | ${"2025-03-09T01:01:00.000Z"} | ${"outside_hours"}
    ${"Saturday night"} | ${nights}   | ${"2025-03-08T00:30:00.000Z"} | ${"outside_hours"}
  `("$name at $instant is $outcome", ({ window, instant, outcome }) => {
    expect(verdict(window, instant)).toBe(outcome);
  });
});

test("a voucher's own fields win one by one over its campaign's", () => {
  const own = { ...ALWAYS, expiration_date: 5 };
  const campaign = { ...ALWAYS, start_date: 1, expiration_date: 9, validity_day_of_week: [1] };
  expect(inheritWindow(own, campaign)).toEqual({ ...campaign, expiration_date: 5 });
});

describe("durations", () => {
  const parsed = (text: string) => parseDuration(text) as Duration;
  test.each`
    duration         | published                 | expires
    ${"P10D"}        | ${"2025-04-02T15:20:00Z"} | ${"2025-04-12T15:20:00Z"}
    ${"P10D"}        | ${"2025-04-29T12:00:00Z"} | ${"2025-05-09T12:00:00Z"}
    ${"PT48H"}       | ${"2025-06-01T06:00:00Z"} | ${"2025-06-03T06:00:00Z"}
    ${"P1D"}         | ${"2025-03-29T12:00:00Z"} | ${"2025-03-30T11:00:00Z"}
    ${"PT24H"}       | ${"2025-03-29T12:00:00Z"} | ${"2025-03-30T12:00:00Z"}
    ${"P1M"}         | ${"2025-01-31T12:00:00Z"} | ${"2025-02-28T12:00:00Z"}
    ${"P1Y1DT1H30M"} | ${"2025-01-01T00:00:00Z"} | ${"2026-01-02T01:30:00Z"}
  `("$duration after $published is $expires", ({ duration, published, expires }) => {
    expect(addDuration(at(published), parsed(duration), WARSAW)).toBe(at(expires));
  });

  test.each(["", "P", "PT", "P1DT", "1D", "P-1D", "P1.5D", "p1d", "P9999Y", "P1H"])("%j is no duration", (text) => {
    expect(parseDuration(text)).toBeNull();
  });
});

describe("zones", () => {
  const zones = [
    WARSAW,
    "America/New_York",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Pacific/Kiritimati",
    "Etc/GMT+1",
    "UTC",
  ];
  test("the cached offset is Temporal's at every instant", () => {
    const instants = fc.integer({ min: at("1950-01-01T00:00:00Z"), max: at("2100-01-01T00:00:00Z") });
    fc.assert(
      fc.property(fc.constantFrom(...zones), instants, (name, instant) => {
        const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(name);
        const local = localTime(zoneOf(name), instant);
        expect(zoneOf(name).offsetAt(instant)).toBe(zoned.offsetNanoseconds / 1e6);
        expect(local.weekday).toBe(zoned.dayOfWeek % 7);
        expect(local.time).toBe(((zoned.hour * 60 + zoned.minute) * 60 + zoned.second) * 1000 + zoned.millisecond);
      }),
      { numRuns: 300 },
    );
  });

  test.each`
    name               | known
    ${"Europe/Warsaw"} | ${true}
    ${"GMT+02:00"}     | ${true}
    ${"Etc/GMT+1"}     | ${true}
    ${"Mars/Olympus"}  | ${false}
    ${""}              | ${false}
  `("$name is a time zone: $known", ({ name, known }) => {
    expect(isTimeZone(name)).toBe(known);
  });
});

describe("windows on input", () => {
  const daily = (...entries: [string, string, number[]?][]) => ({
    validity_hours: {
      daily: entries.map(([start_time, expiration_time, days_of_week]) => ({
        start_time,
        expiration_time,
        days_of_week,
      })),
    },
  });
  test.each`
    name                           | window                                                                                                        | fault
    ${"nothing set"}               | ${{}}                                                                                                         | ${null}
    ${"an end before the start"}   | ${{ start_date: 2, expiration_date: 1 }}                                                                      | ${"semantic expiration_date"}
    ${"a single instant"}          | ${{ start_date: 2, expiration_date: 2 }}                                                                      | ${null}
    ${"timeframe without a start"} | ${{ validity_timeframe: { duration: "PT1H", interval: "P1D" } }}                                              | ${"semantic start_date"}
    ${"interval of nothing"}       | ${{ start_date: 0, validity_timeframe: { duration: "PT1H", interval: "P0D" } }}                               | ${"semantic validity_timeframe.interval"}
    ${"duration that is no text"}  | ${{ start_date: 0, validity_timeframe: { duration: "1 hour", interval: "P1D" } }}                             | ${"payload validity_timeframe.duration"}
    ${"an eighth weekday"}         | ${{ validity_day_of_week: [7] }}                                                                              | ${"payload validity_day_of_week"}
    ${"an hour of 25"}             | ${daily(["25:00", "26:00"])}                                                                                  | ${"payload validity_hours.daily[0].start_time"}
    ${"an end at 24:00"}           | ${daily(["10:00", "11:00"], ["22:00", "24:00"])}                                                              | ${"payload validity_hours.daily[1].expiration_time"}
    ${"hours of an eighth day"}    | ${daily(["10:00", "11:00", [7]])}                                                                             | ${"payload validity_hours.daily[0].days_of_week"}
    ${"half a weekday"}            | ${{ validity_day_of_week: [0.5] }}                                                                            | ${"payload validity_day_of_week"}
    ${"no hours and weekdays"}     | ${{ ...daily(), validity_day_of_week: [1] }}                                                                  | ${null}
    ${"hours and a timeframe"}     | ${{ ...daily(["10:00", "12:00"]), start_date: 0, validity_timeframe: { duration: "PT1H", interval: "P1D" } }} | ${"semantic validity_hours"}
    ${"timeframe and weekdays"}    | ${{ start_date: 0, validity_timeframe: { duration: "PT1H", interval: "P1D" }, validity_day_of_week: [1] }}    | ${null}
    ${"duration of nothing"}       | ${{ start_date: 0, validity_timeframe: { duration: "PT0S", interval: "P1D" } }}                               | ${"semantic validity_timeframe.duration"}
    ${"a week that overlaps"}      | ${daily(["22:00", "21:00"])}                                                                                  | ${null}
    ${"hours meeting at a minute"} | ${daily(["10:00", "12:00"], ["12:00", "13:00"])}                                                              | ${null}
    ${"hours overlapping"}         | ${daily(["10:00", "12:00"], ["11:00", "13:00"])}                                                              | ${"payload validity_hours.daily[1]"}
    ${"overlap on other days"}     | ${daily(["10:00", "12:00", [1]], ["11:00", "13:00", [2]])}                                                    | ${null}
    ${"overlap past midnight"}     | ${daily(["22:00", "03:00", [6]], ["02:00", "04:00", [0]])}                                                    | ${"payload validity_hours.daily[1]"}
    ${"hours and weekdays"}        | ${{ ...daily(["10:00", "12:00"]), validity_day_of_week: [1] }}                                                | ${"semantic validity_hours"}
  `("$name: $fault", ({ window, fault }) => {
    const found = checkWindow({ ...ALWAYS, ...window });
    expect(found && `${found.kind} ${found.path}`).toBe(fault);
  });
});
