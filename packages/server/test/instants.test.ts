import fc from "fast-check";
import { expect, test } from "vitest";
import { dateOf, isoOf } from "../src/platform/clock.js";

test("an instant is spelt as Date spells it, whatever day was spelt before it", () => {
  const any = fc.date({ noInvalidDate: true }).map((date) => date.getTime());
  // Of one day, and of the moments around its ends.
  const near = fc.integer({ min: -3, max: 86_400_003 }).map((ms) => Date.UTC(2024, 1, 29) + ms);
  fc.assert(
    fc.property(fc.array(fc.oneof(any, near, fc.constant(0))), (instants) => {
      for (const instant of instants) {
        expect(isoOf(instant)).toBe(new Date(instant).toISOString());
        const day = Math.floor(instant / 86_400_000);
        expect(`${dateOf(day)}T00:00:00.000Z`).toBe(new Date(day * 86_400_000).toISOString());
      }
    }),
  );
});

test("no instant is none, and what is no instant is refused", () => {
  expect(isoOf(null)).toBeNull();
  for (const none of [Number.NaN, Number.POSITIVE_INFINITY, 9e15]) expect(() => isoOf(none)).toThrow(RangeError);
});
