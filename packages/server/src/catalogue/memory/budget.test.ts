import { describe, expect, test } from "vitest";
import { budgetOf, Claims, defaultBudget } from "./budget.js";

const mb = 2 ** 20;

test("catalogues have a share of the heap, and never more than a machine of 4 GB gives them", () => {
  expect(defaultBudget(256 * mb)).toEqual({
    kept_bytes_max: 48 * mb,
    compiled_bytes_max: 32 * mb,
    decision_bytes_max: 32 * mb,
  });
  expect(defaultBudget(64 * 1024 * mb)).toEqual({
    kept_bytes_max: 768 * mb,
    compiled_bytes_max: 128 * mb,
    decision_bytes_max: 128 * mb,
  });
});

test("an operator who says what catalogues may keep says nothing of the rest", () => {
  expect(budgetOf(undefined, 256 * mb)).toEqual(defaultBudget(256 * mb));
  expect(budgetOf(7 * mb, 256 * mb)).toEqual({ ...defaultBudget(256 * mb), kept_bytes_max: 7 * mb });
});

describe("what decisions hold compiled", () => {
  const refused = { status: 503, headers: { "retry-after": "1" } };

  test("is bounded for each of them", () => {
    const claim = new Claims(10 * mb).open();
    claim.take(10 * mb);
    expect(() => claim.take(1)).toThrow(expect.objectContaining(refused));
  });

  test("is bounded for all together, and small ones pass whatever others hold", () => {
    const claims = new Claims(10 * mb);
    const [one, other, large, small] = [claims.open(), claims.open(), claims.open(), claims.open()];
    one.take(10 * mb);
    other.take(10 * mb);
    expect(() => large.take(2 * mb)).toThrow(expect.objectContaining(refused));
    small.take(mb);
    one.release();
    large.take(2 * mb);
    for (const claim of [other, large, small]) claim.release();
    expect(claims.bytes).toBe(0);
  });
});
