import { describe, expect, test } from "vitest";
import { ALWAYS } from "../calendar/window.js";
import { type EarningFacts, earnedPoints } from "./earning.js";

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
    rule: { active: true, fixed_points: 15, ...change.rule, window: { ...ALWAYS, ...change.window } },
    campaign: { active: true, ...always, ...change.campaign },
    card: { active: true, ...always, ...change.card },
  };
}

describe("an earning rule of 15 points", () => {
  const before = { start_date: monday + 1 };
  const after = { expiration_date: monday - 1 };
  test.each<[string, Parameters<typeof facts>[0], number]>([
    ["with nothing against it", {}, 15],
    ["that is switched off", { rule: { active: false } }, 0],
    ["that pays in a way not known here", { rule: { fixed_points: null } }, 0],
    ["that has not begun", { window: before }, 0],
    ["that is over", { window: after }, 0],
    ["at its first instant", { window: { start_date: monday } }, 15],
    ["at its last instant", { window: { expiration_date: monday } }, 15],
    ["of a campaign that is switched off", { campaign: { active: false } }, 0],
    ["of a campaign that has not begun", { campaign: before }, 0],
    [
      "of a campaign that is over, though its own end is later",
      { campaign: after, window: { expiration_date: monday } },
      0,
    ],
    ["and a card that is switched off", { card: { active: false } }, 0],
    ["and a card that has not begun", { card: before }, 0],
    ["and a card that has expired", { card: after }, 0],
    ["on Mondays, on a Monday", { window: { validity_day_of_week: [1] } }, 15],
    ["on Sundays, on a Monday", { window: { validity_day_of_week: [0] } }, 0],
    ["on Sundays, where it is Sunday still", { window: { validity_day_of_week: [0] }, time_zone: "Etc/GMT+12" }, 15],
    [
      "in the first hour of each day since the campaign's start",
      {
        window: { validity_timeframe: { duration: "PT1H", interval: "P1D" } },
        campaign: { start_date: at("2026-03-01T09:30:00Z") },
      },
      15,
    ],
    [
      "after the first hour of each day",
      { window: { start_date: at("2026-03-01T08:30:00Z"), validity_timeframe: { duration: "PT1H", interval: "P1D" } } },
      0,
    ],
  ])("%s pays as it should", (_case, change, points) => {
    expect(earnedPoints(facts(change), monday)).toBe(points);
  });
});
