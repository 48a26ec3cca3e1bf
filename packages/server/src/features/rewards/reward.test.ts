import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { aName, aProgram } from "../loyalties/loyalty.fixtures.js";
import { aReward, coin, given } from "./reward.fixtures.js";

const service = await startService();
const { api, clock } = service;
const product = (await api.post("/v1/products", { name: "Mug" }, 200)).body;
const sku = (await api.post(`/v1/products/${product.id}/skus`, { sku: "blue" }, 200)).body;
const newCampaign = async (voucher: Record<string, unknown>) =>
  (await api.post("/v1/campaigns", { name: aName("campaign"), voucher }, 200)).body;
const coupons = await newCampaign({ type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 500 } });
const gifts = await newCampaign({ type: "GIFT_VOUCHER", gift: { amount: 1000 } });
const program = await aProgram(service);

const refusalOf = async (parameters: unknown, fields: Record<string, unknown> = {}) =>
  (await api.post("/v1/rewards", { name: "Reward", parameters, ...fields }, 400)).body;

describe("a reward", () => {
  test("keeps of its attributes those that it has", async () => {
    const parameters = { coin: { exchange_ratio: 1, points_ratio: 1 } };
    const attributes = { image_url: "https://shop.example/a.png", colour: "red" };
    const { body } = await api.post("/v1/rewards", { name: "attributes", parameters, attributes }, 200);
    expect(body.attributes).toEqual({ image_url: attributes.image_url });
    const changed = await api.put(`/v1/rewards/${body.id}`, { attributes: { description: "x", size: 1 } }, 200);
    expect(changed.body.attributes).toEqual({ description: "x" });
  });

  test("has every field of the contract", async () => {
    const fields = { name: "Mug", stock: 3, attributes: { image_url: "https://x.example/m.png" }, metadata: { a: 1 } };
    const sent = { ...fields, parameters: { product: { id: product.id, sku_id: sku.id } } };
    const { body } = await api.post("/v1/rewards", sent, 200);
    expect(body).toEqual({
      id: expect.stringMatching(/^rew_/),
      type: "MATERIAL",
      ...sent,
      redeemed: null,
      created_at: new Date(clock.now()).toISOString(),
      updated_at: null,
      object: "reward",
    });
    expect((await api.get(`/v1/rewards/${body.id}`, 200)).body).toEqual(body);
  });

  test.each([
    [
      "a discount campaign",
      { campaign: { id: coupons.id } },
      { campaign: { id: coupons.id, type: "DISCOUNT_COUPONS" } },
    ],
    [
      "a gift campaign, by its name",
      { campaign: { id: gifts.name, type: "DISCOUNT_COUPONS", balance: 700 } },
      { campaign: { id: gifts.id, type: "GIFT_VOUCHERS", balance: 700 } },
    ],
    [
      "another loyalty program",
      { campaign: { id: program.id, balance: 5 } },
      { campaign: { id: program.id, type: "LOYALTY_PROGRAM", balance: 5 } },
    ],
    [
      "numbers as text",
      { coin: { exchange_ratio: "0.125", points_ratio: "40" } },
      { coin: { exchange_ratio: 0.125, points_ratio: 40 } },
    ],
    ["a point a step unless said", { coin: { exchange_ratio: 2 } }, { coin: { exchange_ratio: 2, points_ratio: 1 } }],
  ])("knows what it gives: %s", async (_what, parameters, shown) => {
    const { body } = await api.post("/v1/rewards", { name: "Reward", parameters }, 200);
    expect(body).toMatchObject({ type: "coin" in parameters ? "COIN" : "CAMPAIGN", parameters: shown });
  });

  test.each([
    ["nothing", {}, ".parameters must have exactly one"],
    ["two things", { coin: { exchange_ratio: 1 }, product: { id: product.id } }, ".parameters must have exactly one"],
    ["no balance of a gift campaign", { campaign: { id: gifts.id } }, "'balance'"],
    ["a fractional balance", { campaign: { id: gifts.id, balance: 1.5 } }, ".parameters.campaign.balance"],
    ["money for nothing", { coin: { exchange_ratio: 0 } }, ".exchange_ratio"],
    ["money below nothing", { coin: { exchange_ratio: "-1" } }, ".exchange_ratio"],
    ["half a point", { coin: { exchange_ratio: 1, points_ratio: 0.5 } }, ".points_ratio"],
  ])("cannot give %s", async (_what, parameters, named) => {
    expect(await refusalOf(parameters)).toMatchObject({
      key: "invalid_payload",
      details: expect.stringContaining(named),
    });
  });

  test("gives a balance above zero", async () => {
    const message = "Property 'parameters.campaign.balance' must be greater than zero for campaign type: GIFT_VOUCHERS";
    const parameters = { campaign: { id: gifts.id, balance: 0 } };
    expect(await refusalOf(parameters)).toMatchObject({ key: "invalid_balance", message });
    const reward = await aReward(service, { parameters: { campaign: { id: gifts.id, balance: 1 } } });
    expect((await api.put(`/v1/rewards/${reward.id}`, { parameters }, 400)).body.key).toBe("invalid_balance");
  });

  test("names what is there", async () => {
    const missing = [
      ["campaign", { campaign: { id: "camp_none" } }],
      ["product", { product: { id: "prod_none" } }],
      ["sku", { product: { id: product.id, sku_id: "sku_none" } }],
    ] as const;
    for (const [resource_type, parameters] of missing) {
      const { body } = await api.post("/v1/rewards", { parameters }, 404);
      expect(body).toMatchObject({ key: "not_found", resource_type });
    }
  });

  test("has no stock where points are paid with, and none below zero", async () => {
    expect((await refusalOf({ coin: { exchange_ratio: 1 } }, { stock: 1 })).details).toContain(".stock");
    expect((await refusalOf({ product: { id: product.id } }, { stock: -1 })).details).toContain(".stock");
  });

  test("changes in part, and stays of its kind", async () => {
    const reward = await aReward(service, { stock: 5, metadata: { a: 1 } });
    clock.advance({ minutes: 1 });
    const { body } = await api.put(`/v1/rewards/${reward.id}`, { stock: null, metadata: { b: 2 } }, 200);
    const updated_at = new Date(clock.now()).toISOString();
    expect(body).toMatchObject({ name: reward.name, stock: null, metadata: { a: 1, b: 2 }, updated_at });
    const other_kind = { parameters: { coin: { exchange_ratio: 1 } } };
    expect((await api.put(`/v1/rewards/${reward.id}`, other_kind, 400)).body.details).toContain("MATERIAL");
  });

  test("stays while a program gives it", async () => {
    const reward = await aReward(service);
    const assignment = await given(service, program, reward, 10);
    expect((await api.delete(`/v1/rewards/${reward.id}`, 400)).body).toMatchObject({
      key: "resource_in_use",
      related_object_ids: [assignment.id],
      related_object_type: "reward_assignment",
    });
    await api.delete(`/v1/rewards/${reward.id}/assignments/${assignment.id}`, 204);
    await api.delete(`/v1/rewards/${reward.id}`, 204);
    expect((await api.delete(`/v1/rewards/${reward.id}`, 404)).body.resource_type).toBe("reward");
  });
});

