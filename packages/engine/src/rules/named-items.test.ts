import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normaliseLine } from "../orders/normalise.js";
import { Work } from "../work.js";
import type { ItemRef } from "./contract.js";
import { isNamed, NamedItems } from "./named-items.js";

const names = fc.constantFrom("a", "b", "c", "d");
const maybe = fc.option(names, { nil: null });
const item: fc.Arbitrary<ItemRef> = fc
  .record({
    object: fc.constantFrom("product" as const, "sku" as const, "products_collection" as const),
    id: maybe,
    source_id: maybe,
    strict: fc.boolean(),
    has_test: fc.boolean(),
  })
  .map(({ has_test, ...named }) =>
    has_test && named.object === "product" ? { ...named, matches: ({ quantity }) => quantity > 2 } : named,
  );
const line = fc
  .record({
    product: maybe,
    product_source: maybe,
    sku: maybe,
    sku_source: maybe,
    quantity: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ product, product_source, sku, sku_source, quantity }) =>
    normaliseLine(
      {
        product_id: product,
        sku_id: sku,
        quantity,
        product: product_source === null ? null : { source_id: product_source },
        sku: sku_source === null ? null : { source_id: sku_source },
      },
      0,
    ),
  );

const closeness = { sku: 0, product: 1, products_collection: 2 };
const in_collection = (id: string, { product_id }: { product_id: string | null }) => id === product_id || id === "d";

describe("the item that names a line most closely", () => {
  test("is found by look-up as by asking each in turn: SKU, product, collection, then the first", () => {
    fc.assert(
      fc.property(fc.array(item, { minLength: 0, maxLength: 24 }), line, (items, one) => {
        const naming = items.filter((named) => isNamed(named, one, in_collection));
        const closest = Math.min(...naming.map(({ object }) => closeness[object]));
        const wanted = naming.find(({ object }) => closeness[object] === closest) ?? null;
        const found = new NamedItems(items).closest(one, in_collection, undefined);
        expect(found).toBe(wanted);
        expect(new NamedItems(items).names(one, in_collection, undefined)).toBe(wanted !== null);
      }),
      { numRuns: 2000 },
    );
  });

  test("takes as much work among nine thousand ids as among twenty", () => {
    const workAmong = (count: number) => {
      const work = new Work({ turn_max: 1e9, decision_max: 1e9 });
      const items = Array.from({ length: count }, (_, i) => ({
        object: "sku" as const,
        id: `${i}`,
        source_id: null,
        strict: false,
      }));
      new NamedItems(items).closest(normaliseLine({ product_id: "a" }, 0), in_collection, work);
      return work.endTurn();
    };
    expect(workAmong(9_000)).toBe(workAmong(20));
  });
});
