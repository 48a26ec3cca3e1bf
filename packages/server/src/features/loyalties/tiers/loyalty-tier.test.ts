import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { aName, aProgram } from "../loyalty.fixtures.js";

const service = await startService();
const { api } = service;

const silver = { name: "Silver", points: { from: 100, to: 199 } };
const gold = { name: "Gold", points: { from: 200 } };
const rewarding = (mapping: object) => [{ ...silver, rewards: { rewa: mapping } }];
const paying = (mapping: object) => [{ ...silver, earning_rules: { ern: mapping } }];

async function aProgramWithTiers(...tiers: object[]) {
  const program = await aProgram(service);
  const url = `/v1/loyalties/${program.id}/tiers`;
  const { body } = await api.post(url, tiers, 200);
  return { program, url, tiers: body as { id: string; name: string }[] };
}

describe("the tiers of a program", () => {
  test("are made in one request and read one by one, with what they make of rules and rewards", async () => {
    const mappings = {
      earning_rules: { ern_1: { type: "MULTIPLY", multiplier: 1.5 }, ern_2: { type: "CUSTOM", points: 7 } },
      rewards: { rewa_1: { type: "CUSTOM", points: 0 } },
      metadata: { colour: "gold" },
    };
    const { program, url, tiers } = await aProgramWithTiers(silver, { ...gold, ...mappings });
    expect(tiers).toMatchObject([
      {
        id: expect.stringMatching(/^ltr_/),
        name: "Silver",
        campaign_id: program.id,
        points: { from: 100, to: 199 },
        config: { points: { from: 100, to: 199 } },
        earning_rules: {},
        rewards: {},
        metadata: {},
        updated_at: null,
        object: "loyalty_tier",
      },
      { name: "Gold", points: { from: 200 }, ...mappings },
    ]);
    for (const tier of tiers) expect((await api.get(`${url}/${tier.id}`, 200)).body).toEqual(tier);
    const { body } = await api.get(`/v1/loyalties/${program.name}/tiers`, 200);
    expect(body).toMatchObject({ object: "list", data_ref: "data", total: 2 });
    expect(body.data).toEqual(tiers.toReversed());
  });

  test("belong to it alone", async () => {
    const { tiers } = await aProgramWithTiers(silver);
    const other = await aProgramWithTiers(silver);
    const unknown = { key: "not_found", resource_type: "loyalty_tier" };
    expect((await api.get(`${other.url}/${tiers[0]?.id}`, 404)).body).toMatchObject(unknown);
    expect((await api.get("/v1/loyalties/none/tiers", 404)).body.resource_type).toBe("campaign");
    expect((await api.post("/v1/loyalties/none/tiers", [silver], 404)).body.resource_type).toBe("campaign");
  });

  test("may leave gaps, and touch", async () => {
    await aProgramWithTiers(
      { name: "Bronze", points: { to: 49 } },
      silver,
      { name: "One", points: { from: 99, to: 99 } },
      gold,
    );
  });

  test.each<[string, object]>([
    ["inside another", { name: "In", points: { from: 150, to: 160 } }],
    ["around another", { name: "Around", points: { from: 0, to: 199 } }],
    ["at one point", { name: "At", points: { from: 50, to: 100 } }],
    ["without end below another", { name: "Open", points: { from: 0 } }],
    ["with one made together with them", { name: "Twin", points: { from: 205, to: 210 } }],
  ])("do not overlap: %s", async (_where, tier) => {
    const { url } = await aProgramWithTiers(silver);
    const { body } = await api.post(url, [gold, tier], 400);
    expect(body.key).toBe("invalid_payload");
    expect(body.details).toMatch(/^Property \[1\]\.points must not overlap with those of tier (Silver|Gold)$/);
    expect((await api.get(url, 200)).body.total).toBe(1);
  });

  test("do not overlap when they are made at once", async () => {
    const { url } = await aProgramWithTiers({ name: "Top", points: { from: 1000 } });
    const tiers = Array.from({ length: 8 }, (_none, i) => ({ name: `T${i}`, points: { from: i, to: 100 } }));
    const answers = await Promise.all(tiers.map((tier) => api.post(url, [tier])));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)]);
    expect((await api.get(url, 200)).body.total).toBe(2);
  });

  test.each<[unknown, string]>([
    [{ ...silver }, "Payload must be array"],
    [[], "Payload must NOT have fewer than 1 items"],
    [[{ points: { from: 1 } }], "Property [0] should have required property 'name'"],
    [[{ name: "a" }], "Property [0] should have required property 'points'"],
    [[{ name: "a", points: { from: -1 } }], "Property [0].points.from must be >= 0"],
    [[{ name: "a", points: { from: 1.5 } }], "Property [0].points.from must be integer"],
    [[{ name: "a", points: { from: 5, to: 4 } }], "Property [0].points.to must be >= 5"],
    [rewarding({ type: "FREE" }), "Property [0].rewards.rewa.type should be equal to one of the allowed values"],
    [rewarding({ points: 5 }), "Property [0].rewards.rewa should have required property 'type'"],
    [rewarding({ type: "CUSTOM" }), "Property [0].rewards.rewa should have required property 'points'"],
    [rewarding({ type: "CUSTOM", multiplier: 2 }), "Property [0].rewards.rewa should have required property 'points'"],
    [rewarding({ type: "CUSTOM", points: 1.5 }), "Property [0].rewards.rewa.points must be integer"],
    [rewarding({ type: "CUSTOM", points: -1 }), "Property [0].rewards.rewa.points must be >= 0"],
    [paying({ type: "MULTIPLY" }), "Property [0].earning_rules.ern should have required property 'multiplier'"],
    [paying({ type: "MULTIPLY", multiplier: -1 }), "Property [0].earning_rules.ern.multiplier must be >= 0"],
  ])("%j is refused", async (sent, details) => {
    const { body } = await api.post(`/v1/loyalties/${(await aProgram(service)).id}/tiers`, sent, 400);
    expect(body.key).toBe("invalid_payload");
    expect(body.details).toContain(details);
  });

  test("are a hundred at most", async () => {
    const tiers = Array.from({ length: 100 }, (_none, i) => ({ name: `T${i}`, points: { from: i, to: i } }));
    const { url } = await aProgramWithTiers(...tiers);
    expect((await api.post(url, [gold], 400)).body.details).toBe("A loyalty program has at most 100 tiers");
  });
});

