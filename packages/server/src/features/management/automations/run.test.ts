import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { uniqueText } from "../../../../test/harness/resources.js";
import { startService, type TestProject } from "../../../../test/harness/service.js";
import { isoOf } from "../../../platform/clock.js";
import { sql } from "../../../platform/db/sql.js";
import { aMember, aProgram } from "../../loyalties/loyalty.fixtures.js";
import { aReferralShop } from "../../referrals/referral.fixtures.js";
import { answering } from "../send-outs/receiver.fixtures.js";
import { aCampaign, sends, shopsOn } from "./automation.fixtures.js";

const service = await startService({ webhook_allow_private: true });
const { clock, management, runDue } = service;
const aShop = shopsOn(service);

const aCustomEvent = async ({ id }: TestProject) => {
  const name = uniqueText("event");
  const path = `/management/v1/projects/${id}/custom-event-schemas`;
  await management.post(path, { name, schema: { properties: {} } }, 200);
  return name;
};

describe("an automation that sends", () => {
  test("tells all that the event says, in an envelope that names it and the event, signed as webhooks are", async () => {
    const shop = await aShop();
    const automation = await shop.make(sends(shop.receiver.url));
    const { id, name } = await shop.customer({ name: "Zoë" });
    await runDue();
    const [message, ...others] = shop.receiver.received;
    expect(others).toEqual([]);
    const created_at = isoOf(clock.now());
    expect(message?.body).toEqual({
      id: expect.stringMatching(/^whs_[0-9a-f]{18}$/),
      project_id: shop.project.id,
      created_at,
      type: "welcome",
      data: { customer: expect.objectContaining({ id, name }) },
      source: { id: automation.id, object: "distribution", target_url: shop.receiver.url },
      event: {
        id: expect.stringMatching(/^evcus_/),
        type: "customer.created",
        created_at,
        entity_id: id,
        group_id: expect.stringMatching(/^v-/),
        event_source: expect.objectContaining({ channel: "API" }),
      },
    });
    const { webhook_token } = (await management.get(`/management/v1/projects/${shop.project.id}`, 200)).body;
    const signature = createHmac("sha256", webhook_token)
      .update(message?.text ?? "")
      .digest("hex");
    expect(message?.headers["x-voucherify-signature"]).toBe(signature);
    const logged = `/management/v1/projects/${shop.project.id}/send-outs?webhook_id=${automation.id}`;
    expect((await management.get(logged, 200)).body.data).toMatchObject([
      { status: "SUCCEEDED", type: "welcome", source: { id: automation.id, object: "distribution" } },
    ]);
  });

  test("has the headers that its channel names, which stay through an edit that does not", async () => {
    const shop = await aShop();
    const fields = sends(shop.receiver.url);
    const channel = (custom_headers: object) => ({ ...fields, channel: { ...fields.channel, custom_headers } });
    const { id } = await shop.make(channel({ Authorization: "Bearer s3cret" }));
    const { channel: shown } = await shop.change(id, fields);
    expect(shown).toMatchObject({ custom_header_names: ["authorization"] });
    await shop.customer();
    await runDue();
    expect(shop.receiver.received[0]?.headers).toMatchObject({ authorization: "Bearer s3cret" });
    expect((await shop.refused(channel({ "content-type": "text/plain" }))).details).toContain(
      "Property .channel.custom_headers 'content-type' is a header that a message has by itself",
    );
  });

  test("tells what its payload was designed to, with the envelope or raw", async () => {
    const shop = await aShop();
    const { channel } = sends(shop.receiver.url);
    const payload = '{"to": "Dear {{customer.name}}", "vip": {{customer.metadata.vip}}}';
    await shop.make(sends(shop.receiver.url, { channel: { ...channel, payload } }));
    await shop.make(sends(shop.receiver.url, { channel: { ...channel, payload, raw_payload: true } }));
    await shop.customer({ name: "Ann", metadata: { vip: true } });
    await runDue();
    const meant = { to: "Dear Ann", vip: true };
    const bodies = shop.receiver.received.map(({ body }) => body);
    expect(bodies.find(({ type }) => type === "welcome")?.data).toEqual(meant);
    expect(bodies.find(({ type }) => type === undefined)).toEqual(meant);
    expect(bodies).toHaveLength(2);
  });

  test("hears of custom events by their name, of segments by theirs, and of what a campaign gave", async () => {
    const shop = await aShop();
    const [wanted, other] = [await aCustomEvent(shop.project), await aCustomEvent(shop.project)];
    const filter = { junction: "and", "metadata.vip": { conditions: { $is: [true] } } };
    const segment = await shop.api.post("/v1/segments", { name: "VIP", type: "auto-update", filter }, 200);
    await runDue();
    const [mine, others] = [await aCampaign(shop.project), await aCampaign(shop.project)];
    const tells = (event_name: string, trigger: object) =>
      shop.make(sends(shop.receiver.url, { trigger, channel: { ...sends(shop.receiver.url).channel, event_name } }));
    await tells("custom", { event: "customer.custom_event", custom_event: wanted });
    await tells("segment", { event: "customer.segment.entered", segment_id: segment.body.id });
    await tells("campaign", { event: "customer.publication.succeeded", campaign_id: mine.id });
    const customer = await shop.customer({ metadata: { vip: true } });
    for (const event of [wanted, other]) await shop.api.post("/v1/events", { event, customer }, 200);
    for (const { id } of [mine, others])
      await shop.api.post("/v1/publications", { customer, campaign: { name: id } }, 200);
    await runDue();
    const told = shop.receiver.received.map(({ body: { type, data } }) => ({ type, data }));
    expect(told.sort((one, two) => one.type.localeCompare(two.type))).toMatchObject([
      { type: "campaign", data: { campaign: { id: mine.id }, customer: { id: customer.id } } },
      { type: "custom", data: { event: { type: wanted } } },
      { type: "segment", data: { segment: { id: segment.body.id } } },
    ]);
  });

  test("hears of referrals, and of what they bring", async () => {
    const shop = await aShop();
    const { campaign, code, customer, redeem } = await aReferralShop(service, {}, shop.project);
    for (const event of ["customer.referred", "customer.rewarded"]) {
      const channel = { ...sends(shop.receiver.url).channel, event_name: event };
      await shop.make(sends(shop.receiver.url, { trigger: { event, campaign_id: campaign.id }, channel }));
    }
    const coupons = await aCampaign(shop.project);
    const fields = { name: "thanks", parameters: { campaign: { id: coupons.id } } };
    const reward = (await shop.api.post("/v1/rewards", fields, 200)).body;
    const tiers = `/management/v1/projects/${shop.project.id}/campaigns/${campaign.id}/referral-tiers`;
    await management.post(tiers, { criterion: "EACH_REFEREE", reward_id: reward.id }, 200);
    const own = await code();
    const referee = await customer();
    await redeem(own.code, referee);
    await runDue();
    const told = shop.receiver.received.map(({ body: { type, data } }) => ({ type, data }));
    expect(told.sort((one, two) => one.type.localeCompare(two.type))).toMatchObject([
      { type: "customer.referred", data: { customer: { id: referee.id }, referrer: { id: own.referrer_id } } },
      { type: "customer.rewarded", data: { customer: { id: own.referrer_id }, reward: { id: reward.id } } },
    ]);
  });

  test("hears of tiers, of one program where it names one", async () => {
    const shop = await aShop();
    const [heard, other] = [await aProgram(shop, {}, 0), await aProgram(shop, {}, 0)];
    const about = { event: "customer.loyalty.tier.joined", campaign_id: heard.id };
    await shop.make(sends(shop.receiver.url, { trigger: about }));
    const cards = [];
    for (const program of [other, heard]) {
      await shop.api.post(`/v1/loyalties/${program.id}/tiers`, [{ name: "Silver", points: { from: 100 } }], 200);
      const { card } = await aMember(shop, program);
      await shop.api.post(`/v1/vouchers/${card.code}/balance`, { amount: 100 }, 200);
      cards.push(card);
    }
    await runDue();
    expect(shop.receiver.received.map(({ body }) => body.data)).toMatchObject([
      { customer: { id: cards[1]?.holder_id }, campaign: { id: heard.id }, loyalty_tier: { name: "Silver" } },
    ]);
  });

  test("says nothing of what happened while it was off, or before it was switched on", async () => {
    const shop = await aShop();
    await shop.customer({ name: "before" });
    clock.advance({ minutes: 1 });
    const fields = sends(shop.receiver.url);
    const { id } = await shop.make(fields);
    await shop.customer({ name: "on" });
    await runDue();
    await shop.change(id, { ...fields, active: false });
    await shop.customer({ name: "off" });
    await runDue();
    clock.advance({ minutes: 1 });
    await shop.change(id, { ...fields, active: true });
    await shop.customer({ name: "on again" });
    await runDue();
    expect(shop.receiver.names()).toEqual(["on", "on again"]);
  });

  test("is silent where its validation rule does not hold, and where the rule is no more", async () => {
    const shop = await aShop();
    const event = await aCustomEvent(shop.project);
    const rules = {
      1: { name: "custom_event.metadata", property: "total", conditions: { $more_than: [100] } },
      logic: "1",
    };
    const rule = (await shop.api.post("/v1/validation-rules", { name: "large", rules }, 200)).body;
    const trigger = { event: "customer.custom_event", custom_event: event };
    const channel = { ...sends(shop.receiver.url).channel, payload: "{{event.metadata.total}}" };
    await shop.make(sends(shop.receiver.url, { trigger, channel, validation_rule_id: rule.id }));
    const sent = async (total: number) => {
      await shop.api.post("/v1/events", { event, customer: { source_id: "ann" }, metadata: { total } }, 200);
      await runDue();
      return shop.receiver.received.map(({ body }) => body.data);
    };
    expect(await sent(100)).toEqual([]);
    expect(await sent(101)).toEqual([101]);
    await shop.api.delete(`/v1/validation-rules/${rule.id}`, 204);
    expect(await sent(102)).toEqual([101]);
  });

  test("asks its rule about the order as it was when that happened to it", async () => {
    const shop = await aShop();
    const rules = { 1: { name: "order.amount", conditions: { $more_than: [1_000] } }, logic: "1" };
    const rule = (await shop.api.post("/v1/validation-rules", { name: "large", rules }, 200)).body;
    const trigger = { event: "customer.order.paid" };
    const channel = { ...sends(shop.receiver.url).channel, payload: "{{order.amount}}" };
    await shop.make(sends(shop.receiver.url, { trigger, channel, validation_rule_id: rule.id }));
    for (const amount of [1_000, 1_001]) {
      const customer = { source_id: "ann" };
      const { id } = (await shop.api.post("/v1/orders", { customer, amount, status: "PAID" }, 200)).body;
      await shop.api.put(`/v1/orders/${id}`, { amount: 5_000 }, 200);
    }
    await runDue();
    expect(shop.receiver.received.map(({ body }) => body.data)).toEqual([1_001]);
  });

  test("is switched off by a message that could not be delivered, and goes on once it is switched on", async () => {
    const shop = await aShop();
    shop.receiver.answers(answering(500));
    const fields = sends(shop.receiver.url);
    const { id } = await shop.make(fields);
    await shop.customer();
    for (let hour = 0; hour < 26; hour += 1) {
      await runDue();
      clock.advance({ hours: 1 });
    }
    await runDue();
    expect(await shop.read(id)).toMatchObject({ active: false });
    shop.receiver.answers(answering(200));
    await shop.change(id, { ...fields, active: true });
    await shop.customer({ name: "Bob" });
    await runDue();
    expect(shop.receiver.names().at(-1)).toBe("Bob");
  });
});

