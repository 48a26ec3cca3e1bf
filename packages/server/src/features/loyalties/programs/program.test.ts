import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { aCustomEvent, aMember, aName, aProgram, aRule } from "../loyalty.fixtures.js";

const service = await startService();
const { api, runDue, project } = service;

const voucher = { type: "LOYALTY_CARD", loyalty_card: { points: 40 } };

describe("a loyalty program", () => {
  test("is refused where areas or stores are named that may see it: there are none yet", async () => {
    const access_settings = { assign: { areas_ids: ["area_1"] } };
    const voucher = { type: "LOYALTY_CARD", loyalty_card: { points: 0 } };
    const sent = { name: aName("Program"), voucher, access_settings };
    expect((await api.post("/v1/loyalties", sent, 400)).body.details).toContain(".access_settings");
    const { id } = await aProgram(service);
    expect((await api.put(`/v1/loyalties/${id}`, { access_settings }, 400)).body.details).toContain(".access_settings");
  });

  test("is a campaign whose vouchers are cards; customers join it once", async () => {
    const name = aName("Program");
    const expiration_rules = { period_type: "MONTH", period_value: 12, rounding_type: "END_OF_QUARTER" };
    const loyalty_tiers_expiration = {
      qualification_type: "BALANCE",
      start_date: { type: "IMMEDIATE" },
      expiration_date: { type: "BALANCE_DROP", extend: "P1M" },
    };
    const { body } = await api.post(
      "/v1/loyalties",
      {
        name,
        join_once: false,
        voucher: { ...voucher, loyalty_card: { points: 40, expiration_rules } },
        loyalty_tiers_expiration,
      },
      200,
    );
    expect(body).toMatchObject({
      name,
      campaign_type: "LOYALTY_PROGRAM",
      type: "AUTO_UPDATE",
      join_once: true,
      auto_join: false,
      active: true,
      protected: false,
      vouchers_count: 0,
      creation_status: "DONE",
      voucher: {
        type: "LOYALTY_CARD",
        loyalty_card: { points: 40, expiration_rules },
        redemption: { quantity: null },
        code_config: { length: 8 },
        is_referral_code: false,
      },
      loyalty_tiers_expiration,
      object: "campaign",
    });
    expect((await api.get(`/v1/loyalties/${name}`, 200)).body).toEqual(body);
    expect((await api.get(`/v1/campaigns/${body.id}`, 200)).body).toEqual(body);
    expect((await api.post("/v1/loyalties", { name, voucher }, 409)).body).toMatchObject({
      key: "duplicate_found",
      resource_type: "campaign",
      resource_id: name,
    });
  });

  test("is made by POST /v1/campaigns as well, named or told by its voucher", async () => {
    for (const named of [{ campaign_type: "LOYALTY_PROGRAM" }, {}]) {
      const { body } = await api.post("/v1/campaigns", { name: aName("Program"), voucher, ...named }, 200);
      expect(body).toMatchObject({ campaign_type: "LOYALTY_PROGRAM", join_once: true });
    }
  });

  test("has its cards made in the second phase, each with the points to start with", async () => {
    const program = await aProgram(service, { voucher, vouchers_count: 3 });
    expect(program.async_action_id).toMatch(/^aa_/);
    await runDue();
    const { body } = await api.get(`/v1/vouchers?campaign_id=${program.id}`, 200);
    expect(body.total).toBe(3);
    for (const card of body.vouchers) {
      expect(card).toMatchObject({
        type: "LOYALTY_CARD",
        loyalty_card: { points: 40, balance: 40 },
        publish: { count: 0 },
      });
    }
    const one = await api.post(`/v1/campaigns/${program.id}/vouchers`, {}, 200);
    expect(one.body.loyalty_card).toMatchObject({ points: 40, balance: 40 });
  });

  test("is listed among its like alone", async () => {
    const other = await service.anotherProject();
    const discount = { discount: { type: "AMOUNT", amount_off: 1 } };
    await other.api.post("/v1/campaigns", { name: "Discounts", voucher: discount }, 200);
    const program = await aProgram(other);
    const { body } = await other.api.get("/v1/loyalties", 200);
    expect(body).toMatchObject({ object: "list", data_ref: "campaigns", total: 1 });
    expect(body.campaigns[0].id).toBe(program.id);
    for (const path of ["/v1/loyalties/Discounts", "/v1/loyalties/none"]) {
      expect((await other.api.get(path, 404)).body).toMatchObject({ key: "not_found", resource_type: "campaign" });
    }
    await other.api.put("/v1/loyalties/Discounts", {}, 404);
    await other.api.delete("/v1/loyalties/Discounts", 404);
    await api.get(`/v1/loyalties/${program.id}`, 404);
  });

  test("gives its new points to the cards that nobody has; members keep theirs", async () => {
    const program = await aProgram(service, { voucher, vouchers_count: 2 });
    await runDue();
    const { card } = await aMember(service, program);
    const { body } = await api.put(
      `/v1/loyalties/${program.id}`,
      { loyalty_card: { points: 70 }, auto_join: true, metadata: { a: 1 }, name: "ignored" },
      200,
    );
    expect(body).toMatchObject({ name: program.name, auto_join: true, metadata: { a: 1 } });
    expect(body.voucher.loyalty_card).toEqual({ points: 70 });
    await runDue();
    const cards = (await api.get(`/v1/vouchers?campaign_id=${program.id}`, 200)).body.vouchers;
    const points = Object.fromEntries(
      cards.map(({ code, loyalty_card }: { code: string; loyalty_card: object }) => [code, loyalty_card]),
    );
    expect(points[card.code]).toMatchObject({ points: 40, balance: 40 });
    const [free] = Object.keys(points).filter((code) => code !== card.code);
    expect(points[free as string]).toMatchObject({ points: 70, balance: 70 });
  });

  test("goes with its cards and, deleted for good, with its rules; its name is free again", async () => {
    const program = await aProgram(service);
    const event = await aCustomEvent(service, project);
    await aRule(service, program, event);
    const { card } = await aMember(service, program);
    const { body } = await api.delete(`/v1/loyalties/${program.id}?force=true`, 200);
    expect(Object.keys(body)).toEqual(["async_action_id"]);
    await api.get(`/v1/loyalties/${program.id}`, 404);
    await runDue();
    await api.get(`/v1/loyalties/members/${card.id}`, 404);
    await api.post("/v1/loyalties", { name: program.name, voucher }, 200);
  });
});

