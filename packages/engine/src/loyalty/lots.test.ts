import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addPoints,
  type Holding,
  nextExpiration,
  returnPoints,
  spendablePoints,
  takeFromLots,
  takePoints,
} from "./lots.js";

const today = "2027-06-15";
const lot = (expires_on: string, points: number) => ({ expires_on, points });
const june = "2027-06-30";
const september = "2027-09-30";
const may = "2027-05-31";

describe("points are taken", () => {
  test.each<[number, [string, number][], [string, number][]]>([
    [
      0,
      [],
      [
        [june, 30],
        [september, 45],
      ],
    ],
    [
      10,
      [[june, 10]],
      [
        [june, 20],
        [september, 45],
      ],
    ],
    [30, [[june, 30]], [[september, 45]]],
    [
      60,
      [
        [june, 30],
        [september, 30],
      ],
      [[september, 15]],
    ],
    [
      75,
      [
        [june, 30],
        [september, 45],
      ],
      [],
    ],
    // The rest has no date.
    [
      175,
      [
        [june, 30],
        [september, 45],
      ],
      [],
    ],
  ])("from the lot that expires soonest first: %i", (points, taken, left) => {
    const lots = [lot(june, 30), lot(september, 45)];
    expect(takeFromLots(lots, points)).toEqual({
      taken: taken.map((it) => lot(...it)),
      left: left.map((it) => lot(...it)),
    });
  });

  test("from those without a date last; the next to expire is what is left (loyalty.md §6.4)", () => {
    const card = { balance: 175, lots: [lot(june, 30), lot(september, 45)] };
    const { after, moves } = takePoints(card, 60, today);
    expect(after).toEqual({ balance: 115, lots: [lot(september, 15)] });
    expect(moves).toEqual([lot(june, -30), lot(september, -30)]);
    expect(nextExpiration(after)).toEqual(lot(september, 15));
    expect(nextExpiration(takePoints(after, 15, today).after)).toEqual({ expires_on: null, points: 100 });
  });

  test("not from those that are over, which cannot be spent, while any others are left", () => {
    const card = { balance: 100, lots: [lot(may, 20), lot(june, 30)] };
    expect(spendablePoints(card, today)).toBe(80);
    expect(takePoints(card, 80, today).moves).toEqual([lot(june, -30)]);
    expect(takePoints(card, 90, today)).toEqual({
      after: { balance: 10, lots: [lot(may, 10)] },
      moves: [lot(may, -10), lot(june, -30)],
    });
    // The last day is one of them.
    expect(spendablePoints(card, may)).toBe(100);
  });
});

describe("points are added", () => {
  test("to the lot of their day, or to none", () => {
    const card = { balance: 30, lots: [lot(june, 30)] };
    const added = [lot(june, 5), lot(may, 1), { expires_on: null, points: 4 }];
    expect(addPoints(card, added)).toEqual({
      after: { balance: 40, lots: [lot(may, 1), lot(june, 35)] },
      moves: [lot(may, 1), lot(june, 5)],
    });
  });

  test("again to the lots they came from, or, where those are over, to that of today's", () => {
    const taken = [lot(may, -20), lot(june, -30)];
    const comes = { today, comes_to: september };
    expect(returnPoints({ balance: 0, lots: [] }, 60, taken, comes)).toEqual({
      after: { balance: 60, lots: [lot(june, 30), lot(september, 20)] },
      moves: [lot(june, 30), lot(september, 20)],
    });
    expect(returnPoints({ balance: 0, lots: [] }, 60, taken, { today, comes_to: null }).after).toEqual({
      balance: 60,
      lots: [lot(june, 30)],
    });
  });
});

const days = fc.integer({ min: 1, max: 28 }).map((day) => `2027-06-${String(day).padStart(2, "0")}`);
const holdings = fc
  .record({
    undated: fc.nat(50),
    lots: fc.array(fc.record({ expires_on: days, points: fc.integer({ min: 1, max: 50 }) })),
  })
  .map(
    ({ undated, lots }): Holding =>
      addPoints({ balance: 0, lots: [] }, [...lots, { expires_on: null, points: undated }]).after,
  );
const sumOf = (lots: readonly { points: number }[]) => lots.reduce((sum, { points }) => sum + points, 0);

describe("whatever comes and goes", () => {
  test("lots are never empty nor together more than the balance, and moves say what became of them", () => {
    fc.assert(
      fc.property(holdings, fc.nat(), days, (card, wanted, day) => {
        const points = card.balance === 0 ? 0 : wanted % (card.balance + 1);
        const { after, moves } = takePoints(card, points, day);
        expect(after.balance).toBe(card.balance - points);
        expect(after.lots.every((it) => it.points > 0)).toBe(true);
        expect(sumOf(after.lots)).toBeLessThanOrEqual(after.balance);
        expect(sumOf(after.lots)).toBe(sumOf(card.lots) + sumOf(moves));
        expect([...after.lots].sort((a, b) => (a.expires_on < b.expires_on ? -1 : 1))).toEqual(after.lots);
        expect(returnPoints(after, points, moves, { today: "2027-06-01", comes_to: null }).after).toEqual(card);
      }),
    );
  });
});
