import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normaliseLine } from "../../orders/normalise.js";
import type { OrderLineInput } from "../../orders/order.js";
import { Work } from "../../work.js";
import {
  type CollectionSource,
  compileCollection,
  compileSegment,
  createCollectionDirectory,
  type SegmentSource,
} from "./index.js";

const clock = {
  ...{ instant: Date.parse("2025-06-10T10:00:00Z"), time_zone: "Europe/Warsaw" },
  work: new Work({ turn_max: Infinity, decision_max: Infinity }),
};

const inSegment = (source: Partial<SegmentSource>, customer: Record<string, unknown>) => {
  const compiled = compileSegment({ id: "seg_1", type: "auto-update", ...source });
  return "fault" in compiled ? compiled.fault.details : compiled.segment.holds(customer, clock);
};

const collectionOf = (source: Partial<CollectionSource>) => {
  const compiled = compileCollection({ id: "pc_1", type: "AUTO_UPDATE", ...source });
  if ("fault" in compiled) throw new Error(compiled.fault.details);
  return compiled.collection;
};

const inCollection = (source: Partial<CollectionSource>, line: OrderLineInput) =>
  collectionOf(source).holds(normaliseLine(line, 0), clock);

describe("a segment judged on one customer", () => {
  const ann = {
    id: "cust_ann",
    email: "ann@shop.test",
    created_at: "2025-06-01T10:00:00.000Z",
    birthdate: "1990-07-02",
    address: { city: "Gdynia", country: "Poland" },
    metadata: { tier: 3, tags: ["vip"], "shoe.size": 46 },
    system_metadata: { source: "import" },
    summary: {
      orders: { total_amount: 12_000, total_count: 3, last_order_date: "2025-06-09T10:00:00Z" },
      redemptions: { gift: { redeemed_amount: 500 } },
    },
    loyalty: { points: 40, campaigns: { "Points 2.0 Club": { points: 30 }, Points: { "2": { points: 1 } } } },
    loyalty_tiers: [
      { id: "ltr_1", name: "Silver", campaign: "Points 2.0 Club", start_date: "2025-06-09" },
      { id: "ltr_2", name: "Gold", campaign: "Points", metadata: { level: 2 }, start_date: "2025-05-01" },
    ],
    events: { "cart.left": { count: 2, last_at: "2025-06-08" } },
    publications: [
      { created_at: "2025-05-01", related_object_id: "camp_1" },
      { created_at: "2025-06-09", related_object_id: "camp_2" },
    ],
  };
  test.each`
    field                                                | conditions                      | member
    ${"email"}                                           | ${{ $ends_with: "@shop.test" }} | ${true}
    ${"city"}                                            | ${{ $is: "Gdynia" }}            | ${true}
    ${"address.country"}                                 | ${{ $in: ["Poland"] }}          | ${true}
    ${"created_at"}                                      | ${{ $more_than: "5" }}          | ${true}
    ${"created_at"}                                      | ${{ $less_than: 5 }}            | ${false}
    ${"birthdate"}                                       | ${{ $next_month: [true] }}      | ${true}
    ${"birthdate"}                                       | ${{ $this_month: [true] }}      | ${false}
    ${"birthdate"}                                       | ${{ $is_years_ago: [34] }}      | ${true}
    ${"birthday"}                                        | ${{ $has_value: true }}         | ${false}
    ${"summary.orders.total_amount"}                     | ${{ $more_than: ["11999"] }}    | ${true}
    ${"summary.orders.last_order_date"}                  | ${{ $yesterday: [true] }}       | ${true}
    ${"summary.redemptions.gift.redeemed_amount"}        | ${{ $is: "500" }}               | ${true}
    ${"loyalty.points"}                                  | ${{ $less_than_equal: ["40"] }} | ${true}
    ${"loyalty.campaigns.Points 2.0 Club.points"}        | ${{ $is: 30 }}                  | ${true}
    ${"loyalty_points.campaigns.Points 2.0 Club.points"} | ${{ $is: 30 }}                  | ${true}
    ${"loyalty.campaigns.Points.2.points"}               | ${{ $is: 1 }}                   | ${true}
    ${"loyalty.campaigns.Nothing.points"}                | ${{ $more_than: 0 }}            | ${false}
    ${"loyalty_tier.name"}                               | ${{ $is: "Gold" }}              | ${true}
    ${"loyalty_tier.id"}                                 | ${{ $in: ["ltr_3"] }}           | ${false}
    ${"loyalty_tier.metadata.level"}                     | ${{ $is: 2 }}                   | ${true}
    ${"loyalty_tier.start_date"}                         | ${{ $yesterday: [true] }}       | ${true}
    ${"loyalty_tier.campaigns.Points 2.0 Club.name"}     | ${{ $is: "Silver" }}            | ${true}
    ${"loyalty_tier.campaigns.Points 2.0 Club.name"}     | ${{ $is: "Gold" }}              | ${false}
    ${"loyalty_tier.campaigns.Nothing.name"}             | ${{ $has_value: true }}         | ${false}
    ${"events.cart.left.count"}                          | ${{ $is: ["2"] }}               | ${true}
    ${"events.cart.left.last_at"}                        | ${{ $is_days_ago: 2 }}          | ${true}
    ${"metadata.tier"}                                   | ${{ $more_than: 2 }}            | ${true}
    ${"metadata.tags"}                                   | ${{ $contains: "vip" }}         | ${true}
    ${"metadata.shoe.size"}                              | ${{ $is: 46 }}                  | ${true}
    ${"metadata.none"}                                   | ${{ $is_not: "x" }}             | ${true}
    ${"system_metadata.source"}                          | ${{ $is: "import" }}            | ${true}
    ${"publications.created_at"}                         | ${{ $yesterday: [true] }}       | ${true}
    ${"publications.related_object_id"}                  | ${{ $is: "camp_1" }}            | ${true}
    ${"publications.related_object_id"}                  | ${{ $is_not: "camp_1" }}        | ${false}
  `("$field $conditions: $member", ({ field, conditions, member }) => {
    expect(inSegment({ filter: { junction: "and", [field]: { conditions } } }, ann)).toBe(member);
  });

  test("a customer nobody knows is in segments whose filters are negative", () => {
    const filter = { junction: "or", "metadata.plan": { conditions: { $is_not: ["gold"] } } };
    expect(inSegment({ filter }, {})).toBe(true);
  });

  test("static members are listed; a dynamic segment must name its junction", () => {
    expect(inSegment({ type: "static", customers: ["cust_ann"] }, ann)).toBe(true);
    expect(inSegment({ type: "static", customers: ["cust_bob"] }, ann)).toBe(false);
    expect(inSegment({ type: "static" }, {})).toBe(false);
    expect(inSegment({ filter: {} }, ann)).toBe(
      "'auto-update' segment must contain valid filter with 'junction' property",
    );
    expect(inSegment({ type: "passive", filter: { junction: "nor" } }, ann)).toMatch(/wrong `junction`/);
  });

  test("a metadata schema types what a filter compares", () => {
    const compiled = compileSegment(
      {
        id: "seg_1",
        type: "passive",
        filter: { junction: "and", "metadata.since": { conditions: { $more_than: ["30"] } } },
      },
      { metadata_type: (owner, property) => (owner === "customer" && property === "since" ? "date" : null) },
    );
    expect("segment" in compiled && compiled.segment.holds({ metadata: { since: "2025-05-01" } }, clock)).toBe(true);
  });
});

