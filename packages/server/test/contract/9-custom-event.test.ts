import { describe, expect, test } from "vitest";
import { aCustomEvent, aMember, aProgram, aRule, pointsOn } from "../../src/features/loyalties/loyalty.fixtures.js";
import { startService } from "../harness/service.js";

const service = await startService();
const { api, project, runDue } = service;
const { name: event } = await aCustomEvent(service, project);
const customer = { source_id: "ann", name: "Ann", email: "ann@example.com" };

describe("POST /v1/events", () => {
  test("the response is the event, with a simple customer object; referral and loyalty are null", async () => {
    const { body } = await api.post("/v1/events", { event, customer, metadata: { page: "home" } }, 200);
    expect(body).toEqual({
      object: "event",
      type: event,
      customer: { ...customer, id: expect.any(String), metadata: {}, object: "customer" },
      referral: null,
      loyalty: null,
      metadata: { page: "home" },
    });
  });

  test("event must equal the name of a custom event defined in the project's event schema", async () => {
    await api.post("/v1/events", { event: "undefined event", customer }, 404);
  });

  test.each(["event", "customer"])("%s is required", async (field) => {
    await api.post("/v1/events", { event, customer, [field]: undefined }, 400);
  });

  test("metadata must follow the metadata schema of the event", async () => {
    const viewed = await aCustomEvent(service, project, { page: { type: "string", optional: false } });
    await api.post("/v1/events", { event: viewed.name, customer, metadata: { page: "home" } }, 200);
    await api.post("/v1/events", { event: viewed.name, customer, metadata: { page: 7 } }, 400);
    await api.post("/v1/events", { event: viewed.name, customer }, 400);
  });

  test("loyalty names the card to which an earning rule based on this event is credited", async () => {
    const bought = await aCustomEvent(service, project);
    const [one, other] = [await aProgram(service), await aProgram(service)];
    for (const program of [one, other]) await aRule(service, program, bought);
    const { source_id, card } = await aMember(service, one);
    const { card: other_card } = await aMember(service, other, source_id);
    await api.post("/v1/events", { event: bought.name, customer: { source_id }, loyalty: { code: card.code } }, 200);
    await runDue();
    expect((await pointsOn(service, card)).balance).toBe(10);
    expect((await pointsOn(service, other_card)).balance).toBe(0);
  });

  test("referral carries the code and the referrer of a conversion", async () => {
    const { source_id, card } = await aMember(service, await aProgram(service));
    const referral = { code: card.code, referrer_id: "someone" };
    const { body } = await api.post("/v1/events", { event, customer: { source_id }, referral }, 200);
    expect(body.referral).toBeNull();
  });
});
