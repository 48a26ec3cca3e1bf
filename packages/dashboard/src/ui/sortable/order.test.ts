import { expect, test } from "vitest";
import { moved, placeAt } from "./order.js";

test.each([
  [0, 2, "bca"],
  [2, 0, "cab"],
  [1, 1, "abc"],
  [0, 1, "bac"],
  [7, 0, "abc"],
])("a row goes from %i to %i, and the others keep their order", (from, to, after) => {
  expect(moved([..."abc"], from, to).join("")).toBe(after);
});

test.each([
  [0, 10, 0],
  [0, 35, 0],
  [0, 65, 1],
  [0, 400, 2],
  [2, 5, 0],
  [2, 25, 1],
  [1, 45, 1],
])("row %i that is held at %i px stands at %i", (from, y, place) => {
  expect(placeAt([20, 60, 100], y, from)).toBe(place);
});
