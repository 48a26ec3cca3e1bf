import { describe, expect, test } from "vitest";
import { aProgramThatPays, pointsOn } from "../../src/features/loyalties/loyalty.fixtures.js";
import { startService } from "../harness/service.js";

const service = await startService();
const { api, runDue } = service;

const disable = (campaign: string, rule: string, status: number) =>
  api.post(`/v1/loyalties/${encodeURIComponent(campaign)}/earning-rules/${rule}/disable`, undefined, status);

describe("POST /v1/loyalties/{campaignId}/earning-rules/{earningRuleId}/disable", () => {
  test("the response is the earning rule with active false", async () => {
    const { program, event, rule_id } = await aProgramThatPays(service);
    expect((await disable(program.id, rule_id, 200)).body).toMatchObject({
      id: rule_id,
      object: "earning_rule",
      active: false,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      loyalty: { type: "FIXED", points: 10 },
      event: event.name,
      custom_event: { schema_id: event.id },
      source: { banner: "Ten points", object_id: program.id, object_type: "campaign" },
      automation_id: expect.any(String),
      metadata: {},
    });
  });

  test("a rule that is inactive already stays inactive", async () => {
    const { program, rule_id } = await aProgramThatPays(service);
    const { body } = await disable(program.id, rule_id, 200);
    expect((await disable(program.id, rule_id, 200)).body).toEqual(body);
  });

  test("campaignId is the campaign's id or its name", async () => {
    const { program, rule_id } = await aProgramThatPays(service);
    expect((await disable(program.name, rule_id, 200)).body).toMatchObject({ id: rule_id, active: false });
  });

  test("an inactive rule gives no points", async () => {
    const { program, event, rule_id, source_id, card } = await aProgramThatPays(service);
    const sent = { event: event.name, customer: { source_id } };
    await api.post("/v1/events", sent, 200);
    await runDue();
    await disable(program.id, rule_id, 200);
    await api.post("/v1/events", sent, 200);
    await runDue();
    expect((await pointsOn(service, card)).balance).toBe(10);
  });

  test("an unknown campaign or rule is a 404 error", async () => {
    const { program, rule_id } = await aProgramThatPays(service);
    expect((await disable("unknown", rule_id, 404)).body.resource_type).toBe("campaign");
    expect((await disable(program.id, "ern_none", 404)).body.resource_type).toBe("earning_rule");
  });
});
