import { describe, expect, test } from "vitest";
import { by_points, drop, tiers, two_months } from "./tiers.fixtures.js";
import { moveTier, recalculateTier, type TierFacts, type TierMove, type TierStay } from "./tiers.js";

const monthly = by_points("IMMEDIATE", { type: "END_OF_PERIOD" });

/** `silver 05-14..07-14`, of 2027; without an end, `silver 05-14..`. */
function stay(text: string): TierStay | null {
  const [, tier_id, start, end] = /^(\w+) (\d\d-\d\d)\.\.(\d\d-\d\d)?$/.exec(text) ?? [];
  return tier_id && start ? { tier_id, start: `2027-${start}`, end: end ? `2027-${end}` : null } : null;
}
const shortly = (day: string | null) => day?.replace("2027-", "") ?? "";
const told = ({ standing: { current, ahead }, changes }: TierMove) => ({
  current: current ? `${current.tier_id} ${shortly(current.start)}..${shortly(current.end)}` : "",
  ahead: ahead ? `${ahead.tier_id} ${shortly(ahead.start)}..${shortly(ahead.end)}` : "",
  changes: changes
    .map((change) => ("tier_id" in change ? `${change.type} ${change.tier_id}` : `${change.type} ${change.to_id}`))
    .join(", "),
});

interface Given {
  current?: string;
  ahead?: string;
  balance?: number;
  /** Points by month of 2027. */
  collected?: Record<string, number>;
}
const factsOf = (
  settings: TierFacts["settings"],
  { current = "", ahead = "", balance = 0, collected = {} }: Given,
): TierFacts => ({
  settings,
  tiers,
  standing: { current: stay(current), ahead: stay(ahead) },
  balance,
  collected: new Map(Object.entries(collected).map(([month, points]) => [`2027-${month}-01`, points])),
});
const may_14 = "2027-05-14";

describe("by a balance that is to stay in the range, a member", () => {
  test.each<[string, number, string, string, string]>([
    ["with enough joins", 100, "", "silver 05-14..", "joined silver"],
    ["joins the tier of the balance, not each below", 250, "", "gold 05-14..", "joined gold"],
    ["without enough is in none", 99, "", "", ""],
    ["stays", 199, "silver 03-01..", "silver 03-01..", ""],
    ["rises", 200, "silver 03-01..", "gold 05-14..", "upgraded gold"],
    ["rises over a tier and a gap at once", 500, "silver 03-01..", "top 05-14..", "upgraded top"],
    ["falls", 150, "gold 03-01..", "silver 05-14..", "downgraded silver"],
    ["leaves", 50, "gold 03-01..", "", "left gold"],
    ["leaves into a gap above", 350, "gold 03-01..", "", "left gold"],
  ])("%s", (_what, balance, before, current, changes) => {
    expect(told(moveTier(factsOf(drop, { current: before, balance }), may_14))).toEqual({
      current,
      ahead: "",
      changes,
    });
  });
});

describe("by the balance, for two months, a member", () => {
  test.each<[string, number, string, string, string]>([
    ["joins", 150, "", "silver 05-14..07-14", "joined silver"],
    ["rises, for two months from then on", 250, "silver 04-01..06-01", "gold 05-14..07-14", "upgraded gold"],
    ["keeps what the balance has left", 0, "gold 04-01..06-01", "gold 04-01..06-01", ""],
    ["keeps it on its last day", 0, "gold 03-14..05-14", "gold 03-14..05-14", ""],
    ["keeps it above its range, in no other", 350, "gold 04-01..06-01", "gold 04-01..06-01", ""],
    ["is prolonged on the day after", 250, "gold 03-13..05-13", "gold 03-13..07-14", "prolonged gold"],
    ["falls on the day after", 150, "gold 03-13..05-13", "silver 05-14..07-14", "downgraded silver"],
    ["leaves on the day after", 50, "gold 03-13..05-13", "", "left gold"],
    [
      "is looked at on the day after that, however late",
      250,
      "gold 02-28..04-30",
      "gold 02-28..07-01",
      "prolonged gold",
    ],
    ["without a last day, from settings before, stays", 0, "gold 03-01..", "gold 03-01..", ""],
  ])("%s", (_what, balance, before, current, changes) => {
    expect(told(moveTier(factsOf(two_months, { current: before, balance }), may_14))).toEqual({
      current,
      ahead: "",
      changes,
    });
  });
});

