import { expect, test } from "vitest";
import { firstIdAt, newId } from "../src/platform/ids.js";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const numberOf = (digits: string) => [...digits].reduce((sum, digit) => sum * 32 + alphabet.indexOf(digit), 0);

test("an id is its prefix, the microsecond in which it was made and sixteen random digits", () => {
  const before = Date.now();
  const ids = Array.from({ length: 5_000 }, () => newId("cust"));
  // So many in one moment are given the microseconds behind it.
  const after = Date.now() + ids.length / 1_000;
  for (const id of ids) {
    expect(id).toMatch(/^cust_[0-9a-hjkmnp-tv-z]{27}$/);
    const made = numberOf(id.slice(5, 16)) / 1_000;
    expect(made >= before && made <= after).toBe(true);
  }
  expect(new Set(ids.map((id) => id.slice(16))).size).toBe(ids.length);
});

test("ids of one process sort as they were made, behind the first of their instant", () => {
  const ids = [firstIdAt("r", Date.now() - 1), ...Array.from({ length: 100 }, () => newId("r"))];
  expect(ids.toSorted()).toEqual(ids);
  expect(firstIdAt("r", Date.now() + 60_000) > newId("r")).toBe(true);
  expect(firstIdAt("ord", -5)).toBe("ord_00000000000");
});
