import { describe, expect, test, vi } from "vitest";
import { aMember, aProgram, aProgramThatPays, aRule } from "../../src/features/loyalties/loyalty.fixtures.js";
import { aReceiver } from "../../src/features/management/send-outs/receiver.fixtures.js";
import { webhook_events } from "../../src/features/management/webhooks/subscriptions.js";
import { aStack, askingFor } from "../../src/features/promotions/promotion.fixtures.js";
import { aCampaign, aReward, given } from "../../src/features/rewards/reward.fixtures.js";
import { sql } from "../../src/platform/db/sql.js";
import { tellers } from "../../src/telling/payloads.js";
import { startService } from "../harness/service.js";
import { event_facts, strangeIn, unusedDepartures } from "./payload-facts.fixtures.js";
import { departures, numbersForTimes, payload_shapes } from "./payload-shapes.fixtures.js";

const service = await startService({ webhook_allow_private: true });
const { api, clock, management, project, runDue, context } = service;
const { post, put } = api;

const told_names = [...new Set(Object.values(tellers).flatMap((by_name) => Object.keys(by_name)))].sort();
/** What no webhook may ask for, and no customer hears of. */
const isHeard = (name: string) => name.startsWith("customer.") || (webhook_events as readonly string[]).includes(name);

const ten_off = { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 1000 } };
const an_order = { amount: 5000, items: [{ source_id: "shirt", quantity: 2, amount: 5000, price: 2500 }] };
const customers: string[] = [];
const aCustomer = async (source_id: string) => {
  const { id } = (await post("/v1/customers", { source_id, name: source_id }, 200)).body;
  customers.push(source_id);
  return id as string;
};

