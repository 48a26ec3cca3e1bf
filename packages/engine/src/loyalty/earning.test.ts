import { describe, expect, test } from "vitest";
import { ALWAYS } from "../calendar/window.js";
import { type EarningFacts, notEarning } from "./earning.js";

const at = (text: string) => Date.parse(text);
const monday = at("2026-03-02T10:00:00Z");
const always = { start_date: null, expiration_date: null };

function facts(change: {
  rule?: Partial<EarningFacts["rule"]>;
  window?: Partial<EarningFacts["rule"]["window"]>;
  campaign?: Partial<EarningFacts["campaign"]>;
  card?: Partial<EarningFacts["card"]>;
  time_zone?: string;
}): EarningFacts {
  return {
    time_zone: change.time_zone ?? "UTC",
    rule: { active: true, ...change.rule, window: { ...ALWAYS, ...change.window } },
    campaign: { active: true, ...always, ...change.campaign },
    card: { active: true, ...always, ...change.card },
  };
}

describe("an earning rule", () => {
  const before = { start_date: monday + 1 };
  const after = { expiration_date: monday - 1 };
  test.each<[string, Parameters<typeof facts>[0], ReturnType<typeof notEarning>]>([
    ["with nothing against it", {}, null],
    ["that is switched off", { rule: { active: false } }, "rule"],
    ["that has not begun", { window: before }, "rule"],
    ["that is over", { window: after }, "rule"],
    ["at its first instant", { window: { start_date: monday } }, null],
    ["at its last instant", { window: { expiration_date: monday } }, null],
    ["of a campaign that is switched off", { campaign: { active: false } }, "campaign"],
    ["of a campaign that has not begun", { campaign: before }, "campaign"],
    [
      "of a campaign that is over, though its own end is later",
      { campaign: after, window: { expiration_date: monday } },
      "campaign",
    ],
    ["and a card that is switched off", { card: { active: false } }, "card"],
    ["and a card that has not begun", { card: before }, "card"],
    ["and a card that has expired", { card: after }, "card"],
    ["on Mondays, on a Monday", { window: { validity_day_of_week: [1] } }, null],
    ["on Sundays, on a Monday", { window: { validity_day_of_week: [0] } }, "rule"],
    ["on Sundays, where it is Sunday still", { window: { validity_day_of_week: [0] }, time_zone: "Etc/GMT+12" }, null],
    [
      "in the first hour of each day since the campaign's start",
      {
        window: { validity_timeframe: { duration: "PT1H", interval: "P1D" } },
        campaign: { start_date: at("2026-03-01T09:30:00Z") },
      },
      null,
    ],
    [
      "after the first hour of each day",
      { window: { start_date: at("2026-03-01T08:30:00Z"), validity_timeframe: { duration: "PT1H", interval: "P1D" } } },
      "rule",
    ],
  ])("%s pays, or is kept from it by what it says", (_case, change, reason) => {
    expect(notEarning(facts(change), monday)).toBe(reason);
  });
});
