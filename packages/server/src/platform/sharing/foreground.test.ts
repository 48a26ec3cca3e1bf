import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { by_the_clock } from "../../../test/harness/by-the-clock.js";
import { Foreground } from "./foreground.js";

/** How long work of 60 ms rests. */
async function rested(foreground: Foreground): Promise<number> {
  const begun = performance.now();
  await foreground.giveWay(60);
  return performance.now() - begun;
}

test(
  "work that nobody waits for rests as long as it took while requests come in, and no longer",
  by_the_clock,
  async () => {
    const foreground = new Foreground();
    expect(await rested(foreground)).toBeLessThan(30);
    for (let i = 0; i < 3; i += 1) foreground.asked();
    expect(foreground.isBusy()).toBe(true);
    expect(await rested(foreground)).toBeGreaterThanOrEqual(59);
    await pause(250);
    expect(foreground.isBusy()).toBe(false);
    expect(await rested(foreground)).toBeLessThan(30);
  },
);

test("who asks now and then how far it is holds nothing up", by_the_clock, async () => {
  const foreground = new Foreground();
  for (let i = 0; i < 4; i += 1) {
    foreground.asked();
    await pause(60);
  }
  expect(foreground.isBusy()).toBe(false);
});