describe("how members qualify", () => {
  const settings = (change: object) => ({
    qualification_type: "POINTS_IN_PERIOD",
    qualification_period: "MONTH",
    start_date: { type: "IMMEDIATE" },
    expiration_date: { type: "END_OF_PERIOD" },
    ...change,
  });
  const voucher = { type: "LOYALTY_CARD", loyalty_card: { points: 0 } };

  test.each<[object, string]>([
    [{ qualification_period: undefined }, "qualification_period is required with qualification_type POINTS_IN_PERIOD"],
    [{ qualification_type: "BALANCE" }, "expiration_date.type must be BALANCE_DROP or CUSTOM"],
    [{ expiration_date: { type: "CUSTOM" } }, "expiration_date.type must be END_OF_PERIOD or END_OF_NEXT_PERIOD"],
    [{ expiration_date: { type: "END_OF_PERIOD", extend: "PT5H" } }, "expiration_date.extend must be an ISO 8601"],
  ])("cannot be said in settings that do not go together: %j", async (change, details) => {
    const program = await aProgram(service, { loyalty_tiers_expiration: settings({}) });
    const loyalty_tiers_expiration = settings(change);
    const made = await api.post("/v1/loyalties", { name: aName("P"), voucher, loyalty_tiers_expiration }, 400);
    const changed = await api.put(`/v1/loyalties/${program.id}`, { loyalty_tiers_expiration }, 400);
    for (const { body } of [made, changed]) {
      expect(body.key).toBe("invalid_payload");
      expect(body.details).toContain(`Property .loyalty_tiers_expiration.${details}`);
    }
  });
});
