import { expect, test } from "vitest";
import { by_the_clock } from "../../../test/harness/by-the-clock.js";
import { Turns } from "./turns.js";

/** Works in pieces, and notes who worked in which turn of the event loop. */
async function worker(turns: Turns, name: string, pieces: number, units: number, done: string[]): Promise<void> {
  for (let i = 0; i < pieces; i += 1) {
    if (turns.isBusy(name)) await turns.next(name);
    done.push(name);
    turns.took(name, units);
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

test("who comes from another project goes before those of a project that wait", async () => {
  const turns = new Turns(100);
  const done: string[] = [];
  const heavy = Array.from({ length: 4 }, () => worker(turns, "heavy", 5, 100, done));
  await new Promise(setImmediate);
  const before = done.length;
  await worker(turns, "light", 1, 1, done);
  expect(done.slice(before).indexOf("light")).toBeLessThanOrEqual(2);
  await Promise.all(heavy);
});

test(
  "while another project works too, one has at most half of the thread; alone it has it all",
  by_the_clock,
  async () => {
    // A stretch of 20 ms.
    const turns = new Turns(400_000);
    // Nothing is really done, so what it takes is rest: of ten stretches, but for the last.
    expect(await tookMs(worker(turns, "heavy", 10, 400_000, []))).toBeLessThan(100);
    expect(await tookMs(beside(turns, () => worker(turns, "heavy", 10, 400_000, [])))).toBeGreaterThan(150);
  },
);

test("a request whose turn does not come in time is refused, and those behind it wait on", by_the_clock, async () => {
  const turns = new Turns(400_000, 50);
  await beside(turns, async () => {
    // Its rest takes some seconds.
    turns.took("rush", 100_000_000);
    const begun = performance.now();
    expect(await Promise.all([turns.enter("rush", 0), turns.enter("rush", 0)])).toEqual([false, false]);
    expect(performance.now() - begun).toBeLessThan(1_000);
    expect(await turns.enter("quiet", 0)).toBe(true);
  });
});

/** Does the work while another project does a little in each turn of the event loop. */
async function beside(turns: Turns, work: () => Promise<unknown>): Promise<void> {
  let is_working = true;
  const light = (async () => {
    while (is_working) {
      turns.took("light", 1);
      await new Promise(setImmediate);
    }
  })();
  turns.took("another", 1);
  await work();
  is_working = false;
  await light;
}

async function tookMs(work: Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work;
  return performance.now() - begun;
}

const enterTogether = (turns: Turns, project_id: string, requests: number, body_bytes: number) =>
  Promise.all(Array.from({ length: requests }, () => turns.enter(project_id, body_bytes)));

test.each([
  ["small requests", 400, 0],
  ["large bodies", 8, 2_000_000],
  ["objects of 64 KB", 6, 64_000],
])(
  "beside another project a rush of %s comes in as slowly as it is dealt with",
  by_the_clock,
  async (_, requests, body_bytes) => {
    const turns = new Turns(200_000);
    const alone_ms = await tookMs(enterTogether(turns, "rush", requests, body_bytes));
    const beside_ms = await tookMs(beside(turns, () => enterTogether(turns, "rush", requests, body_bytes)));
    expect(beside_ms).toBeGreaterThan(60);
    expect(beside_ms).toBeGreaterThan(2 * alone_ms);
  },
);

test("what is under way goes before what stands at the door", async () => {
  const turns = new Turns(100);
  const done: string[] = [];
  for (const project_id of ["b", "a"]) turns.took(project_id, 100);
  const requests = ["first", "second"].map((name) => turns.enter("a", 0).then(() => done.push(name)));
  await turns.next("a").then(() => done.push("under way"));
  await Promise.all(requests);
  expect(done).toEqual(["under way", "first", "second"]);
});
