import { fc, test as law } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { summed } from "./summed.js";

interface Move {
  of: string;
  day: string;
  amount: number;
  note?: string;
}

describe("moves of the same thing", () => {
  test("are one, with what the first says beside the amounts", () => {
    const moves: Move[] = [
      { of: "b", day: "2", amount: 1 },
      { of: "a", day: "2", amount: 5, note: "first" },
      { of: "a", day: "1", amount: 7 },
      { of: "a", day: "2", amount: -2, note: "second" },
    ];
    expect(summed(moves, ["of", "day"], ["amount"])).toEqual([
      { of: "a", day: "1", amount: 7 },
      { of: "a", day: "2", amount: 3, note: "first" },
      { of: "b", day: "2", amount: 1 },
    ]);
    expect(summed(moves.slice(0, 0), ["of"], ["amount"])).toEqual([]);
  });

  test("leave what is summed as it was", () => {
    const moves = [
      { of: "a", amount: 1 },
      { of: "a", amount: 1 },
    ];
    summed(moves, ["of"], ["amount"]);
    expect(moves.map(({ amount }) => amount)).toEqual([1, 1]);
  });

  const amounts = fc.integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });
  const move = fc.record({ of: fc.constantFrom("a", "b", "B", "ab"), day: fc.constantFrom("1", "2"), amount: amounts });
  law.prop([fc.array(move)])("have exactly the sums of all, in order, beyond 2^53 too", (moves) => {
    const sums = summed(moves, ["of", "day"], ["amount"]);
    const names = sums.map(({ of, day }) => `${of} ${day}`);
    expect(names).toEqual([...new Set(moves.map(({ of, day }) => `${of} ${day}`))].sort());
    for (const { of, day, amount } of sums) {
      const own = moves.filter((one) => one.of === of && one.day === day);
      expect(BigInt(amount)).toBe(own.reduce((sum, one) => sum + BigInt(one.amount), 0n));
    }
  });
});
