import fc from "fast-check";
import { expect, test } from "vitest";
import { quickFlatMaps } from "../../../../scripts/server/flat-maps.mjs";
import { bundled, evaluated } from "./bundled.fixtures.js";

test("a flatMap is shipped as a function that loops, wherever it stands; one of a list that may be missing is left", async () => {
  const source = `
    const looped = (a, b) => [
      a.flatMap((one) => one.flatMap<number>((n) => [n, n]))
        .flatMap(String),
      (b ? b.c : []).flatMap((n) => (n > 1 ? n : [])),
    ];
    const left = (b) => [b?.c.flatMap(String), b?.c.map(String).flatMap(Number)];
    export const made = [...looped([[1, 2], [3]], { c: [1, 2] }), ...left(undefined), ...left({ c: [3] })];`;
  const code = await bundled(source, quickFlatMaps);
  // Four of these and the function, which has one of the other for what is no list.
  expect(code.match(/flatMapped\(/g)).toHaveLength(5);
  expect(code.match(/\.flatMap\(/g)).toHaveLength(3);
  expect(await evaluated(source, quickFlatMaps)).toEqual([
    ["1", "1", "2", "2", "3", "3"],
    [2],
    ...[undefined, undefined],
    ...[["3"], [3]],
  ]);
});

/** Lists with holes in them, and with what is no list. */
const one = fc.oneof(
  fc.nat(3),
  fc.constant(undefined),
  fc.array(fc.option(fc.nat(3), { nil: undefined }), { maxLength: 3 }),
);
const lists = fc.sparseArray(one, { maxNumElements: 6, maxLength: 9 });

test("it means what it says: lists are opened once, holes are passed over, and each is told its place", async () => {
  const made = (await evaluated(
    `export const made = (list: unknown[], of: (one: unknown, i: number, all: unknown[]) => unknown) => list.flatMap(of);`,
    quickFlatMaps,
  )) as typeof flatMap;
  fc.assert(
    fc.property(lists, (list) => {
      const calls: unknown[][] = [];
      const of = (one: unknown, i: number, all: unknown[]) => {
        calls.push([one, i, all]);
        return i % 2 === 0 ? one : [[one], i];
      };
      expect(made(list, of)).toStrictEqual(list.flatMap(of));
      expect(calls.slice(0, calls.length / 2)).toStrictEqual(calls.slice(calls.length / 2));
    }),
  );
  const growing = [1, 2];
  expect(made(growing, (n) => growing.push(0) && n)).toEqual([1, 2]);
});

const flatMap = (list: unknown[], of: (one: unknown, i: number, all: unknown[]) => unknown) => list.flatMap(of);
