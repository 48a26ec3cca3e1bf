import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { flooredPart, partOf, ratioOf, rounded, roundedPart } from "./ratio.js";
import { shareOut } from "./share.js";

const BIGGEST = Number.MAX_SAFE_INTEGER;
const amount = fc.maxSafeNat();

describe("rounding", () => {
  test.each`
    amount     | percent  | rounds_to
    ${24297}   | ${15}    | ${3645}
    ${1}       | ${50}    | ${1}
    ${1}       | ${49.9}  | ${0}
    ${1000}    | ${14.5}  | ${145}
    ${1005}    | ${10}    | ${101}
    ${BIGGEST} | ${100}   | ${BIGGEST}
    ${BIGGEST} | ${50}    | ${4503599627370496}
    ${BIGGEST} | ${1e-13} | ${9}
  `("$percent % of $amount is $rounds_to", ({ amount, percent, rounds_to }) => {
    const rate = { num: ratioOf(percent).num, den: ratioOf(percent).den * 100n };
    expect(roundedPart(amount, 1, 1, rate)).toBe(rounds_to);
  });

  test("the fast path and the exact path agree on every part", () => {
    fc.assert(
      fc.property(amount, fc.nat(1000), fc.integer({ min: 1, max: 1000 }), (total, part, whole) => {
        fc.pre(part <= whole);
        expect(roundedPart(total, part, whole)).toBe(rounded(partOf(total, part, whole)));
        expect(BigInt(flooredPart(total, part, whole))).toBe((BigInt(total) * BigInt(part)) / BigInt(whole));
      }),
    );
  });

  test("what is negative or not a number counts as zero", () => {
    for (const value of [-1, Number.NaN, Number.POSITIVE_INFINITY]) expect(rounded(ratioOf(value))).toBe(0);
  });
});

describe("sharing out", () => {
  test.each`
    total   | weights                | shares
    ${2000} | ${[5000, 3200, 15500]} | ${[422, 270, 1308]}
    ${2000} | ${[4, 1, 2]}           | ${[1143, 286, 571]}
    ${1}    | ${[1, 1, 1]}           | ${[1, 0, 0]}
    ${5}    | ${[0, 0]}              | ${[0, 0]}
  `("$total over $weights gives $shares", ({ total, weights, shares }) => {
    expect(
      shareOut(
        total,
        weights,
        weights.map((weight: number) => (weight === 0 ? 0 : BIGGEST)),
      ),
    ).toEqual(shares);
  });

  test("what a cap cuts off goes to the others by the same weights", () => {
    expect(shareOut(100, [1, 1, 2], [10, 1000, 1000])).toEqual([10, 30, 60]);
  });

  test.each`
    total   | weights         | caps                   | shares
    ${2500} | ${[4, 6, 5]}    | ${[1332, 6, 1670]}     | ${[1108, 6, 1386]}
    ${2500} | ${[1, 2, 4, 5]} | ${[1, 2, 1332, 1670]}  | ${[1, 2, 1110, 1387]}
    ${100}  | ${[1, 1, 1, 1]} | ${[1, 10, 1000, 1000]} | ${[1, 10, 45, 44]}
  `("$total over $weights with caps of $caps gives $shares, each rounded once", ({ total, weights, caps, shares }) => {
    expect(shareOut(total, weights, caps)).toEqual(shares);
  });

  const carts = fc.array(fc.record({ weight: fc.nat(50), cap: amount }), { minLength: 1, maxLength: 12 });

  test("shares sum to the total, or to all the caps when the total is more, and none exceeds its cap", () => {
    fc.assert(
      fc.property(fc.nat(1e9), carts, (total, lines) => {
        const caps = lines.map((line) => line.cap % 1e9);
        const weights = lines.map((line) => line.weight);
        const shares = shareOut(total, weights, caps);
        const takeable = caps.reduce((sum, cap, i) => sum + ((weights[i] as number) > 0 ? cap : 0), 0);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(Math.min(total, takeable));
        shares.forEach((share, i) => {
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(caps[i] as number);
        });
      }),
    );
  });
});
