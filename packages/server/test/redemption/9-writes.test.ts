import { describe, expect, test } from "vitest";
import { aMember, aProgram } from "../../src/features/loyalties/loyalty.fixtures.js";
import { type Fields, off, tiersOf } from "../../src/features/promotions/promotion.fixtures.js";
import { aReward, coin, given } from "../../src/features/rewards/reward.fixtures.js";
import { startService } from "../harness/service.js";
import { grownSince, storedOf } from "../harness/stored.js";
import { an_order, aShop, aStockedShop, asked, type Shop } from "./shop.fixtures.js";

const service = await startService();
const customerOf = async ({ api }: Shop, name: string) => (await api.get(`/v1/customers/${name}`, 200)).body;
const transactionsOf = async ({ api }: Shop, code: string) =>
  (await api.get(`/v1/vouchers/${code}/transactions`, 200)).body.data;

describe("the customer of a redemption (redemption.md §9)", () => {
  test("is created from what was sent", async () => {
    const shop = await aStockedShop(service);
    const profile = { source_id: "ann", name: "Ann", email: "ann@shop.example", phone: "1", metadata: { vip: true } };
    await shop.redeem(["A"], { order: an_order, customer: { ...profile, address: { city: "Rome" } } });
    expect(await customerOf(shop, "ann")).toMatchObject({ ...profile, address: { city: "Rome" } });
  });

  test.each(["id", "source_id"])("is updated by %s: what was sent changes, the rest stays", async (by) => {
    const shop = await aStockedShop(service);
    const sent = { source_id: "ann", name: "Ann", phone: "1", metadata: { vip: true, since: 2020 } };
    const ann = (await shop.api.post("/v1/customers", sent, 200)).body;
    await shop.redeem(["A"], { order: an_order, customer: { [by]: ann[by], name: "Anna", metadata: { vip: false } } });
    expect(await customerOf(shop, "ann")).toMatchObject({
      id: ann.id,
      name: "Anna",
      phone: "1",
      metadata: { vip: false, since: 2020 },
    });
    expect((await shop.api.get("/v1/customers", 200)).body.total).toBe(1);
  });

  test("sees what it redeemed in its summary", async () => {
    const shop = await aStockedShop(service);
    await shop.voucher("GIFT", { gift: { amount: 500 } });
    const customer = { source_id: "ann" };
    await shop.redeem(["A"], { order: { amount: 4_100 }, customer });
    service.clock.advance({ minutes: 1 });
    await shop.redeem([asked("GIFT", { gift: { credits: 300 } })], { order: { amount: 1_300 }, customer });
    await shop.redeem(["OFF"], { order: an_order, customer }, 400);
    await service.runDue();
    expect((await customerOf(shop, "ann")).summary).toMatchObject({
      redemptions: { total_redeemed: 2, total_succeeded: 2, total_failed: 1, gift: { redeemed_amount: 300 } },
      orders: {
        total_amount: 5_000,
        total_count: 2,
        average_amount: 2_500,
        last_order_amount: 1_000,
        last_order_date: new Date(service.clock.now()).toISOString(),
      },
    });
  });
});

test("the order has its amounts, lines, status and customer, and whoever referred them", async () => {
  const shop = await aStockedShop(service);
  await shop.api.post("/v1/customers", { source_id: "bob" }, 200);
  const items = [{ source_id: "mug", related_object: "product", quantity: 2, price: 500, metadata: { colour: "red" } }];
  const sent = { source_id: "cart", items, metadata: { till: 1 }, referrer: { source_id: "bob" } };
  const { redemptions, order } = await shop.redeem(["A"], { order: sent, customer: { source_id: "ann" } });
  const stored = (await shop.api.get("/v1/orders/cart", 200)).body;
  expect(stored).toMatchObject({
    id: order.id,
    status: "PAID",
    amount: 1_000,
    initial_amount: 1_000,
    discount_amount: 100,
    total_discount_amount: 100,
    total_amount: 900,
    items: [{ source_id: "mug", quantity: 2, price: 500, amount: 1_000, metadata: { colour: "red" } }],
    metadata: { till: 1 },
    customer_id: (await customerOf(shop, "ann")).id,
    referrer_id: (await customerOf(shop, "bob")).id,
  });
  expect(Object.keys(stored.redemptions)).toEqual([redemptions[0].id]);
});

