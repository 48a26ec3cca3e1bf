import { describe, expect, test } from "vitest";
import { aMember, aProgram } from "../../src/features/loyalties/loyalty.fixtures.js";
import { aRule, type Fields, off, tiersOf } from "../../src/features/promotions/promotion.fixtures.js";
import { aReward, coin, given } from "../../src/features/rewards/reward.fixtures.js";
import { request_id } from "../harness/exact-bodies.js";
import { startService } from "../harness/service.js";
import { an_order, aShop, aStockedShop, type Shop } from "./shop.fixtures.js";

const service = await startService();
const empty_list = { data: [], total: 0, data_ref: "data", object: "list" };
const validate = async ({ api }: Shop, code: string, sent: Fields = { order: an_order }, status = 200) =>
  (await api.post(`/v1/vouchers/${code}/validate`, sent, status)).body;
const redeem = async ({ api }: Shop, code: string, sent: Fields | undefined, status = 200) =>
  (await api.post(`/v1/vouchers/${code}/redemption`, sent, status)).body;

describe("validating one voucher (redemption.md §15)", () => {
  test("that is valid says what it gives and what is left to pay", async () => {
    const shop = await aShop(service);
    const campaign = { name: "Codes", campaign_type: "DISCOUNT_COUPONS", voucher: off(100) };
    const { id } = (await shop.api.post("/v1/campaigns", campaign, 200)).body;
    const dates = { start_date: "2026-01-01T00:00:00.000Z", expiration_date: "2027-01-01T00:00:00.000Z" };
    await shop.api.post(`/v1/campaigns/${id}/vouchers/ONE`, { ...dates, metadata: { shelf: "A" } }, 200);
    const session = { type: "LOCK", key: "till", ttl: 1, ttl_unit: "HOURS" };
    const body = await validate(shop, "ONE", { order: an_order, customer: { source_id: "ann" }, session });
    expect(body).toMatchObject({
      valid: true,
      code: "ONE",
      discount: { type: "AMOUNT", amount_off: 100 },
      order: { amount: 10_000, discount_amount: 100, total_amount: 9_900 },
      applicable_to: empty_list,
      inapplicable_to: empty_list,
      campaign: "Codes",
      campaign_id: id,
      ...dates,
      metadata: { shelf: "A" },
      tracking_id: expect.stringMatching(/^track_/),
      session,
    });
    for (const key of ["reason", "error"]) expect(body).not.toHaveProperty(key);
  });

  test("of a gift card takes credits at the top and tells balance and effect", async () => {
    const shop = await aShop(service);
    await shop.voucher("GIFT", { gift: { amount: 500 } });
    const body = await validate(shop, "GIFT", { order: an_order, gift: { credits: 200 } });
    expect(body).toMatchObject({
      valid: true,
      gift: { amount: 500, balance: 500, effect: "APPLY_TO_ORDER" },
      order: { discount_amount: 200, total_amount: 9_800 },
    });
  });

  test("that is not valid says why, and gives nothing", async () => {
    const shop = await aShop(service);
    await shop.voucher("OFF", { active: false });
    const body = await validate(shop, "OFF", { order: an_order, customer: { source_id: "ann" } });
    expect(body).toEqual({
      valid: false,
      code: "OFF",
      reason: "voucher is disabled",
      error: {
        code: 400,
        key: "voucher_disabled",
        message: "voucher is disabled",
        details: "OFF",
        request_id,
      },
      tracking_id: expect.stringMatching(/^track_/),
      metadata: {},
    });
  });

  test("of an unknown code is 404, from a page 200 with the reason", async () => {
    const shop = await aShop(service);
    expect(await validate(shop, "NIL", undefined, 404)).toMatchObject({ key: "not_found", resource_type: "voucher" });
    expect((await shop.page.get("/client/v1/validate?code=NIL&amount=100", 200)).body).toMatchObject({
      valid: false,
      code: "NIL",
      reason: "voucher not found",
    });
  });

  test("from a page names no credits: as many as possible", async () => {
    const shop = await aShop(service);
    await shop.voucher("GIFT", { gift: { amount: 500 } });
    const { body } = await shop.page.get("/client/v1/validate?code=GIFT&amount=10000", 200);
    expect(body).toMatchObject({ valid: true, order: { total_amount: 9_500 } });
  });
});

