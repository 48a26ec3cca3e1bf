import { describe, expect, test } from "vitest";
import { aStack, askingFor, type Fields, idsOf, tiersOf } from "../../src/features/promotions/promotion.fixtures.js";
import { request_id } from "../harness/exact-bodies.js";
import { startService } from "../harness/service.js";
import { an_order, aShop, aStockedShop } from "./shop.fixtures.js";

const service = await startService();
const partial = { redeemables_application_mode: "PARTIAL" };
interface Record_ {
  id: string;
  voucher?: { code: string };
}
const codesOf = (records: Record_[]) => records.map(({ voucher }) => voucher?.code);
const failuresOf = async ({ api }: { api: typeof service.api }) =>
  (await api.get("/v1/redemptions?result=FAILURE", 200)).body.redemptions;

describe("what a redemption comes to (redemption.md §8)", () => {
  test.each<[string, Fields | undefined, string[], string[], string[], string[]]>([
    ["ALL, all apply", undefined, ["A", "B"], ["A", "B"], [], []],
    ["ALL, one is too many", { applicable_redeemables_limit: 2 }, ["A", "B", "C"], ["A", "B"], [], ["C"]],
    ["PARTIAL, one does not apply", partial, ["OFF", "A", "B"], ["A", "B"], ["OFF"], []],
    [
      "PARTIAL, one does not apply and one is too many",
      { ...partial, applicable_redeemables_limit: 1 },
      ["OFF", "A", "B"],
      ["A"],
      ["OFF"],
      ["B"],
    ],
  ])("%s: 200, and only what applies is redeemed", async (_, rules, codes, redeemed, inapplicable, skipped) => {
    const shop = await aStockedShop(service, rules);
    const body = await shop.redeem(codes);
    expect(codesOf(body.redemptions)).toEqual(redeemed);
    expect(idsOf(body.inapplicable_redeemables)).toEqual(inapplicable);
    expect(idsOf(body.skipped_redeemables)).toEqual(skipped);
    // A parent stands for two or more; one that is redeemed alone has none, however many were asked for.
    expect("parent_redemption" in body).toBe(redeemed.length > 1);
    for (const code of codes)
      expect((await shop.read(code)).redemption.redeemed_quantity).toBe(redeemed.includes(code) ? 1 : 0);
    expect(await failuresOf(shop)).toEqual([]);
  });

  test.each<[string, string[], number, Fields]>([
    ["that is not usable", ["A", "OFF", "NOWHERE"], 400, { key: "voucher_disabled", resource_type: "redemption" }],
    [
      "that is not known",
      ["A", "NOWHERE", "OFF"],
      404,
      { key: "not_found", resource_type: "voucher", resource_id: "NOWHERE" },
    ],
  ])(
    "ALL: the error is that of the first %s, nothing is redeemed, one failure is on record",
    async (_, codes, status, error) => {
      const shop = await aStockedShop(service);
      expect(await shop.redeem(codes, undefined, status)).toMatchObject({ code: status, ...error });
      expect((await shop.read("A")).redemption.redeemed_quantity).toBe(0);
      expect((await shop.api.get("/v1/orders", 200)).body.total).toBe(0);
      expect(await failuresOf(shop)).toMatchObject([{ failure_code: error.key }]);
    },
  );

  test.each<[string, Fields, string[], Fields, string[], string[]]>([
    ["PARTIAL, none applies", partial, ["OFF", "OUT"], an_order, ["OFF", "OUT"], []],
    ["ALL, all are skipped", { redeemables_no_effect_rule: "SKIP" }, ["A", "B"], { amount: 0 }, [], ["A", "B"]],
  ])("%s: 400, with all of them beside the error", async (_, rules, codes, order, inapplicable, skipped) => {
    const shop = await aStockedShop(service, rules);
    const { inapplicable_redeemables, skipped_redeemables, ...error } = await shop.redeem(codes, { order }, 400);
    expect(error).toEqual({
      code: 400,
      key: "no_applicable_redeemables",
      message: "No applicable redeemables",
      details: expect.any(String),
      request_id,
      resource_id: expect.stringMatching(/^rf_/),
      resource_type: "redemption",
    });
    expect([idsOf(inapplicable_redeemables), idsOf(skipped_redeemables)]).toEqual([inapplicable, skipped]);
    expect(await failuresOf(shop)).toMatchObject([{ id: error.resource_id, failure_code: error.key, voucher: null }]);
  });

  test("a stack is redeemed tier by tier, each under the same parent", async () => {
    const shop = await aShop(service);
    const stack = await aStack(shop.api);
    const { redemptions, parent_redemption } = (await shop.api.post("/v1/redemptions", askingFor(stack), 200)).body;
    expect(redemptions.map((one: { promotion_tier: { id: string } }) => one.promotion_tier.id)).toEqual(stack.tiers);
    for (const one of redemptions) expect(one.redemption).toBe(parent_redemption.id);
    for (const id of stack.tiers) {
      const { summary } = (await shop.api.get(`/v1/promotions/tiers/${id}`, 200)).body;
      expect(summary.redemptions.total_redeemed).toBe(1);
    }
  });
});

