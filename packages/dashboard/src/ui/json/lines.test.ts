import { expect, test } from "vitest";
import { linesOf } from "./lines.js";

const written = (json: string) =>
  linesOf(json).map(({ depth, tokens }) => "  ".repeat(depth) + tokens.map(({ text }) => text).join(""));

test.each([
  {},
  [],
  5,
  null,
  'text: with, all [of] {it} and "quotes" \\',
  { a: 1, "b: c": [{ d: [], e: {} }, [1, [2, "x,y"]], null, true], f: { g: -1.5e3 } },
])("%j is written as one writes it by hand", (value) => {
  expect(written(JSON.stringify(value)).join("\n")).toBe(JSON.stringify(value, null, 2));
});

test("what was cut off is shown as far as it goes, and a long number to its last digit", () => {
  expect(written('{"id":90071992547409931234,"items":[{"name":"Mu')).toEqual([
    "{",
    '  "id": 90071992547409931234,',
    '  "items": [',
    "    {",
    '      "name": "Mu',
  ]);
  expect(written("]}} ,")).toEqual(["]", "}", "},"]);
});

test("a line knows the field that stands in it", () => {
  expect(linesOf('{"key":"x","message":"y"}').map(({ name }) => name)).toEqual([null, "key", "message", null]);
});