describe("a reward of a program", () => {
  test("has a price, and is found under its reward and under its program", async () => {
    const reward = await aReward(service);
    const fields = { campaign: program.name, parameters: { loyalty: { points: 30 } } };
    const { body } = await api.post(`/v1/rewards/${reward.id}/assignments`, fields, 200);
    expect(body).toEqual({
      id: expect.stringMatching(/^rewa_/),
      reward_id: reward.id,
      related_object_id: program.id,
      related_object_type: "campaign",
      parameters: { loyalty: { points: 30 } },
      created_at: new Date(clock.now()).toISOString(),
      updated_at: null,
      object: "reward_assignment",
    });
    const under = `/v1/loyalties/${program.id}`;
    const places = [`/v1/rewards/${reward.id}/assignments`, `${under}/rewards`, `${under}/reward-assignments`];
    for (const place of places) expect((await api.get(`${place}/${body.id}`, 200)).body).toEqual(body);
    expect((await api.get(`${under}/reward-assignments/${body.id}/reward`, 200)).body.id).toBe(reward.id);
  });

  test("has no price where points are paid with", async () => {
    const reward = await aReward(service, coin(10, 1));
    expect(await given(service, program, reward)).not.toHaveProperty("parameters");
  });

  test("is assigned with others: all of them or none", async () => {
    const all = `/v1/loyalties/${program.id}/rewards`;
    const rewards = [await aReward(service), await aReward(service)];
    const wanted = rewards.map(({ id: reward }) => ({ reward, parameters: { loyalty: { points: 5 } } }));
    const { body: refused } = await api.post(all, [...wanted, { ...wanted[0], reward: "rew_none" }], 404);
    expect(refused.resource_type).toBe("reward");
    const { body } = await api.post(all, wanted, 200);
    expect(body.map(({ reward_id }: { reward_id: string }) => reward_id)).toEqual(rewards.map(({ id }) => id));
    expect((await api.post(all, wanted.slice(1), 409)).body).toMatchObject({
      key: "duplicate_found",
      resource_type: "reward_assignment",
      resource_id: body[1].id,
    });
  });

  test("is refused without a price, below one point, to itself, and to what is no program", async () => {
    const reward = await aReward(service);
    const all = `/v1/rewards/${reward.id}/assignments`;
    const { body: no_price } = await api.post(all, { campaign: program.id }, 400);
    expect(no_price).toMatchObject({ key: "missing_param", details: "Parameter 'parameters.loyalty' is required" });
    const free = { campaign: program.id, parameters: { loyalty: { points: 0 } } };
    expect((await api.post(all, free, 400)).body.key).toBe("invalid_payload");
    for (const fields of [{}, { campaign: "camp_none" }, { campaign: coupons.id }]) {
      const { body } = await api.post(all, { ...fields, parameters: { loyalty: { points: 1 } } }, 404);
      expect(body).toMatchObject({ key: "not_found", resource_type: "campaign" });
    }
    const own = await aReward(service, { parameters: { campaign: { id: program.id, balance: 5 } } });
    const to_itself = { campaign: program.id, parameters: { loyalty: { points: 1 } } };
    expect((await api.post(`/v1/rewards/${own.id}/assignments`, to_itself, 400)).body.key).toBe("invalid_payload");
  });

  test("gets another price, and goes with the rules that it had", async () => {
    const { body: rule } = await api.post("/v1/validation-rules", { name: aName("rule"), rules: {} }, 200);
    const reward = await aReward(service);
    const assignment = await given(service, program, reward, 5, [rule.id]);
    const { body: of_rule } = await api.get(`/v1/validation-rules/${rule.id}/assignments`, 200);
    expect(of_rule.data).toMatchObject([
      { related_object_id: assignment.id, related_object_type: "reward_assignment" },
    ]);
    const one = `/v1/loyalties/${program.id}/rewards/${assignment.id}`;
    const { body } = await api.put(one, { parameters: { loyalty: { points: 7 } } }, 200);
    expect(body.parameters).toEqual({ loyalty: { points: 7 } });
    await api.delete(one, 204);
    expect((await api.get(one, 404)).body.resource_type).toBe("reward_assignment");
    expect((await api.get(`/v1/validation-rules/${rule.id}/assignments`, 200)).body.data).toEqual([]);
  });

  test("of another program is not found here", async () => {
    const assignment = await given(service, program, await aReward(service), 5);
    const other = await aProgram(service);
    const { body } = await api.get(`/v1/loyalties/${other.id}/rewards/${assignment.id}`, 404);
    expect(body.resource_type).toBe("reward_assignment");
  });

  test("two assign it at once: one of them does", async () => {
    const reward = await aReward(service);
    const fields = { campaign: program.id, parameters: { loyalty: { points: 5 } } };
    const all = `/v1/rewards/${reward.id}/assignments`;
    const answers = await Promise.all([1, 2, 3].map(() => api.post(all, fields)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });
});
