import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { aRule, aStack, askingFor, type Fields, idsOf, type Stack } from "../promotions/promotion.fixtures.js";

const { api } = await startService();

const validate = async (stack: { id: string }, more: Fields = {}) =>
  (await api.post("/v1/validations", askingFor(stack, more))).body;
const redeem = (stack: { id: string }, more: Fields = {}, status?: number) =>
  api.post("/v1/redemptions", askingFor(stack, more), status);
const atMost = (name: string, limit: number) => aRule(api, name, { $less_than_or_equal: [limit] });

describe("a stack that is redeemed", () => {
  test("has a parent and a child for each tier, and the order names them", async () => {
    const { id, campaign_id, tiers } = await aStack(api, [{}, {}]);
    const { body } = await redeem({ id }, { customer: { source_id: "stacker" } }, 200);
    const { parent_redemption, redemptions, order } = body;
    expect(parent_redemption).toMatchObject({
      related_object_type: "redemption",
      related_object_id: parent_redemption.id,
      voucher: null,
      promotion_tier: null,
      order: { total_amount: 9700, total_applied_discount_amount: 300, status: "PAID" },
    });
    expect(redemptions).toMatchObject(
      tiers.map((tier) => ({
        redemption: parent_redemption.id,
        related_object_type: "promotion_tier",
        related_object_id: tier,
        promotion_tier: { id: tier, campaign: { id: campaign_id } },
        voucher: null,
      })),
    );
    expect(order.redemptions).toEqual({
      [parent_redemption.id]: {
        date: parent_redemption.date,
        related_object_type: "redemption",
        related_object_id: parent_redemption.id,
        stacked: idsOf(redemptions),
      },
    });
    expect((await api.get(`/v1/redemptions/${parent_redemption.id}`, 200)).body).toEqual(parent_redemption);
  });

  test("of one tier is a redemption without a parent", async () => {
    const stack = await aStack(api, [{}]);
    const { body } = await redeem(stack, {}, 200);
    expect(body.parent_redemption).toBeUndefined();
    expect(body.redemptions).toMatchObject([{ redemption: null, related_object_id: stack.tiers[0] }]);
  });

  test("counts once for each tier, and a rollback of the whole takes that back", async () => {
    const stack = await aStack(api, [{}, {}]);
    const redeemedOf = async (id = "") =>
      (await api.get(`/v1/promotions/tiers/${id}`, 200)).body.summary.redemptions.total_redeemed;
    const [first, second] = stack.tiers;
    const { parent_redemption, redemptions, order } = (await redeem(stack, {}, 200)).body;
    expect([await redeemedOf(first), await redeemedOf(second)]).toEqual([1, 1]);

    const child = await api.post(`/v1/redemptions/${redemptions[0].id}/rollback`, {}, 400);
    expect(child.body.key).toBe("invalid_redemption_parent");
    const { body } = await api.post(`/v1/redemptions/${parent_redemption.id}/rollbacks`, {}, 200);
    expect(body.rollbacks.map(({ redemption }: { redemption: string }) => redemption)).toEqual(idsOf(redemptions));
    expect(body.parent_rollback).toMatchObject({ redemption: parent_redemption.id, result: "SUCCESS" });
    expect([await redeemedOf(first), await redeemedOf(second)]).toEqual([0, 0]);
    expect((await api.get(`/v1/orders/${order.id}`, 200)).body).toMatchObject({ status: "CANCELED" });
  });

  test("judges a rule of each tier on what the tiers before it left", async () => {
    const rule = await aRule(api, "order.amount", { $more_than: [9950] });
    const stack = await aStack(api, [{}, { validation_rules: [rule] }]);
    const { redeemables } = await validate(stack);
    expect(redeemables[1].result.error).toMatchObject({
      key: "order_rules_violated",
      details: `Promotion Tier cannot be redeemed because of violated validation rules: ${rule}`,
    });
    await api.put(
      `/v1/promotions/${stack.campaign_id}/stacks/${stack.id}`,
      { tiers: { ids: [...stack.tiers].reverse() } },
      200,
    );
    expect((await validate(stack)).valid).toBe(true);
  });

  test("asks for the segments of its tiers' rules", async () => {
    const filter = { "metadata.plan": { conditions: { $is: ["gold"] } }, junction: "and" };
    const segment = (await api.post("/v1/segments", { name: "Gold", type: "auto-update", filter }, 200)).body;
    const rule = await aRule(api, "customer.segment", { $is: [segment.id] });
    const stack = await aStack(api, [{}, { validation_rules: [rule] }]);
    const of = async (plan: string) =>
      (await validate(stack, { customer: { source_id: plan, metadata: { plan } } })).valid;
    expect([await of("gold"), await of("tin")]).toEqual([true, false]);
  });

  test("gives the units that its tiers give", async () => {
    const product = (await api.post("/v1/products", { name: "Mug", price: 700 }, 200)).body;
    const discount = { type: "UNIT", effect: "ADD_NEW_ITEMS", unit_off: 1, unit_type: product.id };
    const stack = await aStack(api, [{}, { action: { discount } }]);
    const { order } = await validate(stack, { order: { items: [{ quantity: 1, price: 5000 }] } });
    expect(order.items).toMatchObject([{}, { product_id: product.id, quantity: 1, amount: 700 }]);
  });
});

describe("sixty-four redemptions of a stack at once", () => {
  const rush = async (stack: Stack, customer?: Fields) => {
    const answers = await Promise.all(Array.from({ length: 64 }, () => redeem(stack, customer ? { customer } : {})));
    for (const { status, body } of answers) {
      if (status !== 200) expect(body).toMatchObject({ code: 400, key: "redemption_rules_violated" });
    }
    return answers.filter(({ status }) => status === 200);
  };
  const totalOf = async (id = "") =>
    (await api.get(`/v1/promotions/tiers/${id}`, 200)).body.summary.redemptions.total_redeemed;

  test("end exactly at a limit of one of its tiers, and no other tier is redeemed more often", async () => {
    const stack = await aStack(api, [{}, { validation_rules: [await atMost("redemption.count", 7)] }]);
    expect(await rush(stack)).toHaveLength(7);
    expect([await totalOf(stack.tiers[0]), await totalOf(stack.tiers[1])]).toEqual([7, 7]);
  });

  test("end exactly at the limit of their campaign, which counts every tier", async () => {
    const stack = await aStack(api, [{}, {}]);
    const rule = await atMost("campaign.redemptions.count", 22);
    const related = { related_object_id: stack.campaign_id, related_object_type: "campaign" };
    await api.post(`/v1/validation-rules/${rule}/assignments`, related, 200);
    expect(await rush(stack)).toHaveLength(11);
    expect([await totalOf(stack.tiers[0]), await totalOf(stack.tiers[1])]).toEqual([11, 11]);
  });

  test("end exactly at a customer's limit", async () => {
    const stack = await aStack(api, [{}, { validation_rules: [await atMost("redemption.count.per_customer", 3)] }]);
    expect(await rush(stack, { source_id: "eager" })).toHaveLength(3);
    expect(await totalOf(stack.tiers[0])).toBe(3);
  });

  test("end exactly at the limit, however many tiers a stack has", async () => {
    const limited = { validation_rules: [await atMost("redemption.count", 5)] };
    const stack = await aStack(
      api,
      Array.from({ length: 30 }, () => limited),
    );
    expect(await rush(stack)).toHaveLength(5);
    for (const id of stack.tiers.slice(0, 5)) expect(await totalOf(id)).toBe(5);
    expect(await totalOf(stack.tiers[5])).toBe(0);
  });
});