describe("a product collection judged on one line", () => {
  const products = [
    { id: "prod_mug", object: "product" as const },
    { id: "sku_blue", object: "sku" as const },
  ];
  test.each`
    line                                              | member
    ${{ product_id: "prod_mug" }}                     | ${true}
    ${{ product_id: "prod_mug", sku_id: "sku_x" }}    | ${true}
    ${{ product_id: "prod_cup", sku_id: "sku_blue" }} | ${true}
    ${{ product_id: "prod_cup" }}                     | ${false}
    ${{}}                                             | ${false}
  `("listed: $line is $member", ({ line, member }) =>
    expect(inCollection({ type: "STATIC", products }, line)).toBe(member),
  );

  const filter = (field: string, conditions: object) => ({ filter: { junction: "AND", [field]: { conditions } } });
  const catalogue_product = {
    id: "prod_1",
    source_id: "shirt",
    name: "Shirt",
    price: 900,
    metadata: { color: "red", size: "L" },
    attributes: ["size"],
  };
  test.each`
    name                                  | field               | conditions                 | line                                                                               | member
    ${"stored data"}                      | ${"name"}           | ${{ $is: "Shirt" }}        | ${{ catalogue_product }}                                                           | ${true}
    ${"attributes as an array"}           | ${"attributes"}     | ${{ $contains: "size" }}   | ${{ catalogue_product }}                                                           | ${true}
    ${"sent data wins"}                   | ${"name"}           | ${{ $is: "Shirt" }}        | ${{ catalogue_product, product: { name: "Top" } }}                                 | ${false}
    ${"an empty sent field does not"}     | ${"name"}           | ${{ $is: "Shirt" }}        | ${{ catalogue_product, product: { name: null } }}                                  | ${true}
    ${"line metadata wins over both"}     | ${"metadata.color"} | ${{ $is: "blue" }}         | ${{ catalogue_product, metadata: { color: "blue" } }}                              | ${true}
    ${"metadata is laid over key by key"} | ${"metadata.size"}  | ${{ $is: "L" }}            | ${{ catalogue_product, product: { metadata: { color: "blue" } } }}                 | ${true}
    ${"line price"}                       | ${"price"}          | ${{ $more_than: ["950"] }} | ${{ catalogue_product, price: 1000 }}                                              | ${true}
    ${"prices as numbers"}                | ${"price"}          | ${{ $in: ["900.0"] }}      | ${{ catalogue_product }}                                                           | ${true}
    ${"catalogue price"}                  | ${"price"}          | ${{ $is: 900 }}            | ${{ catalogue_product }}                                                           | ${true}
    ${"a SKU over its product"}           | ${"metadata.color"} | ${{ $is: "green" }}        | ${{ catalogue_product, catalogue_sku: { id: "s", metadata: { color: "green" } } }} | ${true}
    ${"a SKU inherits the name"}          | ${"name"}           | ${{ $is: "Shirt" }}        | ${{ catalogue_product, catalogue_sku: { id: "s" } }}                               | ${true}
    ${"a SKU is itself, not its product"} | ${"id"}             | ${{ $is: "prod_1" }}       | ${{ catalogue_product, catalogue_sku: { id: "s" } }}                               | ${false}
    ${"uncatalogued lines"}               | ${"source_id"}      | ${{ $is: "new" }}          | ${{ source_id: "new", related_object: "product" }}                                 | ${true}
  `("$name", ({ field, conditions, line, member }) =>
    expect(inCollection(filter(field, conditions), line)).toBe(member),
  );

  test("a filter must name its junction", () => {
    expect(compileCollection({ id: "pc_1", type: "AUTO_UPDATE", filter: {} })).toEqual({
      fault: {
        key: "invalid_payload",
        path: "filter.junction",
        details: "'AUTO_UPDATE' collection must contain valid filter with 'junction' property",
      },
    });
  });
});

