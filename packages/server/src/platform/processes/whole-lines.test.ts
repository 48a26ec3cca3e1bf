import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { passWholeLines } from "./whole-lines.js";

test("what a process writes is passed on line by line, wherever it was cut", async () => {
  const lines = fc.array(fc.string({ unit: "binary", maxLength: 40 }).map((text) => text.replaceAll("\n", "\u2028")));
  await fc.assert(
    fc.asyncProperty(lines, fc.integer({ min: 1, max: 30 }), async (all, bytes) => {
      const written = Buffer.from(all.map((line) => `${line}\n`).join(""));
      const pieces = Array.from({ length: Math.ceil(written.length / bytes) }, (_, i) =>
        written.subarray(i * bytes, (i + 1) * bytes),
      );
      const from = Readable.from(pieces, { objectMode: false });
      const passed: string[] = [];
      passWholeLines(from, (line) => passed.push(line));
      await finished(from);
      expect(passed.join("")).toBe(written.toString());
      expect(passed.every((line) => line.indexOf("\n") === line.length - 1)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test("a line without an end is told when it is too long, and at the end", async () => {
  const from = Readable.from([Buffer.alloc(3 * 2 ** 20, "x"), Buffer.from("the last words")], { objectMode: false });
  const passed: string[] = [];
  passWholeLines(from, (line) => passed.push(line));
  await finished(from);
  expect(passed.length).toBeGreaterThan(1);
  expect(passed.at(-1)).toMatch(/the last words\n$/);
});
