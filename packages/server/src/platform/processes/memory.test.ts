import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { heapBytes } from "./memory.js";

const mb = 2 ** 20;

/** What a Node.js that was started with these flags says of its heap. */
const limitWith = (flags: readonly string[]) =>
  Number(
    execFileSync(process.execPath, [...flags, "-p", "v8.getHeapStatistics().heap_size_limit"], { encoding: "utf8" }),
  );

test.each([
  [[]],
  [["--max-semi-space-size=64"]],
  [["--max-semi-space-size=16", "--max-semi-space-size=128"]],
  [["--max_semi_space_size=32"]],
])("of a heap of 256 MB all is for what stays, however much room young objects have: %s", (flags) => {
  const all = ["--max-old-space-size=256", ...flags];
  expect(heapBytes(all.join(" "), limitWith(all))).toBe(256 * mb);
});
