import fc from "fast-check";
import { expect, test } from "vitest";
import { nearestPages } from "./nearest.js";

const micro = fc.integer({ min: 0, max: 50 });
/** Pages whose vouchers were made between any two times, each at one of its own. */
const stock = fc.array(
  fc.tuple(micro, micro, fc.array(fc.nat(1_000), { minLength: 1, maxLength: 6 })).map(([one, other, offsets]) => {
    const [first_at, last_at] = [Math.min(one, other), Math.max(one, other)];
    return { first_at, last_at, made_at: offsets.map((offset) => first_at + (offset % (last_at - first_at + 1))) };
  }),
  { minLength: 1, maxLength: 20 },
);

test("of what pages hold, none that is nearer to the list's end than one that is wanted is left out", () => {
  fc.assert(
    fc.property(stock, fc.integer({ min: 1, max: 40 }), fc.boolean(), (made, count, descending) => {
      const all = made.flatMap(({ made_at }, page) => made_at.map((at) => ({ at, page })));
      const pages = made.map(({ first_at, last_at, made_at }, i) => ({
        first_at,
        last_at,
        page: i,
        hits: made_at.length,
      }));
      const near = new Set(nearestPages(pages, { count, descending }).map(({ page }) => page));
      const sorted = all.toSorted((a, b) => (descending ? b.at - a.at : a.at - b.at));
      const wanted = sorted.slice(0, count).at(-1)?.at ?? 0;
      // Of those made at the same instant the ids decide, which pages do not know: all of them are among the nearest.
      const needed = all.filter(({ at }) => (descending ? at >= wanted : at <= wanted));
      expect(needed.filter(({ page }) => !near.has(page))).toEqual([]);
    }),
  );
});

test("of many pages that follow each other hardly more is taken than is wanted", () => {
  const pages = Array.from({ length: 100 }, (_, page) => ({
    page,
    first_at: page * 10,
    last_at: page * 10 + 9,
    hits: 2,
  }));
  const taken = (descending: boolean) => nearestPages(pages, { count: 3, descending }).map(({ page }) => page);
  expect(taken(true)).toEqual([98, 99]);
  expect(taken(false)).toEqual([0, 1]);
  // Of a page of all times nobody knows how much of it is near: it is taken, and counts for nothing.
  pages.push({ page: 100, first_at: 0, last_at: 999, hits: 2 });
  expect(taken(true)).toEqual([98, 99, 100]);
  expect(taken(false)).toEqual([0, 1, 100]);
});
