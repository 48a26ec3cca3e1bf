import { expect, test } from "vitest";
import { Turns } from "./turns.js";

/** Works in pieces, and notes who worked in which turn of the event loop. */
async function worker(turns: Turns, name: string, pieces: number, units: number, done: string[]): Promise<void> {
  for (let i = 0; i < pieces; i += 1) {
    if (turns.isBusy()) await turns.next();
    done.push(name);
    turns.took(units);
  }
}

test("no turn of the event loop holds more than a stretch and a half, and nobody is passed over", async () => {
  const turns = new Turns(100);
  const done: string[] = [];
  const per_loop: number[] = [];
  let is_running = true;
  const loop = () => {
    per_loop.push(done.length);
    if (is_running) setImmediate(loop);
  };
  setImmediate(loop);
  await Promise.all(["a", "b", "c"].map((name) => worker(turns, name, 10, 100, done)));
  is_running = false;
  const most = Math.max(...per_loop.slice(1).map((count, i) => count - (per_loop[i] as number)));
  expect(most).toBeLessThanOrEqual(2);
  for (const name of ["a", "b", "c"]) expect(done.slice(0, 9)).toContain(name);
});

test("small pieces wait for nobody", async () => {
  const turns = new Turns(1_000);
  const done: string[] = [];
  let has_turned = false;
  setImmediate(() => (has_turned = true));
  await worker(turns, "a", 40, 10, done);
  expect({ done: done.length, has_turned }).toEqual({ done: 40, has_turned: false });
});
