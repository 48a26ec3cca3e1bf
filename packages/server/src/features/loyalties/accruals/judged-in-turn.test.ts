import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { aCustomEvent, aMember, aName, aProgram, aRule, pointsOn } from "../loyalty.fixtures.js";

const service = await startService();
const { api, project, runDue } = service;
const event = await aCustomEvent(service, project);

const asks = async (name: string, conditions: object) => {
  const rules = { "1": { name, conditions }, logic: "1" };
  return (await api.post("/v1/validation-rules", { name: aName("rule"), rules }, 200)).body.id as string;
};
const pays = (points: number, validation_rule_id: string | null = null) => ({
  loyalty: { type: "FIXED", points },
  validation_rule_id,
});

/** A program whose members are silver from a hundred points on, and the rules that pay for an event, oldest first. */
async function aClub() {
  const program = await aProgram(service);
  const tiers = [{ name: "Silver", points: { from: 100 } }];
  const { body } = await api.post(`/v1/loyalties/${program.id}/tiers`, tiers, 200);
  const silver_id: string = body[0].id;
  return {
    program,
    is_silver: await asks("customer.loyalty_tier", { $is: [silver_id] }),
    is_not_silver: await asks("customer.loyalty_tier", { $is_not: [silver_id] }),
    rules: async (...rules: Record<string, unknown>[]) => {
      for (const rule of rules) await aRule(service, program, event, rule);
    },
  };
}

/** Events of each of them that are looked at together. */
async function happens(times: number, ...members: { source_id: string }[]): Promise<void> {
  for (let i = 0; i < times; i += 1)
    for (const { source_id } of members)
      await api.post("/v1/events", { event: event.name, customer: { source_id } }, 200);
  await runDue();
}

describe("what a rule asks for is looked at when its turn has come, of events that are paid together (loyalty.md §4.5)", () => {
  test("a rule that asks for a tier pays whom the one before it lifted there", async () => {
    const club = await aClub();
    await club.rules(pays(100), pays(10, club.is_silver));
    const member = await aMember(service, club.program);
    await happens(1, member);
    expect((await pointsOn(service, member.card)).points).toBe(110);
  });

  test("and a rule for those who are not there yet pays them no longer", async () => {
    const club = await aClub();
    await club.rules(pays(60, club.is_not_silver));
    const members = [await aMember(service, club.program), await aMember(service, club.program)];
    await happens(5, ...members);
    for (const { card } of members) expect((await pointsOn(service, card)).points).toBe(120);
  });

  test("points that were moved by hand before count, whether or not their tier was looked at", async () => {
    const club = await aClub();
    await club.rules(pays(10, club.is_silver));
    const member = await aMember(service, club.program);
    await api.post(`/v1/loyalties/members/${member.card.code}/balance`, { points: 100 }, 200);
    await happens(1, member);
    expect((await pointsOn(service, member.card)).points).toBe(110);
  });

  test("a tier of another program counts as its own", async () => {
    const [club, other] = [await aClub(), await aClub()];
    await other.rules(pays(50));
    await club.rules(pays(10, other.is_silver));
    const member = await aMember(service, club.program);
    const { card } = await aMember(service, other.program, member.source_id);
    await happens(3, member);
    expect((await pointsOn(service, card)).points).toBe(150);
    expect((await pointsOn(service, member.card)).points).toBe(20);
  });

  test("a segment of those with points has whoever has been paid enough of them", async () => {
    const program = await aProgram(service);
    const filter = { junction: "and", "loyalty.points": { conditions: { $more_than: [15] } } };
    const segment = { name: aName("segment"), type: "passive", filter };
    const rich = await asks("customer.segment", { $is: [(await api.post("/v1/segments", segment, 200)).body.id] });
    for (const rule of [pays(10), pays(1000, rich)]) await aRule(service, program, event, rule);
    const [often, once] = [await aMember(service, program), await aMember(service, program)];
    await happens(2, often);
    await happens(1, once);
    expect((await pointsOn(service, often.card)).points).toBe(1020);
    expect((await pointsOn(service, once.card)).points).toBe(10);
  });
});
