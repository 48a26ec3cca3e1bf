import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CellTable, coverOf } from "./cells.js";

describe("cells", () => {
  const bound = fc.oneof(
    fc.constant(Number.POSITIVE_INFINITY),
    fc.integer({ min: 0, max: 2 ** 50 }),
    fc.integer({ min: 0, max: 40 }),
  );

  test("a number inside a range is in one of its at most four cells", () => {
    fc.assert(
      fc.property(bound, bound, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, part) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        if (low === Number.POSITIVE_INFINITY) return;
        const cover = coverOf(low, high);
        if (cover === null) {
          expect([low, high]).toEqual([0, Number.POSITIVE_INFINITY]);
          return;
        }
        expect(cover.length).toBeLessThanOrEqual(4);
        const table = new CellTable();
        for (const cell of cover) table.set(cell, 1);
        const value = Math.min(high, low + Math.floor((Math.min(high, 2 ** 52) - low) * part));
        let visits = 0;
        table.visit(value, () => {
          visits += 1;
        });
        expect(visits).toBeGreaterThan(0);
      }),
    );
  });

  test("a cover has cells no longer than the range", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 40 }), fc.integer({ min: 0, max: 2 ** 40 }), (low, length) => {
        const levels = (coverOf(low, low + length) ?? []).map(({ level }) => 2 ** level);
        expect(Math.max(...levels)).toBeLessThanOrEqual(Math.max(1, length * 2));
      }),
    );
  });
});
