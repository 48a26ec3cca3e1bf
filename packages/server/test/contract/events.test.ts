import { describe, expect, test } from "vitest";
import { aCustomEvent, aProgram, aProgramThatPays, pointsOn } from "../../src/features/loyalties/loyalty.fixtures.js";
import { startService } from "../harness/service.js";

const service = await startService();
const { api, management, project, runDue } = service;
const program = await aProgram(service);
const loyalty = { type: "FIXED", points: 10 };
const addRule = (rule: Record<string, unknown>, status: number) =>
  api.post(`/v1/loyalties/${program.id}/earning-rules`, [{ loyalty, ...rule }], status);

describe("custom events", () => {
  test("are recorded through POST /v1/events; the response is an event of the same name", async () => {
    const { name } = await aCustomEvent(service, project);
    const { body } = await api.post("/v1/events", { event: name, customer: { source_id: "ann" } }, 200);
    expect(body).toMatchObject({ object: "event", type: name });
  });

  test("can trigger an earning rule, which then carries a custom_event", async () => {
    const { program, event, rule_id, source_id, card } = await aProgramThatPays(service);
    const { body } = await api.get(`/v1/loyalties/${program.id}/earning-rules/${rule_id}`, 200);
    expect(body.custom_event).toEqual({ schema_id: event.id });
    await api.post("/v1/events", { event: event.name, customer: { source_id } }, 200);
    await runDue();
    expect((await pointsOn(service, card)).balance).toBe(10);
  });
});

describe("an earning rule", () => {
  test.each([
    "order.paid",
    "customer.loyalty.tier.upgraded",
    "customer.loyalty.tier.downgraded",
    "customer.loyalty.tier.prolonged",
    "customer.loyalty.tier.joined",
    "customer.loyalty.tier.left",
  ])("can be made for the event %s", async (event) => {
    expect((await addRule({ event }, 200)).body[0].event).toBe(event);
  });

  test("of customer.segment.entered requires a segment reference", async () => {
    const { body } = await addRule({ event: "customer.segment.entered" }, 400);
    expect(body.details).toContain("segment");
  });

  test("has pending points for order.paid only", async () => {
    const pending_points = { period_type: "DAY", period_value: 14 };
    expect((await addRule({ event: "order.paid", pending_points }, 200)).body[0]).toMatchObject({ pending_points });
    await addRule({ event: "customer.loyalty.tier.joined", pending_points }, 400);
  });
});

test("a project has a webhook version, a webhook token, and a flag for events of the client side", async () => {
  const { body } = await management.get(`/management/v1/projects/${project.id}`, 200);
  expect(body).toMatchObject({
    webhook_version: "v2024-01-01",
    webhook_token: expect.stringMatching(/./),
    client_loyalty_events_enabled: false,
  });
});
