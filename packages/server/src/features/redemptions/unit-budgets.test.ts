import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";

const { api } = await startService();

let made = 0;
const unique = (word: string) => `${word} ${++made}`;

const all_off = { type: "PERCENT", percent_off: 100, effect: "APPLY_TO_ITEMS" };
const ann = { source_id: "ann" };
const bob = { source_id: "bob" };
/** A line of a cup in a colour; each costs 1.00, so that the discount tells the units. */
const cups = (sku_id: string, quantity: number) => ({ product_id: "cup", sku_id, price: 100, quantity });
const red = cups("red", 5);
const blue = cups("blue", 5);

type Redeemable = { object: "voucher" | "promotion_tier"; id: string };

/** A rule that lets red and blue cups be discounted, each within the limits. */
async function aRule(limits: Record<string, unknown>): Promise<string> {
  const included = ["red", "blue"].map((id) => ({ object: "sku", id, ...limits }));
  const fields = { name: unique("rule"), rules: { logic: "" }, applicable_to: { included } };
  return (await api.post("/v1/validation-rules", fields, 200)).body.id;
}

/** Two tiers of one promotion, the rule on each. */
async function twoTiers(rule_id: string, discount: object = all_off): Promise<[Redeemable, Redeemable]> {
  const tiers = ["A", "B"].map((name) => ({ name, action: { discount }, validation_rules: [rule_id] }));
  const fields = { name: unique("promotion"), campaign_type: "PROMOTION", promotion: { tiers } };
  const { body } = await api.post("/v1/campaigns", fields, 200);
  return body.promotion.tiers.map(({ id }: { id: string }) => ({ object: "promotion_tier", id }));
}

/** Two codes of one campaign, which has the rule. */
async function twoCodes(rule_id: string): Promise<[Redeemable, Redeemable]> {
  const voucher = { type: "DISCOUNT_VOUCHER", discount: all_off };
  const fields = { name: unique("coupons"), campaign_type: "DISCOUNT_COUPONS", voucher, validation_rules: [rule_id] };
  const { id } = (await api.post("/v1/campaigns", fields, 200)).body;
  const codes = [unique("CODE"), unique("CODE")];
  for (const code of codes) await api.post(`/v1/campaigns/${id}/vouchers/${encodeURIComponent(code)}`, {}, 200);
  return codes.map((code) => ({ object: "voucher", id: code })) as [Redeemable, Redeemable];
}

const unitsIn = (order: { total_applied_discount_amount?: number } | undefined) =>
  (order?.total_applied_discount_amount ?? 0) / 100;

/** Units that would be discounted now. */
async function unitsLeft(redeemable: Redeemable, customer: object | undefined, ...items: object[]): Promise<number> {
  const asked = { redeemables: [redeemable], customer, order: { items } };
  return unitsIn((await api.post("/v1/validations", asked, 200)).body.order);
}

async function redeem(redeemable: Redeemable, customer: object | undefined, ...items: object[]) {
  const { body } = await api.post("/v1/redemptions", { redeemables: [redeemable], customer, order: { items } }, 200);
  return { id: body.redemptions[0].id as string, units: unitsIn(body.order) };
}

describe("once a tier has given three red cups away to Ann, of a limit of three", () => {
  test.each`
    limit                                                             | same | blue | other_tier | bob
    ${"product_campaign_quantity_limit"}                              | ${0} | ${3} | ${0}       | ${0}
    ${"product_customer_campaign_quantity_limit"}                     | ${0} | ${3} | ${0}       | ${3}
    ${"product_in_collection_campaign_quantity_limit"}                | ${0} | ${0} | ${0}       | ${0}
    ${"product_in_collection_customer_campaign_quantity_limit"}       | ${0} | ${0} | ${0}       | ${3}
    ${"product_promotion_tier_quantity_limit"}                        | ${0} | ${3} | ${3}       | ${0}
    ${"product_customer_promotion_tier_quantity_limit"}               | ${0} | ${3} | ${3}       | ${3}
    ${"product_in_collection_promotion_tier_quantity_limit"}          | ${0} | ${0} | ${3}       | ${0}
    ${"product_in_collection_customer_promotion_tier_quantity_limit"} | ${0} | ${0} | ${3}       | ${3}
  `("$limit leaves $blue blue ones, $other_tier in another tier, $bob for Bob", async ({ limit, ...left }) => {
    for (const limits of [{ [limit]: 3 }, { [limit]: 1, [`${limit}_formula`]: "1 + 2" }]) {
      const [tier, other_tier] = await twoTiers(await aRule(limits));
      expect((await redeem(tier, ann, red)).units).toBe(3);
      expect({
        same: await unitsLeft(tier, ann, red),
        blue: await unitsLeft(tier, ann, blue),
        other_tier: await unitsLeft(other_tier, ann, red),
        bob: await unitsLeft(tier, bob, red),
      }).toEqual(left);
    }
  });
});