describe("a redemption", () => {
  test("alone: whose, when, by which key and of what, with the order as it is stored", async () => {
    const shop = await aStockedShop(service);
    const { id } = await shop.read("A");
    const customer = { source_id: "ann", name: "Ann", email: "ann@shop.example", metadata: { vip: true } };
    const sent = { order: an_order, customer, metadata: { till: 7 }, options: { expand: ["redemption"] } };
    const { redemptions, order } = await shop.redeem(["A"], sent);
    const [redemption] = redemptions;
    expect(redemption).toMatchObject({
      id: expect.stringMatching(/^r_/),
      object: "redemption",
      date: new Date(service.clock.now()).toISOString(),
      customer_id: order.customer_id,
      customer: { id: order.customer_id, ...customer, object: "customer" },
      tracking_id: expect.stringMatching(/^track_/),
      metadata: { till: 7 },
      result: "SUCCESS",
      status: "SUCCEEDED",
      order: { id: order.id, status: "PAID", amount: 10_000, total_amount: 9_900 },
      channel: { channel_id: shop.app_id, channel_type: "API" },
      related_object_type: "voucher",
      related_object_id: id,
      voucher: { id, code: "A", redemption: { redeemed_quantity: 1 } },
    });
    expect(redemption.redemption).toBeNull();
    for (const key of ["amount", "failure_code", "session"]) expect(redemption).not.toHaveProperty(key);
    const { metadata } = await shop.record(redemption.id);
    expect(metadata).toEqual({ till: 7 });
  });

  test("of nobody is nobody's", async () => {
    const shop = await aStockedShop(service);
    const [redemption] = (await shop.redeem(["A"])).redemptions;
    expect(await shop.record(redemption.id)).toMatchObject({ customer_id: null, customer: null, tracking_id: null });
  });

  test("under a parent: a child shows what it left of the order, without status and customer; the parent all of it", async () => {
    const shop = await aStockedShop(service);
    const sent = { order: an_order, customer: { source_id: "ann" } };
    const { redemptions, parent_redemption, order } = await shop.redeem(["A", "B"], sent);
    for (const child of redemptions) {
      expect(child).toMatchObject({ redemption: parent_redemption.id, related_object_type: "voucher" });
      expect(child.order).not.toHaveProperty("status");
      expect(child.order).not.toHaveProperty("customer");
    }
    expect(redemptions[0].order).toMatchObject({ total_amount: 9_900, applied_discount_amount: 100 });
    const parent = await shop.record(parent_redemption.id);
    expect(parent).toMatchObject({
      related_object_type: "redemption",
      related_object_id: parent_redemption.id,
      result: "SUCCESS",
      order: { id: order.id, status: "PAID", total_amount: 9_800, applied_discount_amount: 200 },
    });
    expect([parent.voucher ?? null, parent.promotion_tier ?? null]).toEqual([null, null]);
    expect(parent.redemption).toBeNull();
  });

  test("of a gift card says its amount, and shows the balance after it", async () => {
    const shop = await aShop(service);
    await shop.voucher("GIFT", { gift: { amount: 500 } });
    const [redemption] = (await shop.redeem(["GIFT"], { order: { amount: 300 } })).redemptions;
    expect(redemption).toMatchObject({
      amount: 300,
      gift: { amount: 300 },
      voucher: { gift: { balance: 200 }, redemption: { redeemed_quantity: 1, redeemed_amount: 300 } },
    });
  });

  test("of a tier shows it and its campaign", async () => {
    const shop = await aShop(service);
    const { campaign_id, ids } = await tiersOf(shop.api, [{ name: "Ten off", banner: "Ten!" }]);
    const [id] = ids;
    const [redemption] = (await shop.redeem([{ object: "promotion_tier", id }])).redemptions;
    expect(redemption).toMatchObject({
      related_object_type: "promotion_tier",
      related_object_id: id,
      promotion_tier: { id, name: "Ten off", banner: "Ten!", campaign: { id: campaign_id } },
    });
    expect(redemption.voucher ?? null).toBeNull();
  });

  test("with a session names its key", async () => {
    const shop = await aStockedShop(service);
    const session = { type: "LOCK", key: "till" };
    await shop.validate(["A"], { order: an_order, session });
    const [redemption] = (await shop.redeem(["A"], { order: an_order, session })).redemptions;
    expect(redemption.session).toMatchObject({ key: "till" });
  });

  test("that was rolled back says by what, and the rollback of what", async () => {
    const shop = await aStockedShop(service);
    const [redemption] = (await shop.redeem(["A"])).redemptions;
    const rollback = (await shop.api.post(`/v1/redemptions/${redemption.id}/rollback`, {}, 200)).body;
    expect(await shop.record(redemption.id)).toMatchObject({
      result: "SUCCESS",
      status: "ROLLED_BACK",
      related_redemptions: { rollbacks: [{ id: rollback.id, date: rollback.date }] },
    });
    expect(await shop.record(rollback.id)).toMatchObject({ redemption: redemption.id });
  });
});