describe("by the points of a month, a member", () => {
  test.each<[string, Given, string, string]>([
    ["joins at once", { collected: { "05": 120 } }, "silver 05-14..05-31", "joined silver"],
    ["does not by the balance", { balance: 500, collected: { "05": 99 } }, "", ""],
    ["does not by the points of the month before", { collected: { "04": 500 } }, "", ""],
    ["rises", { current: "silver 05-02..05-31", collected: { "05": 220 } }, "gold 05-14..05-31", "upgraded gold"],
    [
      "keeps a tier that counts still",
      { current: "gold 04-20..05-31", collected: { "05": 120 } },
      "gold 04-20..05-31",
      "",
    ],
    [
      "is prolonged by the month that is over",
      { current: "gold 04-20..04-30", collected: { "04": 210 } },
      "gold 04-20..05-31",
      "prolonged gold",
    ],
    [
      "falls by it",
      { current: "gold 03-20..04-30", collected: { "03": 250, "04": 110 } },
      "silver 05-01..05-31",
      "downgraded silver",
    ],
    [
      "falls by it, and rises by the new one",
      { current: "gold 03-20..04-30", collected: { "04": 110, "05": 200 } },
      "gold 05-14..05-31",
      "downgraded silver, upgraded gold",
    ],
    ["leaves", { current: "gold 03-20..04-30", collected: { "03": 250 } }, "", "left gold"],
    [
      "leaves and joins",
      { current: "gold 03-20..04-30", collected: { "05": 150 } },
      "silver 05-14..05-31",
      "left gold, joined silver",
    ],
    [
      "of months ago is prolonged, then leaves",
      { current: "gold 02-20..02-28", collected: { "02": 250 } },
      "",
      "prolonged gold, left gold",
    ],
  ])("%s", (_what, given, current, changes) => {
    expect(told(moveTier(factsOf(monthly, given), may_14))).toEqual({ current, ahead: "", changes });
  });

  test("to the end of the next one: the better of the two that are over counts", () => {
    const settings = by_points("IMMEDIATE", { type: "END_OF_NEXT_PERIOD" });
    const move = (collected: Record<string, number>) =>
      told(moveTier(factsOf(settings, { current: "gold 03-20..04-30", collected }), "2027-05-01"));
    expect(move({ "03": 210, "04": 0 })).toMatchObject({ current: "gold 03-20..06-30", changes: "prolonged gold" });
    expect(move({ "03": 120, "04": 500 })).toMatchObject({ current: "top 05-01..06-30", changes: "upgraded top" });
    expect(move({ "02": 500 })).toMatchObject({ current: "", changes: "left gold" });
  });
});

describe("by the points of a quarter, for the next one, a member", () => {
  const settings = by_points("NEXT_PERIOD", { type: "END_OF_PERIOD" }, "QUARTER");
  test.each<[string, Given, string, ReturnType<typeof told>]>([
    [
      "will be in it",
      { collected: { "04": 60, "05": 60 } },
      may_14,
      { current: "", ahead: "silver 07-01..09-30", changes: "" },
    ],
    [
      "will be in a higher one",
      { ahead: "silver 07-01..09-30", collected: { "04": 200 } },
      may_14,
      { current: "", ahead: "gold 07-01..09-30", changes: "" },
    ],
    [
      "joins with the quarter",
      { ahead: "silver 07-01..09-30", collected: { "04": 120 } },
      "2027-07-01",
      { current: "silver 07-01..09-30", ahead: "", changes: "joined silver" },
    ],
    [
      "is prolonged by it",
      { current: "silver 04-01..06-30", collected: { "05": 120 } },
      "2027-07-01",
      { current: "silver 04-01..09-30", ahead: "", changes: "prolonged silver" },
    ],
    [
      "rises as the former tier ends, told once",
      { current: "silver 04-01..06-30", ahead: "gold 07-01..09-30", collected: { "05": 220 } },
      "2027-07-01",
      { current: "gold 07-01..09-30", ahead: "", changes: "upgraded gold" },
    ],
    [
      "rises while the former tier counts still",
      { current: "silver 04-01..12-31", ahead: "gold 07-01..09-30" },
      "2027-07-01",
      { current: "gold 07-01..09-30", ahead: "", changes: "upgraded gold" },
    ],
    [
      "does not fall into it",
      { current: "top 04-01..12-31", ahead: "gold 07-01..09-30" },
      "2027-07-01",
      { current: "top 04-01..12-31", ahead: "", changes: "" },
    ],
    [
      "does not wait for the tier they are in",
      { current: "silver 04-01..06-30", collected: { "05": 120 } },
      may_14,
      { current: "silver 04-01..06-30", ahead: "", changes: "" },
    ],
  ])("%s", (_what, given, day, as) => {
    expect(told(moveTier(factsOf(settings, given), day))).toEqual(as);
  });
});

describe("once the settings were changed, a member", () => {
  test.each<[string, TierFacts["settings"], Given, string, string]>([
    [
      "gets a last day",
      two_months,
      { current: "silver 04-20..", balance: 120 },
      "silver 04-20..06-20",
      "expiration.changed silver",
    ],
    [
      "gets an earlier one",
      monthly,
      { current: "silver 05-01..07-14", balance: 120 },
      "silver 05-01..05-31",
      "expiration.changed silver",
    ],
    [
      "has none any more",
      drop,
      { current: "silver 05-01..07-14", balance: 120 },
      "silver 05-01..",
      "expiration.changed silver",
    ],
    [
      "is in the tier for today at least",
      two_months,
      { current: "silver 01-20..", balance: 120 },
      "silver 01-20..05-14",
      "expiration.changed silver",
    ],
    ["does not fall", drop, { current: "gold 05-01..", balance: 0 }, "gold 05-01..", ""],
    ["rises", two_months, { current: "silver 05-01..", balance: 220 }, "gold 05-14..07-14", "upgraded gold"],
    ["joins", two_months, { balance: 220 }, "gold 05-14..07-14", "joined gold"],
  ])("%s", (_what, settings, given, current, changes) => {
    expect(told(recalculateTier(factsOf(settings, given), may_14))).toMatchObject({ current, changes });
  });
});

test("a tier that is no more is lost", () => {
  const facts = factsOf(drop, { current: "silver 05-01..", balance: 150 });
  expect(moveTier({ ...facts, tiers: [] }, may_14)).toEqual({ standing: { current: null, ahead: null }, changes: [] });
});
