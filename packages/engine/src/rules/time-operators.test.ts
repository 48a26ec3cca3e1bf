import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";
import { dateOfDay, dayOfDate, instantOfLocal, monthsBetween, parseMoment } from "./moments.js";
import { aContext, holdsFor, leaf, ruleOf } from "./rules.fixtures.js";

const at = (iso: string) => Date.parse(iso);

describe("windows that repeat", () => {
  test.each`
    value                     | holds
    ${"2025-03-01T07:59:59Z"} | ${false}
    ${"2025-03-01T08:00:00Z"} | ${true}
    ${"2025-03-05T10:59:00Z"} | ${true}
    ${"2025-03-05T11:00:00Z"} | ${false}
    ${"2025-03-04T09:00:00Z"} | ${false}
    ${"2025-02-27T08:30:00Z"} | ${false}
  `("every second day for three hours from 1 March: $value is $holds", ({ value, holds }) => {
    expect(holdsFor("$timeframe", ["2025-03-01T08:00:00.000Z;P2D;PT3H"], value)).toBe(holds);
  });

  test("months are calendar months of the zone, and the local hour survives DST", () => {
    const monthly = ["2025-01-31T09:00;P1M;PT1H"];
    expect(holdsFor("$timeframe", monthly, "2025-02-28T09:30")).toBe(true);
    expect(holdsFor("$timeframe", monthly, "2025-03-31T09:30")).toBe(true);
    expect(holdsFor("$timeframe", monthly, "2025-03-31T07:30:00Z")).toBe(true);
    expect(holdsFor("$timeframe", monthly, "2025-03-31T08:30:00Z")).toBe(false);
  });

  // Summer time begins in Warsaw on 30 March 2025 and ends on 26 October.
  test.each`
    operand                          | zone                | value                     | holds
    ${"2025-03-29T09:00;P1D;PT1H"}   | ${"Europe/Warsaw"}  | ${"2025-03-30T07:30:00Z"} | ${true}
    ${"2025-03-29T09:00;P1D;PT1H"}   | ${"Europe/Warsaw"}  | ${"2025-03-30T08:30:00Z"} | ${false}
    ${"2025-10-25T09:00;P1D;PT1H"}   | ${"Europe/Warsaw"}  | ${"2025-10-26T08:30:00Z"} | ${true}
    ${"2025-10-25T09:00;P1D;PT1H"}   | ${"Europe/Warsaw"}  | ${"2025-10-26T07:30:00Z"} | ${false}
    ${"2025-10-25T09:00;PT24H;PT1H"} | ${"Europe/Warsaw"}  | ${"2025-10-26T07:30:00Z"} | ${true}
    ${"2024-02-29;P1Y;P1D"}          | ${"Asia/Kathmandu"} | ${"2025-02-27T18:15:00Z"} | ${true}
    ${"2024-02-29;P1Y;P1D"}          | ${"Asia/Kathmandu"} | ${"2025-02-27T18:14:59Z"} | ${false}
    ${"2024-02-29;P1Y;P1D"}          | ${"Asia/Kathmandu"} | ${"2028-02-29T12:00"}     | ${true}
    ${"2011-12-28T12:00;P1D;PT1H"}   | ${"Pacific/Apia"}   | ${"2011-12-31T12:30"}     | ${true}
  `("$operand in $zone: $value is $holds", ({ operand, zone, value, holds }) => {
    expect(holdsFor("$timeframe", [operand], value, { time_zone: zone })).toBe(holds);
  });

  test("one rule may be asked in one zone after the other", () => {
    const rule = ruleOf({
      "1": leaf("custom_event.metadata", { $timeframe: ["2025-01-01T09:00;P1D;PT1H"] }, { property: "value" }),
    });
    const judged = (time_zone: string) =>
      rule.judge(aContext({ event_metadata: { value: "2025-06-10T07:30:00Z" }, time_zone })) === null;
    expect(["Europe/Warsaw", "UTC", "Europe/Warsaw"].map(judged)).toEqual([true, false, true]);
  });

  test("absolute windows include both ends, and one of several suffices", () => {
    const windows = ["2025-01-01;2025-01-02", "2025-06-10T08:00:00Z;2025-06-10T10:00:00Z"];
    expect(holdsFor("$timeframe_absolute", windows, "2025-06-10T10:00:00Z")).toBe(true);
    expect(holdsFor("$timeframe_absolute", windows, "2025-06-10T10:00:01Z")).toBe(false);
    expect(holdsFor("$timeframe_absolute", windows, "2025-01-02T00:00")).toBe(true);
  });
});

