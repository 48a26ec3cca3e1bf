import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { aReward, given } from "../../rewards/reward.fixtures.js";
import { aMember, aName, aProgram, aProgramThatPays, pointsOn } from "../loyalty.fixtures.js";

const service = await startService();
const { api, runDue } = service;

/** A member with 150 points of a program that gives a mug for 40 points, and takes 10 points for 1.00. */
async function aMemberIn(mappingsOf: (mug: string, coin: string, rule: string) => object) {
  const program = await aProgram(service, {}, 150);
  const mug = await aReward(service);
  const for_mug = await given(service, program, mug, 40);
  const parameters = { coin: { exchange_ratio: 1, points_ratio: 10 } };
  const { body: coin } = await api.post("/v1/rewards", { name: "Coin", parameters }, 200);
  const assigned = { campaign: program.id, validation_rules: [] };
  const { body: for_coin } = await api.post(`/v1/rewards/${coin.id}/assignments`, assigned, 200);
  const order_rule = {
    event: "order.paid",
    loyalty: { type: "PROPORTIONAL", calculation_type: "ORDER_AMOUNT", order: { amount: { every: 700, points: 3 } } },
  };
  const { body: rules } = await api.post(
    `/v1/loyalties/${program.id}/earning-rules`,
    [order_rule, { event: "order.paid", loyalty: { type: "FIXED", points: 100 } }],
    200,
  );
  const url = `/v1/loyalties/${program.id}/tiers`;
  const tier = { name: "Silver", points: { from: 100 }, ...mappingsOf(for_mug.id, for_coin.id, rules[0].id) };
  const tier_id = (await api.post(url, [tier], 200)).body[0].id as string;
  const { card, source_id } = await aMember(service, program);
  await runDue();
  const asked = (reward: { id: string; points?: number }, order?: object) => ({
    redeemables: [{ object: "voucher", id: card.code, reward }],
    customer: { source_id },
    ...(order ? { order } : {}),
  });
  return {
    ...{ program, mug, coin, card, source_id, tier_id, rules, url: `${url}/${tier_id}`, asked },
    prices: async (path = `/v1/loyalties/members/${card.id}/rewards`) =>
      Object.fromEntries(
        (await api.get(path, 200)).body.data.map(
          (entry: { reward: { id: string }; assignment: { parameters?: { loyalty: { points: number } } } }) => [
            entry.reward.id === mug.id ? "mug" : "coin",
            entry.assignment.parameters?.loyalty.points ?? null,
          ],
        ),
      ),
  };
}

const half = { type: "MULTIPLY", multiplier: 0.5 };
const nothing = { type: "MULTIPLY", multiplier: 0 };
const custom = (points: number) => ({ type: "CUSTOM", points });

