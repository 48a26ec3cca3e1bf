import fc from "fast-check";
import { expect, test } from "vitest";
import { PairMap } from "./pair-map.js";

const pair = fc.tuple(fc.constantFrom("a", "b", "a b"), fc.constantFrom("c", "b c", "__proto__", ""));

test("it holds what it was last told of a pair, and of no other", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(pair, fc.option(fc.nat(), { nil: undefined }))), pair, (told, asked) => {
      const known = new Map(told.map(([names, value]) => [JSON.stringify(names), value]));
      const pairs = new PairMap<number | undefined>();
      for (const [[one, other], value] of told) pairs.set(one, other, value);
      expect(pairs.has(...asked)).toBe(known.has(JSON.stringify(asked)));
      expect(pairs.get(...asked)).toBe(known.get(JSON.stringify(asked)));
      expect([...pairs.values()].sort()).toEqual([...known.values()].sort());
    }),
  );
});
