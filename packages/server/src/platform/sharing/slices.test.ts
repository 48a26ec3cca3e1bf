import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { mapInSlices, tellInTurns } from "./slices.js";

test("those who waited together are told in their order, the first at once and a few a turn", async () => {
  const told: number[] = [];
  const all = Array.from({ length: 50 }, (_, i) => i);
  const over = tellInTurns(all, (one) => told.push(one));
  expect(told).toEqual(all.slice(0, 16));
  await nextTurn();
  expect(told.length).toBeLessThan(50);
  await over;
  expect(told).toEqual(all);
});

test("what each of them does then is done before the next few are told", async () => {
  const done: number[] = [];
  const backlog: number[] = [];
  await tellInTurns(
    Array.from({ length: 40 }, (_, i) => i),
    (one) => {
      backlog.push(one - done.length);
      void Promise.resolve().then(() => done.push(one));
    },
  );
  expect(Math.max(...backlog)).toBe(15);
});

test("long work keeps its order, and lets others go on meanwhile", async () => {
  let turns = 0;
  const ticking = setInterval(() => (turns += 1), 1);
  const made = await mapInSlices([1, 2, 3, 4, 5, 6], (one) => {
    const until = performance.now() + 3;
    while (performance.now() < until);
    return one * 2;
  });
  clearInterval(ticking);
  expect(made).toEqual([2, 4, 6, 8, 10, 12]);
  expect(turns).toBeGreaterThan(0);
});