describe("a program's body", () => {
  const name = "Refused";
  test.each<[Record<string, unknown>, string]>([
    [{ name }, "Payload must have required property 'voucher'"],
    [{ voucher }, "Payload must have required property 'name'"],
    [{ name, voucher: {} }, "Property .voucher should have required property 'type'"],
    [{ name, voucher: { type: "LOYALTY_CARD" } }, "Property .voucher should have required property 'loyalty_card'"],
    [
      { name, voucher: { type: "LOYALTY_CARD", loyalty_card: {} } },
      "Property .voucher.loyalty_card should have required property 'points'",
    ],
    [
      { name, voucher: { type: "LOYALTY_CARD", loyalty_card: { points: -1 } } },
      "Property .voucher.loyalty_card.points must be >= 0",
    ],
    [
      { name, voucher: { type: "LOYALTY_CARD", loyalty_card: { points: 1.5 } } },
      "Property .voucher.loyalty_card.points must be integer",
    ],
    [
      { name, voucher: { type: "LOYALTY_CARD", loyalty_card: { points: 2 ** 53 } } },
      "Property .voucher.loyalty_card.points must be <= 1000000000000",
    ],
    [
      { name, voucher: { ...voucher, loyalty_card: { points: 1, expiration_rules: { period_type: "MONTH" } } } },
      "Property .voucher.loyalty_card.expiration_rules should have required property 'period_value'",
    ],
    [
      { name, voucher: { ...voucher, type: "GIFT_VOUCHER" } },
      "Property .voucher.type should be equal to one of the allowed values [LOYALTY_CARD]",
    ],
    [
      { name, voucher, campaign_type: "PROMOTION" },
      "Property .campaign_type should be equal to one of the allowed values [LOYALTY_PROGRAM]",
    ],
    [
      { name, voucher, type: "STANDALONE" },
      "Property .type should be equal to one of the allowed values [AUTO_UPDATE, STATIC]",
    ],
    [{ name: "x".repeat(9000), voucher }, "Property .name must NOT have more than 255 characters"],
  ])("%j is refused", async (sent, details) => {
    expect((await api.post("/v1/loyalties", sent, 400)).body).toMatchObject({ key: "invalid_payload", details });
  });

  test("a rule that is sent along is refused by name: a program is given one when it is there", async () => {
    const { body } = await api.post("/v1/loyalties", { name, voucher, validation_rules: ["val_1"] }, 400);
    expect(body).toMatchObject({ key: "invalid_campaign", details: expect.stringContaining("'validation_rules'") });
    await api.post("/v1/loyalties", { name: "Without", voucher, validation_rules: [] }, 200);
  });

  test("of a campaign says the same in its own words", async () => {
    const refused = async (sent: Record<string, unknown>) =>
      (await api.post("/v1/campaigns", { name, campaign_type: "LOYALTY_PROGRAM", ...sent }, 400)).body;
    expect(await refused({})).toMatchObject({ key: "invalid_campaign" });
    expect(await refused({ voucher: { gift: { amount: 1 } } })).toMatchObject({ key: "invalid_campaign" });
    expect(await refused({ voucher, type: "STANDALONE" })).toMatchObject({ key: "invalid_campaign" });
  });
});
