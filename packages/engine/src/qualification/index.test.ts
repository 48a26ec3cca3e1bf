import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ANYTHING,
  allOf,
  type CartFacts,
  createQualificationIndex,
  duringDates,
  oneOf,
  type Predicates,
  someOf,
  within,
} from "./index.js";

const word = fc.constantFrom("a", "b", "c", "d");
const family = fc.constantFrom("customer.segment", "product.id", "collection");
const atom = fc.record({ family, value: word });
const low = fc.constantFrom(Number.NEGATIVE_INFINITY, -3, 0, 1, 5, 900, 70_000);
const high = fc.constantFrom(Number.POSITIVE_INFINITY, 0, 1, 6, 1000, 65_536, 2 ** 45);
const part: fc.Arbitrary<Predicates> = fc.oneof(
  fc.array(atom, { maxLength: 3 }).map(oneOf),
  fc
    .tuple(fc.constantFrom("instant", "initial_amount", "amount", "units"), low, high)
    .map(([name, from, to]) => within(name, from, to)),
);
const predicates = fc.array(fc.array(part, { maxLength: 3 }).map(allOf), { maxLength: 3 }).map(someOf);

const facts: fc.Arbitrary<CartFacts> = fc
  .record({
    numbers: fc.tuple(
      ...[0, 1, 2, 3].map(() => fc.constantFrom(Number.NEGATIVE_INFINITY, 0, 0.5, 1, 5, 6, 950, 65_536, 2 ** 46)),
    ),
    atoms: fc.dictionary(family, fc.subarray(["a", "b", "c", "d"])),
  })
  .map(({ numbers, atoms }) => ({ numbers, values: (name) => atoms[name] ?? [] }));

/** The oracle: every conjunction looked at. */
const isTrue = (all: Predicates, cart: CartFacts) =>
  all.some(
    ({ clauses, bounds }) =>
      cart.numbers.every((number, i) => number >= bounds[i * 2]! && number <= bounds[i * 2 + 1]!) &&
      clauses.every((clause) => clause.some(({ family: name, value }) => [...cart.values(name)].includes(value))),
  );

describe("the index answers exactly the promotions whose predicates are true", () => {
  const edit = fc.tuple(
    fc.integer({ min: 0, max: 15 }).map((n) => `promo_${n}`),
    fc.option(predicates, { freq: 4 }),
  );

  test("over random predicates, carts and edits", () => {
    fc.assert(
      fc.property(
        fc.array(edit, { maxLength: 60 }),
        fc.array(facts, { minLength: 1, maxLength: 5 }),
        (edits, carts) => {
          const index = createQualificationIndex();
          const kept = new Map<string, Predicates>();
          for (const [id, one] of edits) {
            if (one === null) expect(index.remove(id)).toBe(kept.delete(id));
            else {
              index.put(id, one);
              kept.set(id, one);
            }
          }
          expect(index.size).toBe(kept.size);
          for (const cart of carts) {
            const expected = [...kept].filter(([, one]) => isTrue(one, cart)).map(([id]) => id);
            expect(index.candidates(cart).sort()).toEqual(expected.sort());
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  test("through ten thousand edits of three thousand promotions", () => {
    const index = createQualificationIndex();
    const value = (edit: number) => String((edit * 7919) % 40);
    for (let edit = 0; edit < 10_000; edit += 1) {
      const id = `promo_${(edit * 31) % 3000}`;
      if (edit % 7 === 0) index.remove(id);
      else index.put(id, allOf([oneOf([{ family: "product.id", value: value(edit) }]), within("units", edit % 5, 9)]));
    }
    const last = new Map<string, number | null>();
    for (let edit = 0; edit < 10_000; edit += 1) last.set(`promo_${(edit * 31) % 3000}`, edit % 7 === 0 ? null : edit);
    const expected = [...last].filter(([, edit]) => edit !== null && value(edit) === "8" && edit % 5 <= 2);
    const cart = { numbers: [0, 0, 0, 2], values: (name: string) => (name === "product.id" ? ["8", "8"] : []) };
    expect(index.candidates(cart).sort()).toEqual(expected.map(([id]) => id).sort());
    expect(expected.length).toBeGreaterThan(10);
  });
});

describe("putting predicates together", () => {
  const segment = (value: string) => oneOf([{ family: "customer.segment", value }]);

  test.each`
    name                          | built                                                                   | alternatives
    ${"anything and a segment"}   | ${allOf([ANYTHING, segment("a")])}                                      | ${1}
    ${"anything or a segment"}    | ${someOf([ANYTHING, segment("a")])}                                     | ${1}
    ${"no part at all"}           | ${someOf([])}                                                           | ${0}
    ${"one of nothing"}           | ${oneOf([])}                                                            | ${0}
    ${"bounds apart"}             | ${allOf([within("units", 5, 9), within("units", 10, 12)])}              | ${0}
    ${"bounds that meet"}         | ${allOf([within("units", 5, 9), within("units", 9, 12)])}               | ${1}
    ${"dates in the wrong order"} | ${duringDates(5, 4)}                                                    | ${0}
    ${"bounded or not"}           | ${someOf([allOf([segment("a"), within("units", 1, 2)]), segment("b")])} | ${2}
    ${"either segment"}           | ${someOf([segment("a"), segment("b")])}                                 | ${1}
    ${"open dates"}               | ${duringDates(null, null)}                                              | ${1}
  `("$name: $alternatives", ({ built, alternatives }) => expect(built).toHaveLength(alternatives));

  test("what would multiply out to too much is forgotten, never lost", () => {
    const either = (n: number) =>
      someOf([allOf([segment(`a${n}`), within("units", 1, 2)]), allOf([segment(`b${n}`), within("units", 3, 4)])]);
    const many = allOf([1, 2, 3, 4, 5, 6].map(either));
    expect(many.length).toBeGreaterThan(0);
    expect(many.length).toBeLessThanOrEqual(16);
    const wide = someOf(Array.from({ length: 40 }, (_none, n) => within("units", n, n)));
    expect(wide).toEqual(ANYTHING);
  });
});