describe("a project whose automations may make so many calls", () => {
  const limited = async () => {
    const shop = await aShop();
    const webhook_calls = [{ value: 2, duration: "P1D" }];
    await management.put(`/management/v1/projects/${shop.project.id}/limits`, { webhook_calls }, 200);
    await shop.make(sends(shop.receiver.url));
    return shop;
  };

  test("sends as many in a day, drops what is beyond, and begins anew with the next", async () => {
    const shop = await limited();
    for (const name of ["Ann", "Bob", "Cem"]) await shop.customer({ name });
    await runDue();
    expect(shop.receiver.received).toHaveLength(2);
    const instant = clock.now();
    clock.advance({ days: 1 });
    await shop.customer({ name: "Dov" });
    await runDue();
    expect(shop.receiver.received.slice(2)).toMatchObject([{ body: { data: { customer: { name: "Dov" } } } }]);
    clock.set(isoOf(instant));
  });

  test("is told once that most of them are used, which stops nothing", async () => {
    const shop = await limited();
    for (const name of ["Ann", "Bob"]) await shop.customer({ name });
    await runDue();
    const told = await service.context.db.many<{ kind: string; used_limit: object }>(
      sql`select kind, used_limit from notices where project_id = ${shop.project.id}`,
    );
    expect(told).toMatchObject([{ kind: "webhook_calls", used_limit: { calls: 2, value: 2, duration: "P1D" } }]);
  });
});
