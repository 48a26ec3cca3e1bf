import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { aCustomEvent, aMember, aName, aProgram, aRule, booksOf, pointsOn } from "../loyalty.fixtures.js";

const service = await startService();
const { api, clock, project, runDue } = service;
const { entriesOf } = booksOf(service);

const silver = { name: "Silver", points: { from: 100, to: 199 } };
const gold = { name: "Gold", points: { from: 200 } };

/** A program with tiers, a rule that pays a point for a move between them, and a member with no points. */
async function aClub(event: string, rule: object = {}, program_fields: Record<string, unknown> = {}) {
  const program = await aProgram(service, program_fields);
  const { body: tiers } = await api.post(`/v1/loyalties/${program.id}/tiers`, [silver, gold], 200);
  const rules = `/v1/loyalties/${program.id}/earning-rules`;
  await api.post(rules, [{ event, loyalty: { type: "FIXED", points: 1 }, ...rule }], 200);
  const { card, source_id } = await aMember(service, program);
  return {
    ...{ program, rules, card, source_id, silver_id: tiers[0].id as string, gold_id: tiers[1].id as string },
    add: async (amount: number) => {
      await api.post(`/v1/vouchers/${card.code}/balance`, { amount }, 200);
      await runDue();
    },
    /** What rules have paid for, in order. */
    paid: async () => {
      const entries = (await entriesOf(card.id)).filter(({ type }) => type === "POINTS_ACCRUAL");
      return entries.map(({ details }) => {
        const { event, loyalty_tier } = details as { event: { type: string }; loyalty_tier: { name: string } };
        return `${event.type.replace("customer.loyalty.tier.", "")} ${loyalty_tier.name}`;
      });
    },
  };
}

describe("a rule that waits for a move between tiers pays whoever", () => {
  test("joins a tier, one or two above none", async () => {
    const one = await aClub("customer.loyalty.tier.joined");
    await one.add(120);
    const two = await aClub("customer.loyalty.tier.joined");
    await two.add(220);
    expect([await one.paid(), await two.paid()]).toEqual([["joined Silver"], ["joined Gold"]]);
    expect(await pointsOn(service, one.card)).toEqual({ points: 121, balance: 121 });
  });

  test("leaves a tier for none", async () => {
    const club = await aClub("customer.loyalty.tier.left");
    await club.add(120);
    await club.add(-60);
    expect(await club.paid()).toEqual(["left Silver"]);
  });

  test("comes into a higher tier", async () => {
    const club = await aClub("customer.loyalty.tier.upgraded");
    await club.add(120);
    await club.add(120);
    expect(await club.paid()).toEqual(["upgraded Gold"]);
  });

  test("falls into a lower tier", async () => {
    const club = await aClub("customer.loyalty.tier.downgraded");
    await club.add(220);
    await club.add(-100);
    expect(await club.paid()).toEqual(["downgraded Silver"]);
  });

  test("stays in a tier beyond its last day", async () => {
    const loyalty_tiers_expiration = {
      qualification_type: "BALANCE",
      start_date: { type: "IMMEDIATE" },
      expiration_date: { type: "CUSTOM", extend: "P2D" },
    };
    const club = await aClub("customer.loyalty.tier.prolonged", {}, { loyalty_tiers_expiration });
    await club.add(120);
    for (let day = 0; day < 4; day += 1) {
      clock.advance({ days: 1 });
      await runDue();
    }
    expect(await club.paid()).toEqual(["prolonged Silver"]);
  });
});

test("a rule that names a tier pays for that one alone, of whatever program it is", async () => {
  const club = await aClub("customer.loyalty.tier.left");
  const elsewhere = await aProgram(service);
  const rule = {
    event: "customer.loyalty.tier.joined",
    loyalty_tier: { id: club.gold_id },
    loyalty: { type: "FIXED", points: 7 },
  };
  await api.post(`/v1/loyalties/${elsewhere.id}/earning-rules`, [rule], 200);
  const { card } = await aMember(service, elsewhere, club.source_id);
  const other = await aClub("customer.loyalty.tier.left");
  await aMember(service, elsewhere, other.source_id);
  await club.add(300);
  await other.add(150);
  expect(await pointsOn(service, card)).toEqual({ points: 7, balance: 7 });
});

describe("a tier's mapping", () => {
  const mapped = async (mapping: object, points: number) => {
    const program = await aProgram(service, {}, points);
    const event = await aCustomEvent(service, project);
    const { id } = await aRule(service, program, event);
    await api.post(`/v1/loyalties/${program.id}/tiers`, [{ ...silver, earning_rules: { [id]: mapping } }], 200);
    const { card, source_id } = await aMember(service, program);
    await runDue();
    await api.post("/v1/events", { event: event.name, customer: { source_id } }, 200);
    await runDue();
    const { details } = (await api.get(`/v1/vouchers/${card.code}/transactions`, 200)).body.data[0];
    return { points: (await pointsOn(service, card)).points - points, details };
  };

  test.each([
    [{ type: "MULTIPLY", multiplier: 2.55 }, 25],
    [{ type: "CUSTOM", points: 3 }, 3],
  ])("%j is applied for its members, and stands in the books", async (mapping, points) => {
    const given = await mapped(mapping, 150);
    const tier = { id: expect.stringMatching(/^ltr_/), name: "Silver" };
    expect(given).toMatchObject({ points, details: { loyalty_tier: tier, holder_loyalty_tier: tier } });
  });

  test("is not applied for others", async () => {
    const given = await mapped({ type: "MULTIPLY", multiplier: 2 }, 50);
    expect(given.points).toBe(10);
    expect(given.details).not.toHaveProperty("loyalty_tier");
  });

  test("is applied to what the next rule pays, once the rule before has lifted the member", async () => {
    const program = await aProgram(service);
    const event = await aCustomEvent(service, project);
    await aRule(service, program, event, { loyalty: { type: "FIXED", points: 100 } });
    const { id } = await aRule(service, program, event);
    const earning_rules = { [id]: { type: "MULTIPLY", multiplier: 3 } };
    await api.post(`/v1/loyalties/${program.id}/tiers`, [{ ...silver, earning_rules }], 200);
    const { card, source_id } = await aMember(service, program);
    await api.post("/v1/events", { event: event.name, customer: { source_id } }, 200);
    await runDue();
    expect((await entriesOf(card.id)).map(({ amount }) => amount)).toEqual([100, 30]);
  });
});

test("moves that pay for the next end after ten that one request brought about", async () => {
  const program = await aProgram(service);
  const tiers = Array.from({ length: 16 }, (_, i) => ({
    name: aName("tier"),
    points: { from: 10 * (i + 1), to: 10 * (i + 1) + 9 },
  }));
  await api.post(`/v1/loyalties/${program.id}/tiers`, tiers, 200);
  const rules = ["joined", "upgraded"].map((move) => ({
    event: `customer.loyalty.tier.${move}`,
    loyalty: { type: "FIXED", points: 10 },
  }));
  await api.post(`/v1/loyalties/${program.id}/earning-rules`, rules, 200);
  const { card } = await aMember(service, program);
  await api.post(`/v1/vouchers/${card.code}/balance`, { amount: 10 }, 200);
  for (let i = 0; i < 16; i += 1) await runDue();
  expect((await pointsOn(service, card)).points).toBe(110);
});