describe("hours of the day, local", () => {
  test.each`
    operand              | value                     | holds
    ${"09:30;11:00;1,5"} | ${"2025-06-09T09:30"}     | ${true}
    ${"09:30;11:00;1,5"} | ${"2025-06-09T09:29:59"}  | ${false}
    ${"09:30;11:00;1,5"} | ${"2025-06-09T10:59:59"}  | ${true}
    ${"09:30;11:00;1,5"} | ${"2025-06-09T11:00"}     | ${false}
    ${"09:30;11:00;1,5"} | ${"2025-06-10T10:00"}     | ${false}
    ${"09:30;11:00;1,5"} | ${"2025-06-13T10:00"}     | ${true}
    ${"09:30;11:00;1,5"} | ${"2025-06-09T07:30:00Z"} | ${true}
    ${"22:00;02:00;6"}   | ${"2025-06-14T23:00"}     | ${true}
    ${"22:00;02:00;6"}   | ${"2025-06-15T01:59"}     | ${true}
    ${"22:00;02:00;6"}   | ${"2025-06-15T02:00"}     | ${false}
    ${"22:00;02:00;6"}   | ${"2025-06-14T01:00"}     | ${false}
    ${"20:00;24:00;6"}   | ${"2025-06-14T23:59:59"}  | ${true}
  `("$operand at $value: $holds", ({ operand, value, holds }) => {
    expect(holdsFor("$timeframe_daily_hours", [operand], value)).toBe(holds);
  });

  // Summer time begins on 30 March 2025 at 02:00 and ends on 26 October 2025 at 03:00 local time.
  test.each`
    operand            | value                     | holds
    ${"01:30;03:30;0"} | ${"2025-03-30T00:30:00Z"} | ${true}
    ${"01:30;03:30;0"} | ${"2025-03-30T01:00:00Z"} | ${true}
    ${"01:30;03:30;0"} | ${"2025-03-30T01:30:00Z"} | ${false}
    ${"02:00;03:00;0"} | ${"2025-10-26T00:00:00Z"} | ${true}
    ${"02:00;03:00;0"} | ${"2025-10-26T01:59:59Z"} | ${true}
    ${"02:00;03:00;0"} | ${"2025-10-26T02:00:00Z"} | ${false}
  `("over a change of DST $operand at $value: $holds", ({ operand, value, holds }) => {
    expect(holdsFor("$timeframe_daily_hours", [operand], value)).toBe(holds);
  });
});

describe("weekdays", () => {
  test.each`
    zone                  | operands     | holds
    ${"Europe/Warsaw"}    | ${[6]}       | ${true}
    ${"UTC"}              | ${[5]}       | ${true}
    ${"America/New_York"} | ${["5"]}     | ${true}
    ${"Europe/Warsaw"}    | ${[1, 2, 5]} | ${false}
    ${"Europe/Warsaw"}    | ${[]}        | ${false}
  `("Friday 23:30 UTC in $zone is one of $operands: $holds", ({ zone, operands, holds }) => {
    expect(holdsFor("$dow", operands, "2025-03-07T23:30:00Z", { time_zone: zone })).toBe(holds);
  });
});

describe("days between local dates; today is 10 June", () => {
  test.each`
    operator                | operand | value                     | holds
    ${"$is_days_ago"}       | ${3}    | ${"2025-06-07T23:59"}     | ${true}
    ${"$is_days_ago"}       | ${3}    | ${"2025-06-06T22:00:00Z"} | ${true}
    ${"$more_than_ago"}     | ${3}    | ${"2025-06-07"}           | ${false}
    ${"$more_than_ago"}     | ${3}    | ${"2025-06-06"}           | ${true}
    ${"$more_than_ago"}     | ${-1}   | ${"2025-06-11"}           | ${false}
    ${"$less_than_ago"}     | ${1}    | ${"2025-06-10T23:00"}     | ${true}
    ${"$less_than_ago"}     | ${2}    | ${"2025-06-08"}           | ${false}
    ${"$less_than_ago"}     | ${3}    | ${"2025-06-08"}           | ${true}
    ${"$less_than_ago"}     | ${3}    | ${"2025-06-11"}           | ${false}
    ${"$is_days_ago"}       | ${0}    | ${"2025-06-10"}           | ${true}
    ${"$is_days_in_future"} | ${0}    | ${"2025-06-10"}           | ${true}
    ${"$is_days_in_future"} | ${2}    | ${"2025-06-12T00:00"}     | ${true}
    ${"$more_than_future"}  | ${2}    | ${"2025-06-13"}           | ${true}
    ${"$more_than_future"}  | ${2}    | ${"2025-06-01"}           | ${false}
    ${"$less_than_future"}  | ${2}    | ${"2025-06-11"}           | ${true}
    ${"$less_than_future"}  | ${"2"}  | ${"2025-06-12"}           | ${false}
  `("$value $operator $operand: $holds", ({ operator, operand, value, holds }) => {
    expect(holdsFor(operator, [operand], value)).toBe(holds);
  });

  test("days are counted across a change of DST", () => {
    const instant = at("2025-03-31T10:00:00Z");
    expect(holdsFor("$is_days_ago", [2], "2025-03-29T23:30", { instant })).toBe(true);
  });
});

