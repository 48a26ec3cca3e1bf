import { expect, test } from "vitest";
import { oncePer } from "./once-per.js";

test("of the same object comes the same, and of another another", () => {
  let made = 0;
  const sizeOf = oncePer((list: readonly number[]) => {
    made += 1;
    return { size: list.length, made };
  });
  const [one, other] = [
    [1, 2],
    [1, 2],
  ];
  expect(sizeOf(one)).toBe(sizeOf(one));
  expect([sizeOf(one), sizeOf(other)]).toEqual([
    { size: 2, made: 1 },
    { size: 2, made: 2 },
  ]);
});

test("what cannot be made is tried again", () => {
  let tries = 0;
  const open = oncePer((_door: object) => {
    tries += 1;
    if (tries === 1) throw new Error("locked");
    return { tries };
  });
  const door = {};
  expect(() => open(door)).toThrow("locked");
  expect(open(door)).toEqual({ tries: 2 });
});
