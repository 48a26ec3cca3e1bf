import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { shopsOf } from "./qualification.fixtures.js";

const aShop = shopsOf(await startService());

const is_long = Boolean(process.env.GUERDON_TEST_LONG);

/** A condition, and what it is about. */
type Topic = "customer" | "items" | "order";
interface Leaf {
  topic: Topic;
  leaf: object;
}

const product = (id: string) => ({ object: "product", id });
const leaf = (topic: Topic, name: string, conditions: object, more: object = {}): fc.Arbitrary<Leaf> =>
  fc.constant({ topic, leaf: { name, conditions, ...more } });
const leaves = fc.oneof(
  leaf("customer", "customer.metadata", { $is: ["gold"] }, { property: "plan" }),
  leaf("customer", "customer.segment", { $is: ["SEGMENT"] }),
  leaf("items", "order.items.any", { $is: [product("mug")] }),
  leaf("items", "order.items.any", { $is: [product("pen")] }),
  leaf("order", "order.initial_amount", { $more_than: [1500] }),
  leaf("order", "order.metadata", { $is: ["web"] }, { property: "channel" }),
);

const discounts = fc.oneof(
  fc.constantFrom(100, 700).map((amount_off) => ({ type: "AMOUNT", amount_off })),
  fc.constantFrom(10, 50).map((percent_off) => ({ type: "PERCENT", percent_off, effect: "APPLY_TO_ORDER" })),
  fc.constant({ type: "PERCENT", percent_off: 20, effect: "APPLY_TO_ITEMS" }),
);

const candidates = fc.record({
  kind: fc.constantFrom("tier" as const, "standalone" as const, "held" as const, "generic" as const),
  discount: discounts,
  rule: fc.array(leaves, { maxLength: 2 }),
  /** Lines that it discounts, where it discounts lines. */
  on: fc.constantFrom("mug", "pen"),
  is_active: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
});
type Drawn = typeof candidates extends fc.Arbitrary<infer One> ? One : never;

const carts = fc.record({
  products: fc.subarray(["mug", "pen", "cup"]),
  price: fc.constantFrom(500, 2000),
  channel: fc.constantFrom("web", "app"),
  plan: fc.constantFrom("gold", "silver"),
  is_member: fc.boolean(),
});

/** Which topics a scenario looks at (rules.md §12). */
const looks_at: Record<string, readonly Topic[]> = {
  ALL: ["customer", "items", "order"],
  CUSTOMER_WALLET: ["customer", "items", "order"],
  AUDIENCE_ONLY: ["customer"],
  PRODUCTS: ["items"],
  PRODUCTS_DISCOUNT: ["items"],
  PRODUCTS_BY_CUSTOMER: ["customer", "items"],
  PRODUCTS_DISCOUNT_BY_CUSTOMER: ["customer", "items"],
};

const isOfItems = ({ discount }: Drawn) => "effect" in discount && discount.effect === "APPLY_TO_ITEMS";

/** A project with the drawn candidates, their rules about some topics alone. */
async function filled(drawn: readonly Drawn[], is_member: boolean, topics: readonly Topic[]) {
  const shop = await aShop();
  const customer = await shop.customer();
  const segment = await shop.segment({ type: "static", customers: is_member ? [customer] : [] });
  const made: { object: "promotion_tier" | "voucher"; id: string }[] = [];
  for (const { kind, discount, rule, on, is_active } of drawn) {
    const of_topics = rule.filter(({ topic }) => topics.includes(topic));
    const rules = Object.fromEntries(of_topics.map(({ leaf }, i) => [i + 1, leaf]));
    const logic = of_topics.map((_, i) => i + 1).join(" and ");
    const written = JSON.parse(JSON.stringify({ ...rules, logic }).replace('"SEGMENT"', JSON.stringify(segment)));
    const id = await shop.rule(written, { applicable_to: { included: [product(on)] } });
    // Said in full, or what the rule includes would make it a discount of items.
    const said = "effect" in discount ? discount : { ...discount, effect: "APPLY_TO_ORDER" };
    const fields = { active: is_active, validation_rules: [id] };
    if (kind === "tier") {
      made.push({ object: "promotion_tier", id: (await shop.tiers([said], id, { active: is_active }))[0] as string });
    } else if (kind === "generic") {
      made.push({
        object: "voucher",
        id: await shop.generic({ ...fields, voucher: { type: "DISCOUNT_VOUCHER", discount: said } }),
      });
    } else {
      made.push({ object: "voucher", id: await shop.code(said, fields, kind === "held" ? customer : undefined) });
    }
  }
  return { shop, customer, made };
}

describe("through random projects, carts and customers", () => {
  test.each(Object.keys(looks_at))(
    "%s finds what a validation of it alone grants, with the same discount, and nothing else",
    async (scenario) => {
      await fc.assert(
        fc.asyncProperty(fc.array(candidates, { minLength: 4, maxLength: 8 }), carts, async (drawn, cart) => {
          const { shop, customer, made } = await filled(drawn, cart.is_member, ["customer", "items", "order"]);
          // The oracle: the same project, its rules about what the scenario looks at and no more.
          const twin = await filled(drawn, cart.is_member, looks_at[scenario] ?? []);
          const items = cart.products.map((product_id) => ({ product_id, quantity: 1, price: cart.price }));
          const order = { items, metadata: { channel: cart.channel } };
          const about = (id: string) => ({ order, customer: { id, metadata: { plan: cart.plan } } });
          const expected = new Map<string, number>();
          for (const [i, redeemable] of twin.made.entries()) {
            const one = drawn[i] as Drawn;
            if (!isCandidate(scenario, one, cart.products)) continue;
            const body = { redeemables: [redeemable], ...about(twin.customer) };
            const { valid, order: after } = (await twin.shop.api.post("/v1/validations", body, 200)).body;
            if (valid) expected.set(made[i]?.id ?? "", after.total_discount_amount ?? 0);
          }
          const { data } = await shop.qualify({ ...about(customer), scenario, options: { limit: 50 } });
          const found = data.filter(({ object }) => object !== "campaign");
          expect(Object.fromEntries(found.map((one) => [one.id, one.order?.total_discount_amount ?? 0]))).toEqual(
            Object.fromEntries(expected),
          );
        }),
        { numRuns: is_long ? 100 : 5 },
      );
    },
    // Some 60 requests a run; more than enough on a machine that does other things.
    is_long ? 900_000 : 180_000,
  );
});

/** Which candidates a scenario looks at, and what has to tie them to the products of the cart. */
function isCandidate(scenario: string, one: Drawn, products: readonly string[]): boolean {
  if (scenario === "CUSTOMER_WALLET") return one.kind === "held";
  if (!scenario.startsWith("PRODUCTS")) return true;
  const is_discounted = isOfItems(one) && products.includes(one.on);
  const is_wanted = one.rule.some(({ topic }) => topic === "items");
  return is_discounted || (is_wanted && !scenario.startsWith("PRODUCTS_DISCOUNT"));
}
