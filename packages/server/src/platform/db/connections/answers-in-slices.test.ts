import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { answersInSlices, taken_a_turn } from "./answers-in-slices.js";

const chunk = Buffer.alloc(65_536);

/** Bytes that were taken in each turn of the event loop, until all of the streams were. */
async function takenOf(streams: number, chunks_each: number): Promise<number[]> {
  const inSlices = answersInSlices();
  const taken = [0];
  let left = streams * chunks_each;
  for (let i = 0; i < streams; i += 1) {
    const stream = new PassThrough();
    stream.on("data", ({ length }: Buffer) => {
      taken[taken.length - 1] = (taken.at(-1) ?? 0) + length;
      left -= 1;
    });
    inSlices(stream);
    for (let j = 0; j < chunks_each; j += 1) stream.write(chunk);
  }
  while (left > 0) {
    await new Promise(setImmediate);
    taken.push(0);
  }
  return taken;
}

test.each([
  [1, 100],
  [10, 10],
])(
  "%s answers of %s pieces each are taken a little in each turn of everybody else, and whole",
  async (streams, each) => {
    const taken = await takenOf(streams, each);
    expect(taken.reduce((sum, bytes) => sum + bytes)).toBe(streams * each * chunk.length);
    // Each that comes in a turn that is used up is heard once, and what is counted as one turn here may hold the half of two.
    expect(Math.max(...taken)).toBeLessThanOrEqual(2 * (taken_a_turn + streams * chunk.length));
    expect(taken.length).toBeGreaterThan(5);
  },
);

test("a small answer waits for nothing", async () => {
  expect(await takenOf(1, 2)).toEqual([2 * chunk.length]);
});