describe("what a reward costs in a member's tier", () => {
  test("is said to the member, and paid", async () => {
    const of = await aMemberIn((mug) => ({ rewards: { [mug]: half } }));
    expect(await of.prices()).toEqual({ coin: null, mug: 20 });
    expect(await of.prices(`${of.url}/rewards`)).toEqual({ coin: null, mug: 20 });
    const { body: valid } = await api.post("/v1/validations", of.asked({ id: of.mug.id }), 200);
    expect(valid.redeemables[0].result.loyalty_card).toEqual({ points: 20 });
    const { body } = await api.post("/v1/redemptions", of.asked({ id: of.mug.id }), 200);
    expect(body.redemptions[0]).toMatchObject({
      amount: 20,
      loyalty_card: { points: 20 },
      reward: { id: of.mug.id, loyalty_tier_id: of.tier_id },
    });
    await api.post(`/v1/redemptions/${body.redemptions[0].id}/rollback`, {}, 200);
    const { loyalty_card } = (await api.get(`/v1/loyalties/members/${of.card.id}`, 200)).body;
    expect(loyalty_card).toMatchObject({ balance: 150, points: 150 });
  });

  test("is what all others pay where nothing is said, and where the member is in no tier", async () => {
    const of = await aMemberIn(() => ({}));
    expect(await of.prices()).toEqual({ coin: null, mug: 40 });
    const other = await aMemberIn((mug) => ({ rewards: { [mug]: half }, points: { from: 200 } }));
    expect(await other.prices()).toEqual({ coin: null, mug: 40 });
    const { body } = await api.post("/v1/redemptions", other.asked({ id: other.mug.id }), 200);
    expect(body.redemptions[0]).toMatchObject({ amount: 40, reward: { loyalty_tier_id: null } });
  });

  test("is said of the assignment before it is said of the reward", async () => {
    const of = await aMemberIn((mug) => ({ rewards: { [mug]: custom(7) } }));
    expect(await of.prices()).toMatchObject({ mug: 7 });
    const both = `/v1/loyalties/${of.program.id}/tiers`;
    const low = { name: "Low", points: { to: 10 }, rewards: { [of.mug.id]: custom(9) } };
    const { id } = (await api.post(both, [low], 200)).body[0];
    expect(await of.prices(`${both}/${id}/rewards`)).toMatchObject({ mug: 9 });
  });

  test("may be more than a member has", async () => {
    const of = await aMemberIn((mug) => ({ rewards: { [mug]: custom(151) } }));
    const affordable = `/v1/loyalties/members/${of.card.id}/rewards?affordable_only=true`;
    expect(await of.prices(affordable)).toEqual({ coin: null });
    const { body } = await api.post("/v1/redemptions", of.asked({ id: of.mug.id }), 400);
    expect(body).toMatchObject({ key: "loyalty_card_points_exceeded" });
  });

  test("is nothing where it is switched off: it is not there", async () => {
    const of = await aMemberIn((mug, coin) => ({ rewards: { [mug]: custom(0), [coin]: nothing } }));
    expect(await of.prices()).toEqual({});
    expect(await of.prices(`${of.url}/rewards`)).toEqual({});
    const { body } = await api.post("/v1/redemptions", of.asked({ id: of.mug.id }), 404);
    expect(body).toMatchObject({ key: "not_found", resource_type: "reward" });
    await api.post("/v1/redemptions", of.asked({ id: of.coin.id, points: 20 }, { amount: 1000 }), 404);
  });

  test("in points that pay for an order: fewer of them for as much", async () => {
    const of = await aMemberIn((_mug, coin) => ({ rewards: { [coin]: half } }));
    const { body } = await api.post("/v1/redemptions", of.asked({ id: of.coin.id }, { amount: 500 }), 200);
    expect(body.redemptions[0]).toMatchObject({ amount: 25, loyalty_card: { points: 25 } });
    expect(body.order).toMatchObject({ total_discount_amount: 500, total_amount: 0 });
  });
});

test("of a reward that pays with points no price can be said, be it by the assignment or by the reward", async () => {
  const of = await aMemberIn(() => ({}));
  const tiers = `/v1/loyalties/${of.program.id}/tiers`;
  const { data } = (await api.get(`/v1/rewards/${of.coin.id}/assignments`, 200)).body;
  for (const id of [of.coin.id, data[0].id]) {
    const low = { name: "Low", points: { to: 10 }, rewards: { [of.mug.id]: custom(9), [id]: custom(5) } };
    const { body } = await api.post(tiers, [low], 400);
    expect(body).toMatchObject({
      key: "invalid_payload",
      details: `Property [0].rewards.${id}.type must be MULTIPLY: a reward that pays with points has no price`,
    });
  }
  expect((await api.get(tiers, 200)).body.total).toBe(1);
});

describe("what earning rules pay in a tier", () => {
  const pointsIn = async ({ url }: { url: string }) =>
    (await api.get(`${url}/earning-rules`, 200)).body.data.map(
      ({ loyalty }: { loyalty: { points?: number; order?: { amount: { points: number } } } }) =>
        loyalty.points ?? loyalty.order?.amount.points,
    );

  test.each<[string, object, number]>([
    ["times two and a half, without parts of points", { type: "MULTIPLY", multiplier: 2.5 }, 7],
    ["as it is said", custom(5), 5],
  ])("is shown %s", async (_how, mapping, points) => {
    const of = await aMemberIn((_mug, _coin, rule) => ({ earning_rules: { [rule]: mapping } }));
    expect(await pointsIn(of)).toEqual([100, points]);
  });

  test.each<[string, object, object]>([
    [
      "times as much",
      { type: "MULTIPLY", multiplier: 2.5 },
      { points: 250, points_formula: "(ORDER_AMOUNT / 100) * 2.5" },
    ],
    ["not at all, where the tier has points of its own", custom(5), { points: 5 }],
  ])("is shown with its formula: %s", async (_how, mapping, loyalty) => {
    const of = await aMemberIn(() => ({}));
    const formula = { type: "FIXED", points: 100, points_formula: "ORDER_AMOUNT / 100" };
    const rules = `/v1/loyalties/${of.program.id}/earning-rules`;
    const [rule] = (await api.post(rules, [{ event: "order.paid", loyalty: formula }], 200)).body;
    const tier = { name: "Later", points: { from: 10, to: 20 }, earning_rules: { [rule.id]: mapping } };
    const [made] = (await api.post(`/v1/loyalties/${of.program.id}/tiers`, [tier], 200)).body;
    const { data } = (await api.get(`/v1/loyalties/${of.program.id}/tiers/${made.id}/earning-rules`, 200)).body;
    expect(data[0].loyalty).toEqual({ type: "FIXED", ...loyalty });
    expect((await api.get(`${rules}/${rule.id}`, 200)).body.loyalty).toEqual(formula);
  });

  test("is asked for tiers of the program alone", async () => {
    const of = await aMemberIn(() => ({}));
    for (const what of ["earning-rules", "rewards"]) {
      const unknown = (await api.get(`/v1/loyalties/${of.program.id}/tiers/ltr_none/${what}`, 404)).body;
      expect(unknown).toMatchObject({ key: "not_found", resource_type: "loyalty_tier" });
      await api.get(`/v1/loyalties/none/tiers/${of.tier_id}/${what}`, 404);
    }
  });
});