/** Every part of the story is one of a shop's, told over HTTP as a shop tells it. */
const story = {
  async customers() {
    await aCustomer("ann");
    await put("/v1/customers/ann", { name: "Ann B." }, 200);
    await aCustomer("gone");
    customers.pop();
    await api.delete("/v1/customers/gone", 204);
  },

  async segments() {
    const filter = { junction: "and", "metadata.vip": { conditions: { $is: [true] } } };
    await post("/v1/segments", { name: "VIP", type: "auto-update", filter }, 200);
    await runDue();
    for (const vip of [true, false]) {
      await put("/v1/customers/ann", { metadata: { vip } }, 200);
      await runDue();
    }
  },

  async orders() {
    const customer = { source_id: "ann" };
    for (const status of ["PAID", "CANCELED", "FULFILLED"]) {
      const { id } = (await post("/v1/orders", { ...an_order, customer }, 200)).body;
      if (status === "FULFILLED") await put(`/v1/orders/${id}`, { status: "PAID" }, 200);
      await put(`/v1/orders/${id}`, { metadata: { gift: true } }, 200);
      await put(`/v1/orders/${id}`, { status }, 200);
    }
  },

  async vouchers() {
    const { code } = (await post("/v1/vouchers", ten_off, 200)).body;
    await put(`/v1/vouchers/${code}`, { metadata: { seen: true } }, 200);
    await post(`/v1/vouchers/${code}/disable`, undefined, 200);
    await post(`/v1/vouchers/${code}/enable`, undefined, 200);
    await api.delete(`/v1/vouchers/${code}`, 204);
  },

  async campaigns() {
    const campaign = await aCampaign(service, 1);
    await post(`/v1/campaigns/${campaign.id}/disable`, undefined, 200);
    await post(`/v1/campaigns/${campaign.id}/enable`, undefined, 200);
    await put(`/v1/campaigns/${campaign.id}`, { description: "Better" }, 200);
    await post(`/v1/campaigns/${campaign.id}/vouchers?vouchers_count=3`, {}, 202);
    // Fewer codes than are asked for.
    const voucher = { ...ten_off, code_config: { charset: "AB", pattern: "FEW-##" } };
    for (const code of ["FEW-AA", "FEW-BB"]) await post(`/v1/vouchers/${code}`, ten_off, 200);
    await post("/v1/campaigns", { name: "Few", voucher, vouchers_count: 4 }, 200);
    await runDue();
    await api.delete(`/v1/campaigns/${campaign.id}`, 202);
  },

  async promotions() {
    const action = { discount: { type: "PERCENT", percent_off: 10 } };
    const tiers = [{ name: "One", action }];
    const { id } = (await post("/v1/campaigns", { name: "P", campaign_type: "PROMOTION", promotion: { tiers } }, 200))
      .body;
    const tier = (await post(`/v1/promotions/${id}/tiers`, { name: "Two", action }, 200)).body.id;
    await put(`/v1/promotions/tiers/${tier}`, { banner: "Two off" }, 200);
    await post(`/v1/promotions/tiers/${tier}/disable`, undefined, 200);
    await post(`/v1/promotions/tiers/${tier}/enable`, undefined, 200);
    const stack = (await post(`/v1/promotions/${id}/stacks`, { name: "All", tiers: { ids: [tier] } }, 200)).body.id;
    await put(`/v1/promotions/${id}/stacks/${stack}`, { name: "Both" }, 200);
    await post("/v1/redemptions", { redeemables: [{ object: "promotion_tier", id: tier }], order: an_order }, 200);
    await api.delete(`/v1/promotions/${id}/stacks/${stack}`, 204);
    const withdrawn = (await post(`/v1/promotions/${id}/tiers`, { name: "Three", action }, 200)).body.id;
    await api.delete(`/v1/promotions/tiers/${withdrawn}`, 204);
  },

  async stacks() {
    const stack = await aStack(api, [{}, {}]);
    const sent = askingFor(stack, { customer: { source_id: "ann" } });
    const { parent_redemption } = (await post("/v1/redemptions", sent, 200)).body;
    await post(`/v1/redemptions/${parent_redemption.id}/rollbacks`, {}, 200);
  },

  async rules() {
    const rule = (await post("/v1/validation-rules", { name: "R", rules: {} }, 200)).body.id;
    await put(`/v1/validation-rules/${rule}`, { name: "S" }, 200);
    const { id } = (await post("/v1/vouchers", ten_off, 200)).body;
    const related = { voucher: id, related_object_type: "voucher", related_object_id: id };
    const assignment = (await post(`/v1/validation-rules/${rule}/assignments`, related, 200)).body.id;
    await api.delete(`/v1/validation-rules/${rule}/assignments/${assignment}`, 204);
    await api.delete(`/v1/validation-rules/${rule}`, 204);
  },

  async redemptions() {
    const { code } = (await post("/v1/vouchers", ten_off, 200)).body;
    const sent = { redeemables: [{ object: "voucher", id: code }], order: an_order, customer: { source_id: "ann" } };
    const { id } = (await post("/v1/redemptions", sent, 200)).body.redemptions[0];
    await post(`/v1/redemptions/${id}/rollback`, {}, 200);
    await post(`/v1/redemptions/${id}/rollback`, {}, 400);
    await post(`/v1/vouchers/${code}/disable`, undefined, 200);
    await post(`/v1/vouchers/${code}/redemption`, { customer: { source_id: "ann" }, order: an_order }, 400);
  },

  async validations() {
    const { code } = (await post("/v1/vouchers", ten_off, 200)).body;
    for (const id of [code, "NONE"])
      await post("/v1/validations", { redeemables: [{ object: "voucher", id }], customer: { source_id: "ann" } }, 200);
    // They are written a second later.
    const failed = "/v1/customers/ann/activity?type=customer.validation.failed";
    await vi.waitUntil(async () => (await api.get(failed, 200)).body.data.length > 0, {
      timeout: 10_000,
      interval: 50,
    });
  },

  async giftCards() {
    const voucher = { type: "GIFT_VOUCHER", gift: { amount: 3000 } };
    const cards = { name: "Gifts", campaign_type: "GIFT_VOUCHERS", voucher };
    await post("/v1/campaigns", cards, 200);
    const { code, id } = (await post("/v1/campaigns/Gifts/vouchers", {}, 200)).body;
    const holder_id = await aCustomer("giftee");
    // As a publication of any campaign will.
    await context.db.run(sql`
      update vouchers set holder_id = ${holder_id} where vouchers.project_id = ${project.id} and vouchers.id = ${id}`);
    await post(`/v1/vouchers/${code}/balance`, { amount: 500 }, 200);
    const order = { ...an_order, source_id: "o-1" };
    const sent = { redeemables: [{ object: "voucher", id: code, gift: { credits: 700 } }], order };
    const redeemed = (await post("/v1/redemptions", { ...sent, customer: { source_id: "giftee" } }, 200)).body;
    await post(`/v1/redemptions/${redeemed.redemptions[0].id}/rollback`, {}, 200);
    await api.delete(`/v1/vouchers/${code}`, 204);
  },

  async pending_points() {
    const { program, source_id } = await aProgramThatPays(service);
    const pending_points = { period_type: "DAY", period_value: 1 };
    const rule = { event: "order.paid", loyalty: { type: "FIXED", points: 5 }, pending_points };
    await post(`/v1/loyalties/${program.id}/earning-rules`, [rule], 200);
    customers.push(source_id);
    for (let i = 0; i < 2; i += 1)
      await post("/v1/orders", { ...an_order, customer: { source_id }, status: "PAID" }, 200);
    await runDue();
    const { body: members } = await api.get(`/v1/loyalties/${program.id}/members`, 200);
    const path = `/v1/loyalties/members/${members.vouchers[0].id}/pending-points`;
    const [one, other] = (await api.get(path, 200)).body.data;
    await post(`${path}/${one.id}/balance`, { points: 1 }, 200);
    await post(`${path}/${one.id}/activate`, {}, 200);
    await post(`${path}/${other.id}/cancel`, {}, 204);
  },

  async points() {
    const { program, event, rule_id, source_id, card } = await aProgramThatPays(service, {}, {});
    customers.push(source_id);
    await post(`/v1/loyalties/${program.id}/members`, { customer: { source_id } }, 400);
    await post("/v1/events", { event: event.name, customer: { source_id }, loyalty: { code: card.code } }, 200);
    await post(`/v1/vouchers/${card.code}/balance`, { amount: 50 }, 200);
    const rule = `/v1/loyalties/${program.id}/earning-rules/${rule_id}`;
    await put(rule, { source: { banner: "Ten more" } }, 200);
    await post(`${rule}/disable`, undefined, 200);
    await post(`${rule}/enable`, undefined, 200);
    const withdrawn = (await aRule(service, program, event)).id;
    await api.delete(`/v1/loyalties/${program.id}/earning-rules/${withdrawn}`, 204);
  },

  async pointsThatGo() {
    const program = await aProgram(service);
    const [giving, taking] = [await aMember(service, program), await aMember(service, program)];
    customers.push(giving.source_id, taking.source_id);
    const dated = {
      points: 50,
      expiration_type: "CUSTOM_DATE",
      expiration_date: new Date(service.clock.now()).toISOString(),
    };
    await post(`/v1/loyalties/members/${giving.card.code}/balance`, dated, 200);
    const sent = [{ code: giving.card.code, points: 20, source_id: "t" }];
    await post(`/v1/loyalties/${program.id}/members/${taking.card.code}/transfers`, sent, 200);
    await service.runDue();
    service.clock.advance({ days: 1 });
  },

  async rewards() {
    const program = (await aProgramThatPays(service)).program;
    const { card, source_id } = await aMember(service, program);
    customers.push(source_id);
    await post(`/v1/vouchers/${card.code}/balance`, { amount: 100 }, 200);
    const mug = await aReward(service);
    const code = await aReward(service, { parameters: { campaign: { id: (await aCampaign(service, 1)).id } } });
    for (const reward of [mug, code]) {
      const assignment = await given(service, program, reward, 10);
      await put(
        `/v1/rewards/${reward.id}/assignments/${assignment.id}`,
        { parameters: { loyalty: { points: 20 } } },
        200,
      );
      const redeemables = [{ object: "voucher", id: card.code, reward: { id: reward.id } }];
      const redeemed = (await post("/v1/redemptions", { redeemables, customer: { source_id } }, 200)).body;
      if (reward === mug) await post(`/v1/redemptions/${redeemed.redemptions[0].id}/rollback`, {}, 200);
    }
    const withdrawn = await aReward(service);
    const assignment = await given(service, program, withdrawn, 10);
    await api.delete(`/v1/rewards/${withdrawn.id}/assignments/${assignment.id}`, 204);
  },

  async tiers() {
    const { program } = await aProgramThatPays(service);
    const { card, source_id } = await aMember(service, program);
    customers.push(source_id);
    const tiers = [
      { name: "Silver", points: { from: 10, to: 99 } },
      { name: "Gold", points: { from: 100 } },
    ];
    await post(`/v1/loyalties/${program.id}/tiers`, tiers, 200);
    for (const amount of [50, 100, -100, -50, 50]) {
      await post(`/v1/vouchers/${card.code}/balance`, { amount }, 200);
      await runDue();
    }
    const loyalty_tiers_expiration = {
      qualification_type: "BALANCE",
      start_date: { type: "IMMEDIATE" },
      expiration_date: { type: "CUSTOM", extend: "P1D" },
    };
    const options = { recalculate_tiers: true };
    await put(`/v1/loyalties/${program.id}`, { loyalty_tiers_expiration, options }, 200);
    await runDue();
    clock.advance({ hours: 48 });
  },

  async publications() {
    const { name } = await aCampaign(service, 3);
    await aCustomer("fan");
    const customer = { source_id: "fan" };
    await post("/v1/publications", { campaign: { name }, customer }, 200);
    await post("/v1/publications", { campaign: { name, count: 2 }, customer }, 200);
  },

  async referrals() {
    const fields = { name: "Friends", campaign_type: "REFERRAL_PROGRAM", voucher: ten_off };
    const { id } = (await post("/v1/campaigns", fields, 200)).body;
    const parameters = { campaign: { id: (await aCampaign(service, 1)).id } };
    const tier = { criterion: "EACH_REFEREE", reward_id: (await aReward(service, { parameters })).id };
    const tiers = `/management/v1/projects/${project.id}/campaigns/${id}/referral-tiers`;
    const made = (await management.post(tiers, tier, 200)).body;
    await management.put(`${tiers}/${made.id}`, { banner: "Thanks" }, 200);
    await management.delete(`${tiers}/${(await management.post(tiers, tier, 200)).body.id}`, 204);
    await aCustomer("referrer");
    const publication = { campaign: { name: "Friends" }, customer: { source_id: "referrer" } };
    const { code } = (await post("/v1/publications", publication, 200)).body.voucher;
    await aCustomer("referee");
    const path = `/v1/referrals/members/${code}/holders`;
    const { holders } = (await post(path, { holders: [{ source_id: "referee" }] }, 200)).body;
    await api.delete(`${path}/${holders[0].id}`, 204);
    const redeemables = [{ object: "voucher", id: code }];
    await post("/v1/redemptions", { redeemables, customer: { source_id: "referee" }, order: an_order }, 200);
    await runDue();
  },
};

