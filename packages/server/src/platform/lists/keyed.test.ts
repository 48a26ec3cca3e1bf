import { expect, test } from "vitest";
import { keyed } from "./keyed.js";

test("it says what an object of these entries says, whatever the keys are", () => {
  const entries: [string, number][] = [
    ["b", 1],
    ["__proto__", 2],
    ["a", 3],
    ["b", 4],
    ["toString", 5],
  ];
  expect(JSON.stringify(keyed(entries))).toBe('{"b":4,"__proto__":2,"a":3,"toString":5}');
});