describe("after and before", () => {
  test.each`
    operator     | operand                   | value                     | holds
    ${"$after"}  | ${"2025-06-10"}           | ${"2025-06-10T00:00"}     | ${false}
    ${"$after"}  | ${"2025-06-10"}           | ${"2025-06-10T00:00:01"}  | ${true}
    ${"$after"}  | ${"2025-06-10"}           | ${"2025-06-10"}           | ${false}
    ${"$before"} | ${"2025-06-10"}           | ${"2025-06-09T21:59:59Z"} | ${true}
    ${"$before"} | ${"2025-06-10"}           | ${"2025-06-09T22:00:00Z"} | ${false}
    ${"$before"} | ${"2025-06-10T12:00:00Z"} | ${"2025-06-10T13:59"}     | ${true}
    ${"$after"}  | ${"2025-06-10"}           | ${"tomorrow"}             | ${false}
  `("$value $operator $operand: $holds", ({ operator, operand, value, holds }) => {
    expect(holdsFor(operator, [operand], value)).toBe(holds);
  });
});

describe("reading dates", () => {
  test.each`
    text                          | readable
    ${"2025-06-10"}               | ${true}
    ${"2025-06-10T07"}            | ${true}
    ${"2025-06-10T07:30"}         | ${true}
    ${"2025-06-10T07:30:15.5Z"}   | ${true}
    ${"2025-06-10T07:30:15+02"}   | ${true}
    ${"2025-06-10 07:30:15+0200"} | ${true}
    ${"2024-02-29"}               | ${true}
    ${"2025-02-29"}               | ${false}
    ${"2025-13-01"}               | ${false}
    ${"2025-06-10T24:00"}         | ${false}
    ${"2025-06-10Z"}              | ${false}
    ${"10.06.2025"}               | ${false}
    ${"2025"}                     | ${false}
    ${20250610}                   | ${false}
  `("$text: $readable", ({ text, readable }) => expect(parseMoment(text) !== null).toBe(readable));

  const zones = fc.constantFrom(
    "Europe/Warsaw",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "Pacific/Apia",
    "UTC",
  );
  const locals = fc.integer({ min: at("1971-01-01T00:00:00Z"), max: at("2090-01-01T00:00:00Z") });

  test("a local time is the instant Temporal finds, also where DST skips or repeats it", () => {
    const nearChanges = fc.constantFrom(
      ...[
        "2025-03-30T02:30:00Z",
        "2025-10-26T02:30:00Z",
        "2025-03-09T02:30:00Z",
        "2025-11-02T01:30:00Z",
        "2025-10-05T02:15:00Z",
        "2011-12-30T12:00:00Z",
        "2011-12-30T00:00:00Z",
        "2011-12-31T00:00:00Z",
      ].map(at),
    );
    fc.assert(
      fc.property(zones, fc.oneof(locals, nearChanges), (zone, local) => {
        const plain = Temporal.Instant.fromEpochMilliseconds(local).toZonedDateTimeISO("UTC").toPlainDateTime();
        expect(instantOfLocal(local, zone)).toBe(plain.toZonedDateTime(zone).epochMilliseconds);
      }),
      { numRuns: 500 },
    );
  });

  test("days and calendar dates turn into each other, and whole months are Temporal's", () => {
    const days = fc.integer({ min: -100_000, max: 100_000 });
    fc.assert(
      fc.property(days, days, (a, b) => {
        const { year, month, day } = dateOfDay(a);
        expect(dayOfDate(year, month, day)).toBe(a);
        const epoch = new Temporal.PlainDate(1970, 1, 1);
        expect(epoch.add({ days: a }).toString()).toBe(new Temporal.PlainDate(year, month, day).toString());
        const [from, until] = a < b ? [a, b] : [b, a];
        const apart = epoch.add({ days: from }).until(epoch.add({ days: until }), { largestUnit: "months" });
        expect(monthsBetween(from, until)).toBe(apart.months);
      }),
    );
  });
});