test("the directory finds exactly the collections that hold a line, through edits", () => {
  const product = fc.constantFrom("prod_1", "prod_2", "prod_3");
  const sku = fc.constantFrom(null, "sku_1", "sku_2");
  const source = fc.oneof(
    fc.record({
      type: fc.constant("STATIC" as const),
      products: fc.array(
        fc.oneof(
          product.map((id) => ({ id, object: "product" as const })),
          fc.constantFrom("sku_1", "sku_2").map((id) => ({ id, object: "sku" as const })),
        ),
      ),
    }),
    fc.record({
      type: fc.constant("AUTO_UPDATE" as const),
      filter: product.map((id) => ({ junction: "and", product_id: { conditions: { $is: id } } })),
    }),
  );
  const edit = fc.tuple(
    fc.constantFrom("pc_1", "pc_2", "pc_3"),
    fc.oneof({ weight: 3, arbitrary: source }, { weight: 1, arbitrary: fc.constant(null) }),
  );
  fc.assert(
    fc.property(
      fc.array(edit, { maxLength: 12 }),
      fc.array(fc.tuple(product, sku), { maxLength: 3 }),
      (edits, items) => {
        const directory = createCollectionDirectory();
        const kept = new Map<string, ReturnType<typeof collectionOf>>();
        for (const [id, definition] of edits) {
          if (definition === null) {
            directory.remove(id);
            kept.delete(id);
          } else {
            const collection = collectionOf({ id, ...definition });
            directory.put(collection);
            kept.set(id, collection);
          }
        }
        const lines = items.map(([product_id, sku_id], i) => normaliseLine({ product_id, sku_id }, i));
        const expected = [...kept.values()].filter((collection) => lines.some((line) => collection.holds(line, clock)));
        const holdsSome = (one: ReturnType<typeof collectionOf>) => lines.some((line) => one.holds(line, clock));
        expect([...directory.holding(lines, holdsSome)].sort()).toEqual(expected.map(({ id }) => id).sort());
      },
    ),
  );
});