test("the rows: a parent and a child for each, a single one without parent", async () => {
  const shop = await aStockedShop(service);
  const rowsAfter = async (codes: string[]) => {
    const before = await storedOf(service.context, shop.id);
    await shop.redeem(codes);
    return grownSince(before, await storedOf(service.context, shop.id)).redemptions;
  };
  expect(await rowsAfter(["A"])).toBe(1);
  expect(await rowsAfter(["A", "B"])).toBe(3);
  const { redemptions } = (await shop.api.get("/v1/redemptions?result=SUCCESS", 200)).body;
  expect(redemptions).toHaveLength(4);
});

describe("what a voucher counts", () => {
  test("a discount: how often", async () => {
    const shop = await aStockedShop(service);
    for (let i = 0; i < 2; i += 1) await shop.redeem(["A"]);
    expect((await shop.read("A")).redemption).toMatchObject({ redeemed_quantity: 2 });
  });

  test("a gift card: how often, how much and what is left, with a transaction", async () => {
    const shop = await aShop(service);
    const { id } = await shop.voucher("GIFT", { gift: { amount: 500 } });
    const sent = { order: { source_id: "cart", amount: 300 } };
    const { redemptions, order } = await shop.redeem(["GIFT"], sent);
    expect(await shop.read("GIFT")).toMatchObject({
      gift: { amount: 500, subtracted_amount: 0, balance: 200 },
      redemption: { redeemed_quantity: 1, redeemed_amount: 300 },
    });
    const [transaction] = await transactionsOf(shop, "GIFT");
    expect(transaction).toMatchObject({
      id: expect.stringMatching(/^vtx_/),
      type: "CREDITS_REDEMPTION",
      voucher_id: id,
      campaign_id: null,
      source_id: null,
      source: null,
      reason: null,
      details: {
        balance: {
          type: "gift_voucher",
          total: 500,
          amount: -300,
          balance: 200,
          object: "balance",
          related_object: { type: "voucher", id },
        },
        order: { id: order.id, source_id: "cart" },
        redemption: { id: redemptions[0].id },
      },
    });
  });

  test("a loyalty card: how often, how many points and what is left, with a transaction", async () => {
    const shop = await aShop(service);
    const program = await aProgram(shop, {}, 700);
    const reward = await aReward(shop, coin(40, 5));
    await given(shop, program, reward);
    const { card } = await aMember(shop, program);
    const sent = asked(card.code, { reward: { id: reward.id, points: 80 } });
    const { redemptions, order } = await shop.redeem([sent], { order: an_order, customer: { id: card.holder_id } });
    expect(await shop.read(card.code)).toMatchObject({
      loyalty_card: { points: 700, balance: 620 },
      redemption: { redeemed_quantity: 1, redeemed_points: 80 },
    });
    const [transaction] = await transactionsOf(shop, card.code);
    expect(transaction).toMatchObject({
      type: "POINTS_REDEMPTION",
      campaign_id: program.id,
      details: {
        balance: { type: "loyalty_card", total: 700, points: -80, balance: 620, object: "balance" },
        order: { id: order.id, source_id: null },
        redemption: { id: redemptions[0].id },
      },
    });
    const { summary } = (await shop.api.get(`/v1/customers/${card.holder_id}`, 200)).body;
    expect(summary.redemptions.loyalty_card).toMatchObject({ redeemed_points: 80, points_to_go: 620 });
  });
});

