import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { mapInSlices, someATurn, tellInTurns } from "./slices.js";

test("those who waited together are told in their order, the first at once and a few a turn", async () => {
  const told: number[] = [];
  const all = Array.from({ length: 80 }, (_, i) => i);
  const over = tellInTurns(all, (one) => told.push(one));
  expect(told).toEqual(all.slice(0, 32));
  await nextTurn();
  expect(told.length).toBeLessThan(80);
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
  expect(Math.max(...backlog)).toBe(31);
});

test("of those who come together some go on a turn, in their order; who comes later stands behind them", async () => {
  const gone: number[] = [];
  const enter = someATurn(16);
  for (let i = 0; i < 40; i += 1) enter(() => gone.push(i));
  const at_once = [...gone];
  await nextTurn();
  enter(() => gone.push(40));
  expect([at_once.length, gone.length]).toEqual([16, 32]);
  await nextTurn();
  expect(gone).toEqual(Array.from({ length: 41 }, (_, i) => i));
});

test("whoever comes alone goes on at once, in each turn anew", async () => {
  const enter = someATurn(16);
  let gone = 0;
  for (let turn = 0; turn < 20; turn += 1) {
    enter(() => (gone += 1));
    expect(gone).toBe(turn + 1);
    await nextTurn();
  }
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