describe("an order's map of redemptions", () => {
  test("has a single one under its own id, with the campaign as parent", async () => {
    const shop = await aShop(service);
    const { campaign_id, ids } = await tiersOf(shop.api, [{}]);
    const { redemptions, order } = await shop.redeem([{ object: "promotion_tier", id: ids[0] }]);
    expect(order.redemptions).toEqual({
      [redemptions[0].id]: {
        date: redemptions[0].date,
        related_object_type: "promotion_tier",
        related_object_id: ids[0],
        related_object_parent_id: campaign_id,
      },
    });
  });

  test("has several under their parent, the children in order", async () => {
    const shop = await aStockedShop(service);
    const { redemptions, parent_redemption, order } = await shop.redeem(["B", "A"]);
    expect(order.redemptions).toEqual({
      [parent_redemption.id]: {
        date: parent_redemption.date,
        related_object_type: "redemption",
        related_object_id: parent_redemption.id,
        stacked: idsOf(redemptions),
      },
    });
  });
});

describe("the order of a redemption", () => {
  test.each<[string, Fields, string]>([
    ["new, PAID", { amount: 500 }, "PAID"],
    ["new, as the request says", { amount: 500, status: "CREATED" }, "CREATED"],
  ])("is %s", async (_, sent, status) => {
    const shop = await aStockedShop(service);
    const { order } = await shop.redeem(["A"], { order: sent });
    expect(order.status).toBe(status);
    expect((await shop.api.get(`/v1/orders/${order.id}`, 200)).body).toMatchObject({ status, total_amount: 400 });
  });

  test("that is stored becomes PAID", async () => {
    const shop = await aStockedShop(service);
    const { id } = (await shop.api.post("/v1/orders", { source_id: "cart", amount: 500 }, 200)).body;
    for (const named of [{ id }, { source_id: "cart" }])
      expect((await shop.redeem(["A"], { order: named })).order).toMatchObject({ id, status: "PAID" });
    expect((await shop.api.get("/v1/orders", 200)).body.total).toBe(1);
  });

  test("is none where none was sent", async () => {
    const shop = await aStockedShop(service);
    const body = await shop.redeem(["A"], { customer: { source_id: "ann" } });
    expect([body.order ?? null, body.redemptions[0].order ?? null]).toEqual([null, null]);
    expect((await shop.api.get("/v1/orders", 200)).body.total).toBe(0);
    expect((await shop.read("A")).redemption.redeemed_quantity).toBe(1);
  });
});