interface Heard {
  name: string;
  payload: Record<string, unknown>;
}
const by_webhooks: Heard[] = [];
const in_activity: Heard[] = [];

test("all that can be told is heard, by webhooks or in a customer's activity", { timeout: 60_000 }, async () => {
  const receiver = await aReceiver();
  const webhook = { target_url: receiver.url, events: webhook_events };
  await management.post(`/management/v1/projects/${project.id}/webhooks`, webhook, 200);
  for (const happens of Object.values(story)) {
    clock.advance({ minutes: 1 });
    await happens();
    await runDue();
  }
  by_webhooks.push(...receiver.received.map(({ body }) => ({ name: body.type, payload: body.data })));
  for (const customer of customers) {
    const { body } = await api.get(`/v1/customers/${customer}/activity?limit=100`, 200);
    for (const { type, data } of body.data) in_activity.push({ name: type, payload: data.data });
  }
  const names = new Set([...by_webhooks, ...in_activity].map(({ name }) => name));
  expect(told_names.filter((name) => isHeard(name) && !names.has(name))).toEqual([]);
  expect(Object.keys(payload_shapes).sort()).toEqual(told_names.filter(isHeard));
});

describe("what is told", () => {
  test.each(Object.entries(payload_shapes))("as %s has the shape of the contract", (name, shape) => {
    const heard = [...by_webhooks, ...in_activity].filter((one) => one.name === name);
    const payloads = heard.map(({ payload }) => payload);
    expect(payloads).not.toEqual([]);
    expect([...new Set(payloads.flatMap((payload) => departures(payload, shape)))]).toEqual([]);
    expect([...new Set(payloads.flatMap((payload) => numbersForTimes(payload)))]).toEqual([]);
  });

  test.each([...event_facts.keys()].filter((name) => told_names.includes(name)))(
    "as %s is what the contract knows",
    (name) => {
      const heard = [...by_webhooks, ...in_activity].filter((one) => one.name === name);
      expect(heard).not.toEqual([]);
      expect([...new Set(heard.flatMap(({ payload }) => strangeIn(name, payload)))]).toEqual([]);
    },
  );

  test("departs from the contract nowhere but where it is known to", () => {
    for (const { name, payload } of [...by_webhooks, ...in_activity])
      if (event_facts.has(name)) strangeIn(name, payload);
    expect(unusedDepartures()).toEqual([]);
  });

  test("names the order of a transaction by the shop's own id", () => {
    const told = by_webhooks.filter(({ name }) => name === "voucher.gift.transaction.created");
    const orders = told.flatMap(({ payload }) => {
      const { details } = payload.transaction as { details: { order?: { source_id: string } } };
      return details.order?.source_id ?? [];
    });
    expect(orders).toEqual(["o-1", "o-1"]);
  });

  test("is the same to a webhook and in the activity", () => {
    const of_rewards = (heard: readonly Heard[]) => heard.filter(({ name }) => name === "customer.rewarded");
    expect(of_rewards(in_activity)).not.toEqual([]);
    expect(of_rewards(by_webhooks)).toEqual(expect.arrayContaining(of_rewards(in_activity)));
  });
});