describe("a fault of the payload is 400, where others are 200 and not valid", () => {
  const items = [{ source_id: "mug", related_object: "product", quantity: 1 }];
  test.each<[string, number, string, (shop: Shop) => Promise<Fields>]>([
    [
      "a card without a reward",
      400,
      "missing_reward",
      async (shop) => {
        const program = await aProgram(shop, {}, 100);
        return { code: (await aMember(shop, program)).card.code, order: an_order };
      },
    ],
    ["a gift without an order", 400, "missing_order", async (shop) => shop.voucher("X", { gift: { amount: 5 } })],
    [
      "a gift without a priced line",
      400,
      "missing_order_items_amount",
      async (shop) => {
        await shop.voucher("X", { gift: { amount: 5, effect: "APPLY_TO_ITEMS" } });
        return { code: "X", order: { amount: 500, items } };
      },
    ],
    [
      "a rule of customers without a customer",
      400,
      "missing_customer",
      async (shop) => {
        const rule = await aRule(shop.api, "customer.metadata", { $is: ["gold"] }, { property: "plan" });
        await shop.voucher("X", { validation_rules: [rule] });
        return { code: "X", order: an_order };
      },
    ],
    [
      "an order without any amount",
      200,
      "missing_amount",
      async (shop) => {
        await shop.voucher("X", { gift: { amount: 5 } });
        return { code: "X", order: { items } };
      },
    ],
    [
      "more credits than there are",
      200,
      "gift_amount_exceeded",
      async (shop) => {
        await shop.voucher("X", { gift: { amount: 5 } });
        return { code: "X", order: an_order, gift: { credits: 6 } };
      },
    ],
  ])("%s: %i %s", async (_, status, key, make) => {
    const shop = await aShop(service);
    const { code, order, gift } = await make(shop);
    const body = await validate(
      shop,
      code as string,
      { ...(order ? { order } : {}), ...(gift ? { gift } : {}) },
      status,
    );
    if (status === 400) expect(body).toMatchObject({ code: 400, key, request_id });
    else expect(body).toMatchObject({ valid: false, error: { code: 400, key }, reason: body.error.message });
  });
});

describe("a message of one's own", () => {
  test("replaces the error of a validation, and stands beside that of a redemption", async () => {
    const shop = await aShop(service);
    const rule = await aRule(shop.api, "order.amount", { $more_than: [20_000] }, { error: { message: "Buy more" } });
    await shop.voucher("LARGE", { validation_rules: [rule] });
    const { ids } = await tiersOf(shop.api, [{ validation_rules: [rule] }]);
    const body = await validate(shop, "LARGE");
    expect(body).toMatchObject({ valid: false, reason: "Buy more" });
    expect(body.error).toEqual({ message: "Buy more" });
    const of_tier = (await shop.api.post(`/v1/promotions/tiers/${ids[0]}/validation`, { order: an_order }, 200)).body;
    expect(of_tier.error).toEqual({ message: "Buy more" });
    const refused = await redeem(shop, "LARGE", { order: an_order }, 400);
    expect(refused).toMatchObject({
      code: 400,
      key: "order_rules_violated",
      message: "order does not match validation rules",
      request_id,
      error: { message: "Buy more" },
    });
  });
});

describe("redeeming one voucher", () => {
  test("answers the redemption itself", async () => {
    const shop = await aStockedShop(service);
    const body = await redeem(shop, "A", { order: an_order, metadata: { till: 7 } });
    expect(body).toMatchObject({
      object: "redemption",
      result: "SUCCESS",
      order: { total_amount: 9_900, status: "PAID" },
      voucher: { code: "A", redemption: { redeemed_quantity: 1 } },
      metadata: { till: 7 },
    });
    expect(await shop.record(body.id)).toMatchObject({ id: body.id });
  });

  test("needs no body, and takes the tracking id of the query", async () => {
    const shop = await aStockedShop(service);
    const path = "/v1/vouchers/A/redemption";
    expect((await shop.api.send("POST", path, { status: 200 })).body.result).toBe("SUCCESS");
    const { body } = await shop.api.send("POST", `${path}?tracking_id=ann`, { status: 200 });
    expect(body.customer.source_id).toBe("ann");
  });

  test("that fails names its record", async () => {
    const shop = await aStockedShop(service);
    const { resource_id, resource_type } = await redeem(shop, "OFF", { order: an_order }, 400);
    expect(resource_type).toBe("redemption");
    expect(await shop.record(resource_id)).toMatchObject({ result: "FAILURE", failure_code: "voucher_disabled" });
  });
});

test("vouchers that qualify: standalone ones, fifty at most, as many and in the order as asked", async () => {
  const shop = await aStockedShop(service);
  const { body } = await shop.api.post("/v1/vouchers/qualification?limit=2&order=created_at", { order: an_order }, 200);
  const codesIn = ({ data = [] }: { data?: { code: string }[] }) => data.map(({ code }) => code);
  expect(codesIn(body)).toHaveLength(2);
  const all = (await shop.api.post("/v1/vouchers/qualification?limit=50", { order: an_order }, 200)).body;
  expect(new Set(codesIn(all))).toEqual(new Set(["A", "B", "C"]));
  await shop.api.post("/v1/vouchers/qualification?limit=51", { order: an_order }, 400);
});

test.each(["/v1/loyalties/members/CARD/redemption", "/v1/loyalties/PROGRAM/members/CARD/redemption"])(
  "one loyalty card of a member, by %s, whose holder it is",
  async (path) => {
    const shop = await aShop(service);
    const program = await aProgram(shop, {}, 700);
    const reward = await aReward(shop, coin(40, 5));
    await given(shop, program, reward);
    const { card } = await aMember(shop, program);
    const url = path.replace("CARD", card.code).replace("PROGRAM", program.id);
    const sent = { reward: { id: reward.id, points: 80 }, order: an_order, metadata: { till: 7 } };
    const { body } = await shop.api.post(url, sent, 200);
    expect(body).toMatchObject({
      object: "redemption",
      amount: 80,
      customer_id: card.holder_id,
      order: { total_amount: 9_000 },
      metadata: { till: 7 },
    });
    expect((await shop.api.post(url, { order: an_order }, 400)).body).toMatchObject({ key: "missing_reward" });
  },
);
