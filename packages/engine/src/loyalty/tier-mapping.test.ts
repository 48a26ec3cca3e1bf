import { describe, expect, test } from "vitest";
import { mappedPrice, mappedRatio, multiplied, type PointsMapping } from "./tier-mapping.js";

const times = (multiplier: number): PointsMapping => ({ type: "MULTIPLY", multiplier });
const custom = (points: number): PointsMapping => ({ type: "CUSTOM", points });

test.each([
  [21, 2, 42],
  [21, 1.5, 31],
  [100, 0.29, 29],
  [21, 0, 0],
])("%d points times %d are %d", (points, multiplier, paid) => {
  expect(multiplied(points, multiplier)).toBe(paid);
});

describe("a price of 30", () => {
  test.each<[string, PointsMapping | undefined, number | null]>([
    ["that the tier says nothing of", undefined, 30],
    ["halved", times(0.5), 15],
    ["by a third, a part of a point being one", times(0.55), 17],
    ["by a tenth, without binary fractions", times(0.1), 3],
    ["for others", custom(7), 7],
    ["for nothing: it is switched off", custom(0), null],
    ["times nothing: it is switched off", times(0), null],
  ])("%s", (_what, mapping, price) => {
    expect(mappedPrice(30, mapping)).toBe(price);
  });
});

describe("ten points for a coin", () => {
  test.each<[string, PointsMapping | undefined, number | null]>([
    ["that the tier says nothing of", undefined, 10],
    ["by a tenth", times(0.1), 1],
    ["by three tenths, without binary fractions", times(0.3), 3],
    ["with a price of its own, which there is none", custom(3), 10],
    ["times nothing: it is switched off", times(0), null],
  ])("%s", (_what, mapping, points) => {
    expect(mappedRatio(10, mapping)).toBe(points);
  });
});
