import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { shopsOf } from "./qualification.fixtures.js";

const aShop = shopsOf(await startService());

describe("redemption.md §13.2, candidates and checks by scenario", () => {
  test("ALL finds tiers, standalone codes, generic codes, the customer's own and campaigns", async () => {
    const shop = await aShop();
    const customer = await shop.customer();
    const [tier] = await shop.tiers([{ amount_off: 5 }]);
    const standalone = await shop.code();
    const generic = await shop.generic();
    const bulk = await shop.campaign();
    const held = await shop.codeOf(bulk, customer);
    const { data } = await shop.qualify({ customer: { id: customer } });
    expect(data.map(({ object, id }) => `${object} ${id}`).sort()).toEqual(
      [
        `promotion_tier ${tier}`,
        `voucher ${standalone}`,
        `voucher ${generic}`,
        `voucher ${held}`,
        `campaign ${bulk}`,
      ].sort(),
    );
  });

  test("CUSTOMER_WALLET finds what the customer holds, and nothing of anybody else", async () => {
    const shop = await aShop();
    const [customer, other] = [await shop.customer(), await shop.customer()];
    await shop.tiers([{ amount_off: 5 }]);
    await shop.code();
    const bulk = await shop.campaign();
    const held = [await shop.codeOf(bulk, customer), await shop.code({}, {}, customer)];
    await shop.codeOf(bulk, other);
    const wallet = (id: string) => shop.qualify({ scenario: "CUSTOMER_WALLET", customer: { id } });
    expect((await wallet(customer)).data.map(({ id }) => id).sort()).toEqual([...held].sort());
    expect((await shop.qualify({ scenario: "CUSTOMER_WALLET" })).data).toEqual([]);
  });

  test("a wallet's loyalty card is shown with its points, though nothing says yet what they are spent on", async () => {
    const shop = await aShop();
    const { customer, code } = await shop.member(120);
    const { data } = await shop.qualify({ scenario: "CUSTOMER_WALLET", customer: { id: customer } });
    expect(data).toMatchObject([{ id: code, result: { loyalty_card: { points: 120, balance: 120 } } }]);
  });

  test("a gift card that is spent is offered no more; a card of points without any will have new ones", async () => {
    const shop = await aShop();
    const gift = await shop.code({}, { type: "GIFT_VOUCHER", discount: undefined, gift: { amount: 900 } });
    const { customer, code } = await shop.member(0);
    const found = async () => (await shop.found({ customer: { id: customer } })).sort();
    expect(await found()).toEqual([gift, code].sort());
    await shop.redeem(gift);
    expect(await found()).toEqual([code]);
    expect((await shop.api.post("/v1/vouchers/qualification", { order: { amount: 9000 } }, 200)).body.data).toEqual([]);
  });

  test("AUDIENCE_ONLY checks rules about the customer and no others", async () => {
    const shop = await aShop();
    const gold = shop.leaf("customer.metadata", { $is: ["gold"] }, { property: "plan" });
    const large = shop.leaf("order.initial_amount", { $more_than: [1_000_000] });
    const [both] = await shop.tiers([{ amount_off: 5 }], await shop.rule({ "1": gold, "2": large, logic: "1 and 2" }));
    const ask = (plan: string, scenario: string) =>
      shop.found({ scenario, customer: { source_id: "new", metadata: { plan } } });
    expect(await ask("gold", "AUDIENCE_ONLY")).toEqual([both]);
    expect(await ask("silver", "AUDIENCE_ONLY")).toEqual([]);
    expect(await ask("gold", "ALL")).toEqual([]);
  });

  test("AUDIENCE_ONLY finds gift cards before anything is in the cart", async () => {
    const shop = await aShop();
    const gift = await shop.code({}, { type: "GIFT_VOUCHER", discount: undefined, gift: { amount: 900 } });
    const { data } = await shop.qualify({ scenario: "AUDIENCE_ONLY", order: null });
    expect(data).toMatchObject([{ id: gift, result: { gift: { balance: 900, credits: 0 } } }]);
    expect(await shop.found({ scenario: "ALL", order: null })).toEqual([]);
  });

  const ofProducts = async () => {
    const shop = await aShop();
    const items = { included: [{ object: "product", id: "mug" }] };
    const wants_mug = shop.leaf("order.items.any", { $is: [{ object: "product", id: "mug" }] });
    const vip = shop.leaf("customer.metadata", { $is: ["gold"] }, { property: "plan" });
    const percent = { type: "PERCENT", percent_off: 10, effect: "APPLY_TO_ITEMS" };
    const [on_mug] = await shop.tiers([percent], await shop.rule({ logic: "" }, { applicable_to: items }));
    const [wanting] = await shop.tiers([{ amount_off: 5 }], await shop.rule({ "1": wants_mug, logic: "1" }));
    const [of_vip] = await shop.tiers([percent], await shop.rule({ "1": vip, logic: "1" }, { applicable_to: items }));
    await shop.tiers([{ amount_off: 7 }]);
    return { shop, on_mug, wanting, of_vip };
  };
  const mugs = { order: { items: [{ product_id: "mug", quantity: 1, price: 1000 }] } };
  const pens = { order: { items: [{ product_id: "pen", quantity: 1, price: 1000 }] } };

  test("PRODUCTS finds what discounts or wants products of the cart, whoever asks", async () => {
    const { shop, on_mug, wanting, of_vip } = await ofProducts();
    expect((await shop.found({ scenario: "PRODUCTS", ...mugs })).sort()).toEqual([on_mug, wanting, of_vip].sort());
    expect(await shop.found({ scenario: "PRODUCTS", ...pens })).toEqual([]);
  });

  test("PRODUCTS_DISCOUNT finds discounts of the cart's products alone", async () => {
    const { shop, on_mug, of_vip } = await ofProducts();
    expect((await shop.found({ scenario: "PRODUCTS_DISCOUNT", ...mugs })).sort()).toEqual([on_mug, of_vip].sort());
    expect(await shop.found({ scenario: "PRODUCTS_DISCOUNT", ...pens })).toEqual([]);
  });

  test("…_BY_CUSTOMER adds the rules about the customer", async () => {
    const { shop, on_mug, wanting, of_vip } = await ofProducts();
    const gold = { customer: { source_id: "new", metadata: { plan: "gold" } } };
    expect((await shop.found({ scenario: "PRODUCTS_BY_CUSTOMER", ...mugs })).sort()).toEqual([on_mug, wanting].sort());
    expect((await shop.found({ scenario: "PRODUCTS_BY_CUSTOMER", ...mugs, ...gold })).sort()).toEqual(
      [on_mug, wanting, of_vip].sort(),
    );
    expect(await shop.found({ scenario: "PRODUCTS_DISCOUNT_BY_CUSTOMER", ...mugs })).toEqual([on_mug]);
  });

  test("a bundle must be complete in ALL, and need not be in PRODUCTS", async () => {
    const shop = await aShop();
    const one = (id: string) =>
      shop.leaf("order.items.any", { $is: [{ object: "product", type: "product_or_sku", id }] });
    const bundle_rules = { "1": one("mug"), "2": one("pen"), limit: 1 };
    const [tier] = await shop.tiers([{ amount_off: 5 }], await shop.rule({ logic: "" }, { bundle_rules }));
    expect(await shop.found({ scenario: "ALL", ...mugs })).toEqual([]);
    const { data } = await shop.qualify({ scenario: "PRODUCTS", ...mugs });
    expect(data).toMatchObject([
      { id: tier, result: { bundle: { quantity: 0, missing: [{ id: "pen", object: "product", item_quantity: 1 }] } } },
    ]);
    expect(data[0]?.order).toMatchObject({ total_amount: 1000 });
  });

  test("PROMOTION_STACKS finds stacks, tier by tier, each tier on what the one before left", async () => {
    const shop = await aShop();
    const large = await shop.rule({ "1": shop.leaf("order.initial_amount", { $more_than: [5000] }), logic: "1" });
    const { id, tiers } = await shop.stack([{ amount_off: 300 }, { type: "PERCENT", percent_off: 10 }]);
    const ruled = await shop.stack([{ amount_off: 300 }, { amount_off: 20 }], [undefined, large]);
    const ask = (amount: number) => shop.qualify({ scenario: "PROMOTION_STACKS", order: { amount } });
    expect((await ask(6000)).data.map((one) => one.id)).toEqual([ruled.id, id]);
    const { data } = await ask(1300);
    expect(data).toMatchObject([
      {
        id,
        object: "promotion_stack",
        order: { total_amount: 900, total_applied_discount_amount: 400 },
        redeemables: [
          { id: tiers[0], object: "promotion_tier", order: { total_amount: 1000 } },
          { id: tiers[1], object: "promotion_tier", order: { total_amount: 900 } },
        ],
      },
    ]);
    expect(data).toHaveLength(1);
    expect(await shop.found({ order: { amount: 1300 }, options: { limit: 50 } })).not.toContain(id);
  });

  test("without a customer, what hangs on one is left out", async () => {
    const shop = await aShop();
    const vip = shop.leaf("customer.segment", { $is: [await shop.segment()] });
    await shop.code({}, { validation_rules: [await shop.rule({ "1": vip, logic: "1" })] });
    const { data } = await shop.qualify({});
    expect(data).toEqual([]);
  });

  test("a customer is found in segments of every kind", async () => {
    const shop = await aShop();
    const id = await shop.customer({ address: { city: "Oslo" } });
    const filters: object[] = [
      { type: "static", customers: [id] },
      { type: "passive", filter: { junction: "and", "address.city": { conditions: { $is: ["Oslo"] } } } },
      {
        type: "passive",
        filter: { junction: "and", "summary.redemptions.total_redeemed": { conditions: { $less_than: [1] } } },
      },
    ];
    for (const fields of filters) {
      const rule = await shop.rule({
        "1": shop.leaf("customer.segment", { $is: [await shop.segment(fields)] }),
        logic: "1",
      });
      const [tier] = await shop.tiers([{ amount_off: 5 }], rule);
      expect(await shop.found({ customer: { id }, options: { limit: 50 } })).toContain(tier);
      expect(await shop.found({ customer: { source_id: "nobody" }, options: { limit: 50 } })).not.toContain(
        fields === filters[2] ? "" : tier,
      );
    }
  });

  test.each([
    ["disabled", { active: false }],
    ["expired", { expiration_date: "2020-01-01T00:00:00Z" }],
    ["not started", { start_date: "2030-01-01T00:00:00Z" }],
    ["outside its days", { validity_day_of_week: [0] }],
  ])("what is %s is left out", async (_, fields) => {
    const shop = await aShop();
    await shop.code({}, fields);
    await shop.tiers([{ amount_off: 5 }], undefined, fields);
    await shop.campaign(fields);
    expect(await shop.found({})).toEqual([]);
  });

  test("used-up codes and bulk codes that nobody was given are left out", async () => {
    const shop = await aShop();
    const code = await shop.code({}, { redemption: { quantity: 1 } });
    const campaign = await shop.campaign();
    const bulk = await shop.codeOf(campaign);
    await shop.redeem(code);
    await shop.redeem(bulk);
    expect(await shop.found({})).toEqual([campaign]);
  });

  test("a code held by another with an owner-only rule is left out", async () => {
    const shop = await aShop();
    const [owner, other] = [await shop.customer(), await shop.customer()];
    const own = shop.leaf("publication.redeemable_by_linked_customer", { $is: [true] });
    const code = await shop.code({}, { validation_rules: [await shop.rule({ "1": own, logic: "1" })] }, owner);
    expect(await shop.found({ customer: { id: owner } })).toEqual([code]);
    expect(await shop.found({ customer: { id: other } })).toEqual([]);
  });

  test.each([
    ["order.amount", { $more_than: [1_000_000] }],
    ["redemption.count.per_customer", { $less_than_or_equal: [0] }],
    ["campaign.redemptions.count", { $less_than_or_equal: [0] }],
  ])("%s is not checked in any scenario", async (name, conditions) => {
    const shop = await aShop();
    const rule = await shop.rule({ "1": shop.leaf(name, conditions), logic: "1" });
    const [tier] = await shop.tiers([{ amount_off: 5 }], rule);
    expect(await shop.found({ customer: { source_id: "new" } })).toEqual([tier]);
  });

  test("each is computed alone on the cart", async () => {
    const shop = await aShop();
    await shop.code({ amount_off: 9000 });
    await shop.code({ amount_off: 8000 });
    const { data } = await shop.qualify({ order: { amount: 10_000 } });
    expect(data.map(({ order }) => order?.total_amount)).toEqual([2000, 1000]);
  });
});