test("a tier counts redemptions, order amounts and its own discounts", async () => {
  const shop = await aShop(service);
  const [first, second] = (await tiersOf(shop.api, [{}, {}])).ids as [string, string];
  const both = [first, second].map((id) => ({ object: "promotion_tier", id }));
  await shop.redeem(both, { order: { amount: 10_000 } });
  await shop.redeem([both[1] as Fields], { order: { amount: 5_000 } });
  const summaryOf = async (id: string) => (await shop.api.get(`/v1/promotions/tiers/${id}`, 200)).body.summary;
  expect((await summaryOf(first)).redemptions.total_redeemed).toBe(1);
  expect((await summaryOf(first)).orders.total_discount_amount).toBe(100);
  expect((await summaryOf(second)).redemptions.total_redeemed).toBe(2);
  expect((await summaryOf(second)).orders.total_discount_amount).toBe(400);
});

test.each([
  ["campaign.redemptions.count", { $less_than_or_equal: [1] }],
  ["campaign.orders.amount", { $less_than_or_equal: [15_000] }],
  ["campaign.orders.amount_discounted", { $less_than_or_equal: [150] }],
])("a campaign's budget %s is used up by whoever redeems", async (name, conditions) => {
  const shop = await aShop(service);
  const rule = { name: "budget", rules: { 1: { name, conditions }, logic: "1" } };
  const { id } = (await shop.api.post("/v1/validation-rules", rule, 200)).body;
  const tier = { name: "one", action: off(100), validation_rules: [id] };
  const campaign = { name: "Budget", campaign_type: "PROMOTION", promotion: { tiers: [tier] } };
  const [made] = (await shop.api.post("/v1/campaigns", campaign, 200)).body.promotion.tiers;
  const sent = [{ object: "promotion_tier", id: made.id }];
  await shop.redeem(sent);
  expect(await shop.redeem(sent, undefined, 400)).toMatchObject({ key: "redemption_rules_violated" });
});

test("the request's session is gone from these vouchers, and stays on others", async () => {
  const shop = await aStockedShop(service);
  const session = { type: "LOCK", key: "till" };
  await shop.validate(["A", "B"], { order: an_order, session });
  await shop.redeem(["A"], { order: an_order, session });
  await shop.api.delete("/v1/vouchers/A/sessions/till", 404);
  await shop.api.delete("/v1/vouchers/B/sessions/till", 204);
});

describe("redeemed at once", () => {
  test("a voucher of quantity 1: exactly one succeeds", async () => {
    const shop = await aShop(service);
    await shop.voucher("ONCE", { redemption: { quantity: 1 } });
    const sent = { redeemables: [asked("ONCE")], order: an_order };
    const answers = await Promise.all(Array.from({ length: 8 }, () => shop.api.post("/v1/redemptions", sent)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const keys = answers.filter(({ status }) => status !== 200).map(({ body }) => body.key);
    for (const key of keys) expect(["quantity_exceeded", "multiple_requests"]).toContain(key);
    expect((await shop.read("ONCE")).redemption.redeemed_quantity).toBe(1);
  });

  test("with another that fails: neither is redeemed", async () => {
    const shop = await aStockedShop(service);
    await shop.voucher("ONCE", { redemption: { quantity: 1 } });
    const sent = { redeemables: [asked("A"), asked("ONCE")], order: an_order };
    const answers = await Promise.all(Array.from({ length: 6 }, () => shop.api.post("/v1/redemptions", sent)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await shop.read("A")).redemption.redeemed_quantity).toBe(1);
    const { redemptions } = (await shop.api.get("/v1/redemptions?result=SUCCESS&limit=100", 200)).body;
    expect(redemptions).toHaveLength(3);
  });
});

test("the same request again is another redemption", async () => {
  const shop = await aStockedShop(service);
  const [first, second] = [await shop.redeem(["A"]), await shop.redeem(["A"])];
  expect(second.redemptions[0].id).not.toBe(first.redemptions[0].id);
  expect(second.order.id).not.toBe(first.order.id);
  expect((await shop.read("A")).redemption.redeemed_quantity).toBe(2);
});