describe("a unit budget", () => {
  test("of a campaign is spent by all its codes together, that of a tier by each by itself", async () => {
    const [code, other] = await twoCodes(await aRule({ product_campaign_quantity_limit: 7 }));
    expect((await redeem(code, undefined, red)).units).toBe(5);
    expect((await redeem(other, undefined, red)).units).toBe(2);
    expect(await unitsLeft(code, undefined, red)).toBe(0);

    const [own, another] = await twoCodes(await aRule({ product_promotion_tier_quantity_limit: 7 }));
    await redeem(own, undefined, red);
    expect(await unitsLeft(own, undefined, red)).toBe(2);
    expect(await unitsLeft(another, undefined, red)).toBe(5);
  });

  test("of a voucher without a campaign counts the voucher's own, for everyone and for a customer", async () => {
    for (const limit of ["product_campaign_quantity_limit", "product_customer_campaign_quantity_limit"]) {
      const code = unique("SOLO");
      await api.post(`/v1/vouchers/${encodeURIComponent(code)}`, { discount: all_off, redemption: {} }, 200);
      const related = { voucher: code, related_object_type: "voucher" };
      const rule_id = await aRule({ [limit]: 7 });
      await api.post(`/v1/validation-rules/${rule_id}/assignments`, related, 200);
      const solo: Redeemable = { object: "voucher", id: code };
      await redeem(solo, ann, red);
      expect(await unitsLeft(solo, ann, red)).toBe(2);
      expect(await unitsLeft(solo, bob, red)).toBe(limit.includes("customer") ? 5 : 2);
    }
  });

  test.each([
    ["a price", { type: "FIXED", fixed_amount: 40, effect: "APPLY_TO_ITEMS" }, 60],
    ["an amount a unit", { type: "AMOUNT", amount_off: 30, effect: "APPLY_TO_ITEMS_BY_QUANTITY" }, 30],
  ])("holds for %s as it does for a percentage", async (_what, discount, off) => {
    const [tier] = await twoTiers(await aRule({ product_campaign_quantity_limit: 7 }), discount);
    expect((await redeem(tier, undefined, red)).units).toBe((5 * off) / 100);
    expect(await unitsLeft(tier, undefined, red)).toBe((2 * off) / 100);
  });

  test("gets back what is rolled back, for everyone and for the customer", async () => {
    const [tier] = await twoTiers(
      await aRule({ product_campaign_quantity_limit: 7, product_customer_campaign_quantity_limit: 7 }),
    );
    const { id } = await redeem(tier, ann, red);
    expect(await unitsLeft(tier, ann, red)).toBe(2);
    await api.post(`/v1/redemptions/${id}/rollback`, {}, 200);
    expect(await unitsLeft(tier, ann, cups("red", 9))).toBe(7);
  });

  test("gets back what a stack took when the stack is rolled back", async () => {
    const [tier, other] = await twoTiers(await aRule({ product_campaign_quantity_limit: 7 }));
    const stack = { redeemables: [tier, other], order: { items: [red, blue] } };
    const { body } = await api.post("/v1/redemptions", stack, 200);
    expect(await unitsLeft(tier, undefined, red)).toBe(2);
    await api.post(`/v1/redemptions/${body.parent_redemption.id}/rollbacks`, {}, 200);
    expect(await unitsLeft(tier, undefined, cups("red", 9))).toBe(7);
  });

  test("that is set later counts what went before", async () => {
    const rule_id = await aRule({});
    const [tier] = await twoTiers(rule_id);
    await redeem(tier, ann, red);
    await redeem(tier, bob, cups("red", 1));
    const limited = (limits: object) =>
      api.put(
        `/v1/validation-rules/${rule_id}`,
        { applicable_to: { included: [{ object: "sku", id: "red", ...limits }] } },
        200,
      );
    await limited({ product_campaign_quantity_limit: 8 });
    expect(await unitsLeft(tier, ann, red)).toBe(2);
    await limited({ product_customer_promotion_tier_quantity_limit: 8 });
    expect(await unitsLeft(tier, ann, red)).toBe(3);
  });

  test("of nobody's is not spent by customers who are not named", async () => {
    const [tier] = await twoTiers(await aRule({ product_customer_campaign_quantity_limit: 3 }));
    await redeem(tier, undefined, red);
    expect(await unitsLeft(tier, undefined, red)).toBe(3);
    expect(await unitsLeft(tier, { source_id: unique("newcomer") }, red)).toBe(3);
  });

  test("is one for a product by whatever name it comes, and from before it was in the catalogue", async () => {
    const included = [{ object: "product", source_id: "mug", product_campaign_quantity_limit: 7 }];
    const fields = { name: unique("rule"), rules: { logic: "" }, applicable_to: { included } };
    const [tier] = await twoTiers((await api.post("/v1/validation-rules", fields, 200)).body.id);
    const by_source_id = { source_id: "mug", related_object: "product", price: 100 };
    await redeem(tier, undefined, { ...by_source_id, quantity: 2 });
    const { id } = (await api.post("/v1/products", { source_id: "mug", name: "Mug", price: 100 }, 200)).body;
    await redeem(tier, undefined, { product_id: id, quantity: 1 });
    await redeem(tier, undefined, { ...by_source_id, quantity: 1 });
    expect(await unitsLeft(tier, undefined, { product_id: id, quantity: 9 })).toBe(3);
    expect(await unitsLeft(tier, undefined, { ...by_source_id, quantity: 9 })).toBe(3);
  });

  test("of a SKU counts it under whatever product it comes, or under none", async () => {
    const [tier] = await twoTiers(await aRule({ product_campaign_quantity_limit: 7 }));
    await redeem(tier, undefined, { ...cups("red", 2), product_id: undefined });
    await redeem(tier, undefined, { ...cups("red", 2), product_id: "beaker" });
    expect(await unitsLeft(tier, undefined, cups("red", 9))).toBe(3);
  });

  test("of each product counts what takes the place of something else in the cart", async () => {
    const small = (await api.post("/v1/products", { source_id: "small", name: "Small", price: 100 }, 200)).body.id;
    const ruleFor = async (id: string, limits: object) => {
      const included = [{ object: "product", id, ...limits }];
      const fields = { name: unique("rule"), rules: { logic: "" }, applicable_to: { included } };
      return (await api.post("/v1/validation-rules", fields, 200)).body.id;
    };
    const replace = { type: "UNIT", effect: "REPLACE_ITEMS", unit_off: 1, unit_type: small };
    const [replacing] = await twoTiers(await ruleFor("big", {}), replace);
    const [tier] = await twoTiers(await ruleFor(small, { product_in_collection_campaign_quantity_limit: 1 }));
    const items = [{ product_id: "big", quantity: 1, price: 300 }];
    const unitsOf = async () => {
      const asked = { redeemables: [replacing, tier], order: { items } };
      return unitsIn((await api.post("/v1/redemptions", asked, 200)).body.order);
    };
    expect(await unitsOf()).toBe(1);
    expect(await unitsOf()).toBe(0);
  });

  test("of a product counts its SKUs, unless it is strict", async () => {
    const included = (strict: boolean) => [
      { object: "product", id: "cup", strict, product_campaign_quantity_limit: 7 },
    ];
    for (const strict of [false, true]) {
      const fields = { name: unique("rule"), rules: { logic: "" }, applicable_to: { included: included(false) } };
      const rule_id = (await api.post("/v1/validation-rules", fields, 200)).body.id;
      const [tier] = await twoTiers(rule_id);
      await redeem(tier, undefined, red);
      await api.put(`/v1/validation-rules/${rule_id}`, { applicable_to: { included: included(strict) } }, 200);
      const itself = { product_id: "cup", price: 100, quantity: 5 };
      expect(await unitsLeft(tier, undefined, itself)).toBe(strict ? 5 : 2);
    }
  });

  test("of a product alone and one with its SKUs are counted apart", async () => {
    const budget = (strict: boolean) => ({ object: "product", id: "cup", strict, product_campaign_quantity_limit: 6 });
    const applicable_to = { included: [budget(true), budget(false)] };
    const fields = { name: unique("rule"), rules: { logic: "" }, applicable_to };
    const [tier] = await twoTiers((await api.post("/v1/validation-rules", fields, 200)).body.id);
    await redeem(tier, undefined, red);
    const itself = { product_id: "cup", price: 100, quantity: 9 };
    expect(await unitsLeft(tier, undefined, itself)).toBe(6);
    expect(await unitsLeft(tier, undefined, { ...red, quantity: 9 })).toBe(6 - red.quantity);
  });

  test("of a collection is shared by all its products, the in_collection form is each product's own", async () => {
    const brand = unique("brand");
    const aProduct = async () => {
      const fields = { source_id: unique("thing"), name: "Thing", price: 100, metadata: { brand } };
      return (await api.post("/v1/products", fields, 200)).body.id as string;
    };
    const products = await Promise.all([aProduct(), aProduct(), aProduct()]);
    const [one, two, three] = products.map((product_id) => ({ product_id, quantity: 5 })) as [object, object, object];
    const listed = { type: "STATIC", products: products.map((id) => ({ object: "product", id })) };
    const filtered = {
      type: "AUTO_UPDATE",
      filter: { junction: "and", "metadata.brand": { conditions: { $is: [brand] } } },
    };
    for (const members of [listed, filtered]) {
      const collection = (await api.post("/v1/product-collections", { name: unique("things"), ...members }, 200)).body;
      const tierOf = async (limits: object) => {
        const included = [{ object: "products_collection", id: collection.id, ...limits }];
        const fields = { name: unique("rule"), rules: { logic: "" }, applicable_to: { included } };
        return (await twoTiers((await api.post("/v1/validation-rules", fields, 200)).body.id))[0];
      };
      const together = await tierOf({ product_campaign_quantity_limit: 7 });
      await redeem(together, undefined, one);
      expect(await unitsLeft(together, undefined, two, three)).toBe(2);
      const each = await tierOf({ product_in_collection_campaign_quantity_limit: 7 });
      await redeem(each, undefined, one);
      expect(await unitsLeft(each, undefined, one)).toBe(2);
      expect(await unitsLeft(each, undefined, two, three)).toBe(10);
    }
  });
});
