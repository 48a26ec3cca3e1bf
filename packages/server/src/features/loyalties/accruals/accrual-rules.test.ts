import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";
import { aCustomEvent, aName, aProgram, aProgramThatPays, aRule, pointsOn } from "../loyalty.fixtures.js";

const service = await startService();
const { api, context, project, runDue } = service;

const leaf = (name: string, conditions: object, more: object = {}) => ({
  "1": { name, conditions, ...more },
  logic: "1",
});
const aValidationRule = async (rules: object) =>
  (await api.post("/v1/validation-rules", { name: aName("rule"), rules }, 200)).body.id as string;
const aSegment = async (fields: object) =>
  (await api.post("/v1/segments", { name: aName("segment"), ...fields }, 200)).body.id as string;

/** A program whose rule of ten points asks for something first. */
async function aProgramThatAsks(rules: object) {
  const validation_rule_id = await aValidationRule(rules);
  return { validation_rule_id, ...(await aProgramThatPays(service, { validation_rule_id })) };
}

async function send({ event, source_id }: { event: { name: string }; source_id: string }, metadata: object = {}) {
  await api.post("/v1/events", { event: event.name, customer: { source_id }, metadata }, 200);
  await runDue();
}

describe("an earning rule with a validation rule", () => {
  test("pays for the events whose metadata it asks for, and for others nothing, silently", async () => {
    const rules = leaf("custom_event.metadata", { $is: ["large"] }, { property: "size" });
    const program = await aProgramThatAsks(rules);
    for (const metadata of [{ size: "large" }, { size: "small" }, {}, { size: "large" }]) {
      await send(program, metadata);
    }
    expect(await pointsOn(service, program.card)).toEqual({ points: 20, balance: 20 });
  });

  test("pays the customers it asks for, as they are when they are paid", async () => {
    const program = await aProgramThatAsks(leaf("customer.metadata", { $is: ["gold"] }, { property: "plan" }));
    await send(program);
    expect(await pointsOn(service, program.card)).toEqual({ points: 0, balance: 0 });
    await api.put(`/v1/customers/${program.card.holder_id}`, { metadata: { plan: "gold" } }, 200);
    await send(program);
    expect(await pointsOn(service, program.card)).toEqual({ points: 10, balance: 10 });
  });

  test("knows the segments that list a customer, and those whose filter finds one", async () => {
    const filter = { junction: "and", "metadata.city": { conditions: { $is: ["Oslo"] } } };
    const static_id = await aSegment({ type: "static", customers: [] });
    const passive_id = await aSegment({ type: "passive", filter });
    const in_static = await aProgramThatAsks(leaf("customer.segment", { $is: [static_id] }));
    const in_passive = await aProgramThatAsks(leaf("customer.segment", { $is: [passive_id] }));
    const not_in_static = await aProgramThatAsks(leaf("customer.segment", { $is_not: [static_id] }));
    const all = [in_static, in_passive, not_in_static];
    for (const program of all) {
      await context.db.run(sql`
        insert into segment_members (project_id, customer_id, segment_id)
        values (${project.id}, ${program.card.holder_id}, ${static_id})`);
      await api.put(`/v1/customers/${program.card.holder_id}`, { metadata: { city: "Oslo" } }, 200);
      await send(program);
    }
    const points = await Promise.all(all.map(async ({ card }) => (await pointsOn(service, card)).points));
    expect(points).toEqual([10, 10, 0]);
  });

  test("pays by the rule as it was edited last, in the worker that has read it before", async () => {
    const asks = (size: string) => leaf("custom_event.metadata", { $is: [size] }, { property: "size" });
    const program = await aProgramThatAsks(asks("large"));
    await send(program, { size: "small" });
    expect((await pointsOn(service, program.card)).points).toBe(0);
    await api.put(
      `/v1/validation-rules/${program.validation_rule_id}`,
      { name: aName("rule"), rules: asks("small") },
      200,
    );
    await send(program, { size: "small" });
    expect((await pointsOn(service, program.card)).points).toBe(10);
  });

  test("pays without it once it is deleted, and shows none", async () => {
    const program = await aProgramThatAsks(leaf("custom_event.metadata", { $is: ["large"] }, { property: "size" }));
    await api.delete(`/v1/validation-rules/${program.validation_rule_id}`, 204);
    await send(program, { size: "small" });
    expect((await pointsOn(service, program.card)).points).toBe(10);
    const { data } = (await api.get(`/v1/loyalties/${program.program.id}/earning-rules`, 200)).body;
    expect(data[0].validation_rule_id).toBeNull();
  });

  test("is assigned it, by the earning rule as by an assignment, one at a time", async () => {
    const large = leaf("custom_event.metadata", { $is: ["large"] }, { property: "size" });
    const { validation_rule_id: first, ...program } = await aProgramThatAsks(large);
    const second = await aValidationRule(leaf("custom_event.metadata", { $is: ["small"] }, { property: "size" }));
    const url = `/v1/loyalties/${program.program.id}/earning-rules/${program.rule_id}`;
    const assigned = async () =>
      (await api.get(`/v1/validation-rules-assignments?related_object_id=${program.rule_id}`, 200)).body.data;
    const asked = async () => (await api.get(url, 200)).body.validation_rule_id;
    expect(await assigned()).toMatchObject([{ rule_id: first, related_object_type: "earning_rule" }]);
    expect((await api.get(`/v1/validation-rules/${first}`, 200)).body.assignments_count).toBe(1);

    const assign = (query: string, status: number) =>
      api.post(
        `/v1/validation-rules/${second}/assignments${query}`,
        { related_object_id: program.rule_id, related_object_type: "earning_rule" },
        status,
      );
    await assign("", 409);
    const { body: assignment } = await assign("?force=true", 200);
    expect(await asked()).toBe(second);
    await send(program, { size: "large" });
    await send(program, { size: "small" });
    expect((await pointsOn(service, program.card)).points).toBe(10);

    await api.delete(`/v1/validation-rules/${second}/assignments/${assignment.id}`, 204);
    expect(await asked()).toBeNull();
    await api.put(url, { validation_rule_id: first }, 200);
    expect(await assigned()).toMatchObject([{ rule_id: first }]);
    await api.put(url, { validation_rule_id: null }, 200);
    expect(await assigned()).toEqual([]);
  });

  test.each([
    ["an order", leaf("order.amount", { $more_than: [1] })],
    ["lines of an order", leaf("order.items.any", { $is: [{ object: "product", id: "prod_1" }] })],
  ])("that asks for %s pays nothing for an event, which has none", async (_what, rules) => {
    const program = await aProgramThatAsks(rules);
    await send(program);
    expect((await pointsOn(service, program.card)).points).toBe(0);
  });

  test("judges each of several events and rules by itself", async () => {
    const large = await aValidationRule(leaf("custom_event.metadata", { $is: ["large"] }, { property: "size" }));
    const program = await aProgramThatPays(service);
    const loyalty = { type: "FIXED", points: 100 };
    await aRule(service, program.program, program.event, { validation_rule_id: large, loyalty });
    for (const size of ["large", "small"]) {
      const { event, source_id } = program;
      await api.post("/v1/events", { event: event.name, customer: { source_id }, metadata: { size } }, 200);
    }
    await runDue();
    expect((await pointsOn(service, program.card)).points).toBe(120);
  });

  test("gives nobody a card who would not be paid", async () => {
    const validation_rule_id = await aValidationRule(
      leaf("custom_event.metadata", { $is: ["yes"] }, { property: "join" }),
    );
    const program = await aProgram(service, { auto_join: true });
    const event = await aCustomEvent(service, project);
    await aRule(service, program, event, { validation_rule_id });
    const source_id = aName("customer");
    const cards = async () =>
      (await api.get(`/v1/loyalties/${program.id}/members`, 200)).body.vouchers.map(
        ({ loyalty_card }: { loyalty_card: { points: number } }) => loyalty_card.points,
      );
    await send({ event, source_id }, { join: "no" });
    expect(await cards()).toEqual([]);
    await send({ event, source_id }, { join: "yes" });
    expect(await cards()).toEqual([10]);
  });
});
