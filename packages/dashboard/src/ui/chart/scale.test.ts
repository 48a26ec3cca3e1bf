import { expect, test } from "vitest";
import { areaOf, lineOf, ticksTo } from "./scale.js";

test.each`
  most     | ticks
  ${0}     | ${[0, 1]}
  ${1}     | ${[0, 1]}
  ${3}     | ${[0, 1, 2, 3]}
  ${7}     | ${[0, 2, 4, 6, 8]}
  ${12}    | ${[0, 3, 6, 9, 12]}
  ${861}   | ${[0, 200, 400, 600, 800, 1_000]}
  ${1_204} | ${[0, 250, 500, 750, 1_000, 1_250]}
`("up to $most an axis counts $ticks", ({ most, ticks }) => {
  expect(ticksTo(most)).toEqual(ticks);
});

test("whatever the highest value is, it is on the axis, the lines are few and all are whole", () => {
  for (let most = 0; most < 100_000; most = Math.ceil(most * 1.07) + 1) {
    const ticks = ticksTo(most);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(most);
    expect(ticks.length).toBeLessThanOrEqual(6);
    expect(ticks.every(Number.isInteger)).toBe(true);
  }
});

test("a line goes from edge to edge, from zero at the bottom to the most at the top", () => {
  const box = { width: 100, height: 50, most: 10 };
  expect(lineOf([0, 5, 10], box)).toBe("M0 50L50 25L100 0");
  expect(areaOf([0, 5, 10], box)).toBe("M0 50L50 25L100 0L100 50L0 50Z");
  expect(lineOf([4], { ...box, most: 0 })).toBe("M0 -150");
  expect(lineOf([], box)).toBe("");
});
