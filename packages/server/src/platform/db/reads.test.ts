import { describe, expect, test } from "vitest";
import { Unavailable } from "./database-errors.js";
import { sharedRead } from "./reads.js";

/** A shared read of names like `a1`, `b2`: the letter is the group. What is called bad cannot be read. */
function aRead(fails: (keys: string[]) => Error | undefined = () => undefined) {
  const reads: string[][] = [];
  const ask = sharedRead<string, string>(
    async (keys) => {
      reads.push(keys);
      await new Promise(setImmediate);
      const error = fails(keys);
      if (error) throw error;
      return new Map(keys.map((key) => [key, key.toUpperCase()]));
    },
    { at_once: 1, keys_max: 10, groupOf: ([group = ""]) => group },
  );
  return { ask, reads };
}

describe("reads that are shared", () => {
  test("are shared within a group alone, and no group waits for another", async () => {
    const { ask, reads } = aRead();
    expect(await Promise.all(["a1", "b1", "a2", "b1"].map(ask))).toEqual(["A1", "B1", "A2", "B1"]);
    expect(reads).toEqual([["a1", "a2"], ["b1"]]);
  });

  test("that fail are told to who asked for what cannot be read, and to nobody else", async () => {
    const { ask } = aRead((keys) => (keys.includes("a-bad") ? new Error("no") : undefined));
    const answers = await Promise.allSettled(["a1", "a-bad", "a2", "b1"].map(ask));
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
  });

  test("are not put again one by one while the database is away", async () => {
    const { ask, reads } = aRead(() => new Unavailable("away", undefined));
    const answers = await Promise.allSettled(["a1", "a2", "a3"].map(ask));
    expect(answers.every(({ status }) => status === "rejected")).toBe(true);
    expect(reads).toHaveLength(1);
  });
});
