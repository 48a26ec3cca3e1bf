import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { aMember, aName, aProgram, pointsOn } from "../loyalty.fixtures.js";

const service = await startService();
const { api, runDue } = service;

const in_city = (city: string) => ({ junction: "and", "metadata.city": { conditions: { $is: [city] } } });
const aSegment = async (fields: object) =>
  (await api.post("/v1/segments", { name: aName("segment"), ...fields }, 200)).body as { id: string; type: string };
const moveTo = async (source_id: string, city: string) => {
  await api.put(`/v1/customers/${source_id}`, { metadata: { city } }, 200);
  await runDue();
};

/** A program that pays whoever enters a segment. */
async function aProgramFor(segment: { id: string }, more: object = {}, fields: Record<string, unknown> = {}) {
  const program = await aProgram(service, fields);
  const rule = {
    event: "customer.segment.entered",
    segment: { id: segment.id },
    loyalty: { type: "FIXED", points: 10 },
    ...more,
  };
  const { body } = await api.post(`/v1/loyalties/${program.id}/earning-rules`, [rule], 200);
  await runDue();
  return { program, rule: body[0] as { id: string } };
}

describe("who enters a segment", () => {
  test("is paid each time, and told of the segment in the books", async () => {
    const city = aName("city");
    const segment = await aSegment({ type: "auto-update", filter: in_city(city) });
    const { program } = await aProgramFor(segment);
    const { card, source_id } = await aMember(service, program);
    for (const to of [city, "elsewhere", city]) await moveTo(source_id, to);
    expect(await pointsOn(service, card)).toEqual({ points: 20, balance: 20 });
    const { body } = await api.get(`/v1/vouchers/${card.code}/transactions`, 200);
    expect(body.data[0].details).toMatchObject({
      event: { type: "customer.segment.entered" },
      segment: { id: segment.id, name: expect.stringContaining("segment") },
    });
  });

  test("another than the rule's is not paid", async () => {
    const [city, other] = [aName("city"), aName("city")];
    const { program } = await aProgramFor(await aSegment({ type: "auto-update", filter: in_city(city) }));
    await aProgramFor(await aSegment({ type: "auto-update", filter: in_city(other) }));
    const { card, source_id } = await aMember(service, program);
    await moveTo(source_id, other);
    expect(await pointsOn(service, card)).toEqual({ points: 0, balance: 0 });
  });

  test("by what the customer's metadata say, where the rule asks for that", async () => {
    const city = aName("city");
    const segment = await aSegment({ type: "auto-update", filter: in_city(city) });
    const step = { every: 2, points: 3, property: "visits" };
    const { program } = await aProgramFor(segment, {
      loyalty: { type: "PROPORTIONAL", calculation_type: "CUSTOMER_METADATA", customer: { metadata: step } },
    });
    const { card, source_id } = await aMember(service, program);
    await api.put(`/v1/customers/${source_id}`, { metadata: { city, visits: 5 } }, 200);
    await runDue();
    expect(await pointsOn(service, card)).toEqual({ points: 6, balance: 6 });
  });

  test("joins a program that takes members by itself", async () => {
    const city = aName("city");
    const segment = await aSegment({ type: "auto-update", filter: in_city(city) });
    const { program } = await aProgramFor(segment, {}, { auto_join: true });
    const source_id = aName("customer");
    await api.post("/v1/customers", { source_id }, 200);
    await moveTo(source_id, city);
    const { body } = await api.get(
      `/v1/loyalties/${program.id}/members?customer=${encodeURIComponent(source_id)}`,
      200,
    );
    expect(body.vouchers.map((card: { loyalty_card: { points: number } }) => card.loyalty_card.points)).toEqual([10]);
  });
});

describe("a passive segment that an earning rule waits for", () => {
  test("keeps its members from then on: whoever it held has not entered", async () => {
    const city = aName("city");
    const segment = await aSegment({ type: "passive", filter: in_city(city) });
    service.clock.advance({ minutes: 1 });
    const early = aName("early");
    await api.post("/v1/customers", { source_id: early, metadata: { city } }, 200);
    service.clock.advance({ minutes: 1 });
    const { program } = await aProgramFor(segment, {}, { auto_join: true });
    expect((await api.get(`/v1/segments/${segment.id}`, 200)).body.type).toBe("auto-update");
    const late = aName("late");
    await api.post("/v1/customers", { source_id: late, metadata: { city } }, 200);
    await runDue();
    await moveTo(early, city);
    const { body } = await api.get(`/v1/loyalties/${program.id}/members`, 200);
    const holder = (await api.get(`/v1/customers/${late}`, 200)).body.id;
    expect(body.vouchers.map(({ holder_id }: { holder_id: string }) => holder_id)).toEqual([holder]);
  });

  test("cannot be deleted while the rule is there", async () => {
    const segment = await aSegment({ type: "passive", filter: in_city("Oslo") });
    const { program, rule } = await aProgramFor(segment);
    const { body } = await api.delete(`/v1/segments/${segment.id}`, 400);
    expect(body).toMatchObject({
      key: "resource_in_use",
      related_object_type: "earning_rule",
      related_object_ids: [rule.id],
    });
    await api.delete(`/v1/loyalties/${program.id}/earning-rules/${rule.id}`, 204);
    await api.delete(`/v1/segments/${segment.id}`, 204);
  });
});

test("a static segment is entered by nobody, so that no rule can wait for it", async () => {
  const segment = await aSegment({ type: "static", customers: [] });
  const program = await aProgram(service);
  const rule = {
    event: "customer.segment.entered",
    segment: { id: segment.id },
    loyalty: { type: "FIXED", points: 1 },
  };
  const { body } = await api.post(`/v1/loyalties/${program.id}/earning-rules`, [rule], 400);
  expect(body).toMatchObject({ key: "invalid_payload", details: expect.stringContaining("static segment") });
});

test.each([
  ["segment", { segment: { id: "seg_1" } }],
  ["loyalty_tier", { loyalty_tier: { id: "ltr_1" } }],
  ["pending_points", { pending_points: { period_type: "DAY", period_value: 1 }, event: "customer.loyalty.tier.left" }],
])("a rule that says %s for an event that has none is refused", async (part, fields) => {
  const program = await aProgram(service);
  const rule = { event: "order.paid", loyalty: { type: "FIXED", points: 1 }, ...fields };
  const { body } = await api.post(`/v1/loyalties/${program.id}/earning-rules`, [rule], 400);
  expect(body).toMatchObject({ key: "invalid_payload", details: expect.stringContaining(`.${part} can be used only`) });
});

test("a formula that cannot be read is refused by its name", async () => {
  const program = await aProgram(service);
  const rule = { event: "order.paid", loyalty: { type: "FIXED", points: 1, points_formula: "ORDER_AMOUNT *" } };
  const { body } = await api.post(`/v1/loyalties/${program.id}/earning-rules`, [rule], 400);
  expect(body).toMatchObject({
    key: "invalid_payload",
    details: expect.stringContaining("[0].loyalty.points_formula cannot be read"),
  });
});
