import { expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { aMember, aName, aProgram, pointsOn } from "../loyalty.fixtures.js";

const service = await startService();
const { api, runDue } = service;

const per_order = {
  event: "order.paid",
  loyalty: { type: "PROPORTIONAL", calculation_type: "ORDER_AMOUNT", order: { amount: { every: 100, points: 3 } } },
};
const ten = { event: "order.paid", loyalty: { type: "FIXED", points: 10 } };

async function aProgramOf(rules: readonly object[], fields: Record<string, unknown> = {}, points = 0) {
  const program = await aProgram(service, fields, points);
  const { body } = await api.post(`/v1/loyalties/${program.id}/earning-rules`, rules, 200);
  const url = `/v1/loyalties/${program.id}/qualifications`;
  return {
    program,
    rule_ids: (body as { id: string }[]).map(({ id }) => id),
    url,
    estimate: async (sent: object) => (await api.post(url, sent, 200)).body.points_estimation as number,
  };
}

test("an estimate is what the order earns when it is paid, and stores nothing", async () => {
  const { body: rule } = await api.post(
    "/v1/validation-rules",
    { name: aName("rule"), rules: { "1": { name: "order.amount", conditions: { $more_than: [1000] } }, logic: "1" } },
    200,
  );
  const later = { ...ten, pending_points: { period_type: "DAY", period_value: 2 } };
  const rules = [per_order, later, { ...ten, validation_rule_id: rule.id }, { ...ten, active: false }];
  const { program, url, estimate } = await aProgramOf(rules);
  const { card, source_id } = await aMember(service, program);
  const sent = { customer: { source_id }, order: { items: [{ source_id: "tea", amount: 999 }] } };
  expect((await api.post(url, sent, 200)).body).toEqual({
    campaign: { id: program.id, name: program.name, object: "campaign" },
    points_estimation: 37,
  });
  expect(await estimate({ ...sent, order: { amount: 1100 } })).toBe(53);
  await runDue();
  expect(await pointsOn(service, card)).toEqual({ points: 0, balance: 0 });
  const { body: order } = await api.post("/v1/orders", { customer: { source_id }, amount: 1100, status: "PAID" }, 200);
  await runDue();
  // The ten that wait are in the estimate, and not in the points.
  expect((await pointsOn(service, card)).points).toBe(43);
  expect(await estimate({ customer: { source_id }, order: { id: order.id } })).toBe(53);
});

test("a member's tier counts; who would join by it counts without", async () => {
  const { program, rule_ids, estimate } = await aProgramOf([ten], { auto_join: true }, 50);
  const earning_rules = { [rule_ids[0] as string]: { type: "MULTIPLY", multiplier: 2 } };
  await api.post(`/v1/loyalties/${program.id}/tiers`, [{ name: "T", points: { from: 1 }, earning_rules }], 200);
  const { source_id } = await aMember(service, program);
  await runDue();
  expect(await estimate({ customer: { source_id }, order: { amount: 1 } })).toBe(20);
  expect(await estimate({ customer: { source_id: aName("stranger") }, order: { amount: 1 } })).toBe(10);
});

test.each([
  [{ order: {} }, ".customer"],
  [{ customer: {} }, ".order"],
  [{ customer: "ann", order: {} }, "Property .customer must be object"],
  [{ customer: {}, order: [] }, "Property .order must be object"],
])("%j is refused by what it lacks", async (sent, words) => {
  const { url } = await aProgramOf([ten]);
  const { body } = await api.post(url, sent, 400);
  expect(body.key).toBe("invalid_payload");
  if (words.startsWith("Property")) expect(body.details).toBe(words);
});

test.each([
  [{ customer: { id: "cust_none" }, order: {} }, "customer"],
  [{ customer: {}, order: { id: "ord_none" } }, "order"],
])("%j names something unknown", async (sent, resource_type) => {
  const { url } = await aProgramOf([ten]);
  expect((await api.post(url, sent, 404)).body.resource_type).toBe(resource_type);
});