describe("a rule on the tier of a customer", () => {
  test.each(["customer.loyalty_tier", "customer.loyalty.tier"])("%s holds for members in it", async (name) => {
    const of = await aMemberIn(() => ({}));
    const rules = { 1: { name, conditions: { $is: [of.tier_id] } }, logic: "1" };
    const { body: rule } = await api.post("/v1/validation-rules", { name: aName("Rule"), rules }, 200);
    const discount = { type: "AMOUNT", amount_off: 100 };
    const { body: code } = await api.post(
      "/v1/vouchers",
      { type: "DISCOUNT_VOUCHER", discount, validation_rules: [rule.id] },
      200,
    );
    const asked = { redeemables: [{ object: "voucher", id: code.code }], order: { amount: 1000 } };
    const valid = async (source_id: string) =>
      (await api.post("/v1/validations", { ...asked, customer: { source_id } }, 200)).body.valid;
    expect(await valid(of.source_id)).toBe(true);
    await api.post("/v1/customers", { source_id: aName("other") }, 200);
    expect(await valid(aName("other"))).toBe(false);
    const qualified = async (source_id: string) =>
      (
        await api.post(
          "/v1/qualifications",
          { customer: { source_id }, order: { amount: 1000 }, options: { limit: 50 } },
          200,
        )
      ).body.redeemables.data.some(({ id }: { id: string }) => id === code.code);
    expect(await qualified(of.source_id)).toBe(true);
    expect(await qualified(aName("other"))).toBe(false);
    await api.post(`/v1/vouchers/${of.card.code}/balance`, { amount: -100 }, 200);
    await runDue();
    expect(await valid(of.source_id)).toBe(false);
  });
});

test("a customer shows the tier of each program", async () => {
  const of = await aMemberIn(() => ({}));
  const { body } = await api.get(`/v1/customers/${of.source_id}`, 200);
  expect(body.loyalty.campaigns).toEqual({
    [of.program.name]: { points: 150, loyalty_tier: of.tier_id, referred_customers: 0 },
  });
});

test("whoever is paid in a tier is told which one it was", async () => {
  const { program, event, rule_id, card, source_id } = await aProgramThatPays(service);
  const silver = { name: "Silver", points: {}, earning_rules: { [rule_id]: { type: "MULTIPLY", multiplier: 3 } } };
  const [tier] = (await api.post(`/v1/loyalties/${program.id}/tiers`, [silver], 200)).body;
  await runDue();
  await api.post("/v1/events", { event: event.name, customer: { source_id } }, 200);
  await runDue();
  expect(await pointsOn(service, card)).toEqual({ points: 30, balance: 30 });
  const { body } = await api.get(`/v1/customers/${source_id}/activity?type=customer.rewarded.loyalty_points`, 200);
  expect(body.data[0].data.data.loyalty_tier).toEqual(tier);
});

test("an earning rule that is deleted takes what its tiers said of it along", async () => {
  const of = await aMemberIn((_mug, _coin, rule) => ({ earning_rules: { [rule]: custom(5) } }));
  expect(Object.keys((await api.get(of.url, 200)).body.earning_rules)).toEqual([of.rules[0].id]);
  await api.delete(`/v1/loyalties/${of.program.id}/earning-rules/${of.rules[0].id}`, 204);
  expect((await api.get(of.url, 200)).body.earning_rules ?? {}).toEqual({});
});
