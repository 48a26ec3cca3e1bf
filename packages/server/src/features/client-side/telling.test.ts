import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { aCustomEvent, aMember, aName, aProgram } from "../loyalties/loyalty.fixtures.js";
import { aCampaign } from "../publications/publication.fixtures.js";

const service = await startService();
const { api, page, project, management, anotherProject } = service;

const switched = (name: string, on: boolean, id = project.id) =>
  management.put(`/management/v1/projects/${id}`, { [name]: on }, 200);

describe("POST /client/v1/publish", () => {
  const publish = (sent: object, query = "", status = 200) => page.post(`/client/v1/publish${query}`, sent, status);

  test("publishes as the server side does, the campaign named in any of three ways", async () => {
    const { name, id } = await aCampaign(api);
    const customer = { source_id: aName("c") };
    const codes = [
      await publish({ campaign: { name }, customer }),
      await publish({ campaign: id, customer, campaign_id: "ignored" }),
      await publish({ customer, channel: "Voucherify.js" }, `?campaign=${encodeURIComponent(name)}`),
    ].map(({ body }) => [body.voucher.campaign, body.tracking_id, body.channel]);
    expect(codes).toEqual([
      [name, customer.source_id, "API"],
      [name, customer.source_id, "API"],
      [name, customer.source_id, "Voucherify.js"],
    ]);
    const again = await publish({ campaign: name, customer }, "?join_once=true");
    expect((await api.get(`/v1/publications?campaign=${encodeURIComponent(name)}`, 200)).body.total).toBe(3);
    expect(again.body.customer_id).toMatch(/^cust_/);
    expect((await publish({ campaign: { name, count: 2 }, customer })).body.vouchers).toHaveLength(2);
  });

  test("finds the customer behind a tracking token", async () => {
    const { name } = await aCampaign(api);
    const source_id = aName("seen");
    const token = (await page.get(`/client/v1/validate?tracking_id=${encodeURIComponent(source_id)}&amount=1`, 200))
      .body.tracking_id;
    const { body } = await publish({ campaign: name, customer: { source_id: token } });
    expect(body.tracking_id).toBe(source_id);
    expect((await api.get(`/v1/customers/${encodeURIComponent(source_id)}`, 200)).body.id).toBe(body.customer_id);
  });

  test("tells a page of a customer what it has said itself", async () => {
    const { name } = await aCampaign(api);
    const source_id = aName("known");
    const known = { source_id, name: "Ann", email: "ann@example.com", metadata: { income: 1 } };
    await api.post("/v1/customers", known, 200);
    const { body } = await publish({ campaign: name, customer: { source_id, name: "Ann" } });
    expect(body.customer).toMatchObject({ name: "Ann", email: null, metadata: {} });
  });

  test("refuses with the keys of the server side", async () => {
    const { name } = await aCampaign(api, { codes: [] });
    const customer = { source_id: "ann" };
    expect((await publish({ campaign: name, customer }, "", 400)).body.key).toBe("no_voucher_suitable_for_publication");
    expect((await publish({ customer }, "", 400)).body.key).toBe("missing_vouchers");
    expect((await publish({ campaign: "none", customer }, "", 404)).body.resource_type).toBe("campaign");
    for (const campaign of [7, [], ""]) {
      expect((await publish({ campaign, customer }, "", 400)).body.key).toBe("invalid_payload");
    }
  });

  test("is refused while the project's switch is off, and from pages that it does not trust", async () => {
    const other = await anotherProject({ client_publish_enabled: false });
    const sent = { campaign: "any", customer: { source_id: "ann" } };
    expect((await other.page.post("/client/v1/publish", sent, 403)).body).toMatchObject({
      key: "forbidden",
      details: "The project does not let client-side calls publish vouchers",
    });
    const headers = { origin: "https://elsewhere.example" };
    await page.send("POST", "/client/v1/publish", { raw: JSON.stringify(sent), headers, status: 401 });
  });
});

describe("POST /client/v1/events", () => {
  test("stores the event of a customer, behind a token too, and tells the page what it said", async () => {
    const event = await aCustomEvent(service, project);
    const source_id = aName("c");
    await api.post("/v1/customers", { source_id, name: "Ann", metadata: { income: 1 } }, 200);
    const sent = { event: event.name, customer: { source_id }, metadata: { page: "cart" } };
    const { body } = await page.post("/client/v1/events", sent, 200);
    expect(body).toMatchObject({
      object: "event",
      type: event.name,
      customer: { source_id, name: null, metadata: {}, object: "customer" },
      referral: null,
      loyalty: null,
      metadata: { page: "cart" },
    });
    await page.post("/client/v1/events", { ...sent, event: "nobody's" }, 404);
    await page.post("/client/v1/events", { customer: { source_id } }, 400);
  });

  test("needs a switch for what concerns a card or a referral code", async () => {
    const event = await aCustomEvent(service, project);
    const { card, source_id } = await aMember(service, await aProgram(service));
    const sent = { event: event.name, customer: { source_id }, loyalty: { code: card.code } };
    expect((await page.post("/client/v1/events", sent, 403)).body).toMatchObject({
      key: "forbidden",
      details: "The project does not let client-side calls send events for loyalty cards and referral codes",
    });
    const referring = { event: event.name, customer: { source_id }, referral: { code: card.code } };
    await page.post("/client/v1/events", referring, 403);
    await switched("client_loyalty_events_enabled", true);
    await page.post("/client/v1/events", sent, 200);
    await page.post("/client/v1/events", referring, 200);
  });
});
