import { describe, expect, test } from "vitest";
import { createClient } from "../../../test/harness/client.js";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { aName, aProgram } from "../loyalties/loyalty.fixtures.js";
import { aCampaign, publisherOn } from "./publication.fixtures.js";

const service = await startService();
const { api, clock, context, project, url, anotherProject } = service;
const { publish, refused } = publisherOn(api);

const ann = { source_id: "ann" };
const bob = { source_id: "bob" };

describe("POST /v1/publications", () => {
  test("publishes the next code of a campaign, by its name or id, and shows publication, customer and code", async () => {
    const campaign = await aCampaign(api, { codes: ["FIRST", "SECOND"], clock });
    const customer = { source_id: aName("c"), name: "Ann", email: "ann@example.com", metadata: { plan: "gold" } };
    const sent = { customer, metadata: { shop: "north" }, channel: null, source_id: null, voucher: null };
    const { body } = await publish({ ...sent, campaign: { name: campaign.name } });
    const { id, metadata: _own, ...profile } = customer as Record<string, unknown>;
    expect(body).toMatchObject({
      id: expect.stringMatching(/^pub_/),
      object: "publication",
      created_at: new Date(clock.now()).toISOString(),
      customer_id: body.customer.id,
      tracking_id: customer.source_id,
      metadata: { shop: "north" },
      channel: "API",
      source_id: null,
      result: "SUCCESS",
      customer: { ...profile, metadata: { plan: "gold" }, object: "customer" },
      voucher: { code: "FIRST", campaign: campaign.name, holder_id: body.customer.id, publish: { count: 1 } },
      vouchers_id: [body.voucher.id],
    });
    expect(id).toBeUndefined();
    expect(body).not.toHaveProperty("vouchers");
    expect((await publish({ customer, campaign: { name: campaign.id } })).body.voucher.code).toBe("SECOND");
  });

  test("goes through the worked sequence of the specification", async () => {
    const { name } = await aCampaign(api, { codes: ["W1", "W2"], clock });
    const campaign = { name };
    const p1 = aName("p1");
    const first = (await publish({ campaign, customer: ann, source_id: p1 })).body;
    expect(first.voucher.code).toBe("W1");
    expect((await publish({ campaign, customer: ann, source_id: p1 })).body.id).toBe(first.id);
    expect((await publish({ campaign, customer: ann }, "?join_once=true")).body.id).toBe(first.id);
    expect(await refused({ campaign, customer: bob, source_id: p1 })).toMatchObject({
      key: "duplicate_source_id",
      message: "Duplicate source_id",
      details: `Publication with source_id: '${p1}' already exists`,
    });
    expect(await refused({ voucher: "W1", customer: bob })).toMatchObject({
      key: "voucher_already_published",
      message: "Voucher already published",
      details: expect.stringContaining(first.voucher.id),
    });
    expect((await publish({ campaign, customer: ann })).body.voucher.code).toBe("W2");
    expect(await refused({ campaign, customer: bob })).toMatchObject({
      key: "no_voucher_suitable_for_publication",
      message: "Couldn't find any voucher suitable for publication",
    });
    expect((await api.get(`/v1/publications?campaign=${name}`, 200)).body.total).toBe(2);
  });

  test("lets a customer join once where the campaign says so", async () => {
    const { name } = await aCampaign(api, { codes: ["J1", "J2"], clock, fields: { join_once: true } });
    const campaign = { name };
    await publish({ campaign, customer: ann });
    expect(await refused({ campaign, customer: ann })).toMatchObject({
      key: "voucher_cannot_be_published",
      details: "Voucher cannot be published. Customer already joined program.",
    });
    expect((await publish({ campaign, customer: ann }, "?join_once=true")).body.voucher.code).toBe("J1");
    expect((await refused({ campaign: { name, count: 2 }, customer: { source_id: aName("c") } })).key).toBe(
      "too_many_vouchers_requested",
    );
    expect((await publish({ campaign, customer: bob })).body.voucher.code).toBe("J2");
  });

  test("makes codes on demand where the campaign grows, and tells of each", async () => {
    const { name, id } = await aCampaign(api, { fields: { type: "AUTO_UPDATE" } });
    const { body } = await publish({ campaign: { name, count: 3 }, customer: { source_id: aName("c") } });
    expect(body.vouchers).toHaveLength(3);
    expect((await api.get(`/v1/campaigns/${id}`, 200)).body.vouchers_count).toBe(3);
    const told = await context.db.many<{ type: string; entity_id: string }>(sql`
      select events.type, events.entity_id from events
       where events.project_id = ${project.id}
         and (events.customer_id = ${body.customer_id} or events.entity_id = any(${body.vouchers_id}::text[]))`);
    const count = (type: string) => told.filter((one) => one.type === type).length;
    expect([count("voucher.created"), count("publication.succeeded"), count("voucher.published")]).toEqual([3, 1, 3]);
  });

  test("says that no more codes could be made where a campaign that grows has none left to make", async () => {
    const voucher = { discount: { type: "AMOUNT", amount_off: 100 }, code_config: { pattern: aName("ONLY") } };
    const { name } = await aCampaign(api, { fields: { voucher } });
    await publish({ campaign: { name }, customer: { source_id: aName("c") } });
    expect(await refused({ campaign: { name }, customer: { source_id: aName("c") } })).toMatchObject({
      key: "no_voucher_suitable_for_publication",
      details: "Couldn't create new vouchers for publication",
    });
  });

  test("gives several codes at once, all or none", async () => {
    const { name } = await aCampaign(api, { codes: ["M1", "M2", "M3"], clock });
    const customer = { source_id: aName("c") };
    const { body } = await publish({ campaign: { name, count: 2 }, customer });
    expect(body).toMatchObject({ vouchers: ["M1", "M2"], vouchers_id: [expect.any(String), expect.any(String)] });
    expect(body).not.toHaveProperty("voucher");
    expect((await refused({ campaign: { name, count: 2 }, customer })).key).toBe("no_voucher_suitable_for_publication");
    expect((await api.get("/v1/vouchers/M3", 200)).body.publish.count).toBe(0);
    const held = (await api.get(`/v1/vouchers?customer=${customer.source_id}&order=code`, 200)).body.vouchers;
    expect(held.map(({ code }: { code: string }) => code)).toEqual(["M1", "M2"]);
    const [refusal, given] = (await api.get(`/v1/publications?customer=${customer.source_id}`, 200)).body.publications;
    expect(given).toMatchObject({ id: body.id, vouchers: ["M1", "M2"], vouchers_id: body.vouchers_id });
    expect(refusal).toMatchObject({ result: "FAILURE", vouchers_id: [] });
    const named = (await api.get("/v1/publications?voucher=M2", 200)).body.publications;
    expect(named.map(({ id }: { id: string }) => id)).toEqual([body.id]);
    const given_to = `filters[published_for_customer_id][conditions][$is]=${body.customer_id}`;
    expect((await api.get(`/v1/vouchers?${given_to}`, 200)).body.total).toBe(2);
    const conditions = { $is: body.vouchers_id[1] };
    const filter = { junction: "and", "publications.related_object_id": { conditions } };
    const segment = (await api.post("/v1/segments", { name: aName("S"), type: "passive", filter }, 200)).body;
    const { data } = (await api.get(`/v1/customers/${body.customer_id}/segments`, 200)).body;
    expect(data.map(({ id }: { id: string }) => id)).toEqual([segment.id]);
  });

  test("gives a code that belongs to no campaign to one customer after the other", async () => {
    const code = aName("GENERIC");
    await api.post(`/v1/vouchers/${code}`, { discount: { type: "AMOUNT", amount_off: 1 } }, 200);
    const first = (await publish({ voucher: code, customer: ann })).body;
    const { body } = await publish({ voucher: code, customer: bob, campaign: { name: "ignored" } });
    expect(body.voucher).toMatchObject({ publish: { count: 2 }, holder_id: first.customer_id, campaign: null });
    await api.post(`/v1/vouchers/${code}/disable`, {}, 200);
    expect((await refused({ voucher: code, customer: bob })).key).toBe("no_voucher_suitable_for_publication");
  });

  test("gives gift and loyalty cards, of a campaign that is switched off too", async () => {
    const gift = await aCampaign(api, { fields: { voucher: { type: "GIFT_VOUCHER", gift: { amount: 500 } } } });
    await api.post(`/v1/campaigns/${gift.id}/disable`, {}, 200);
    const { body } = await publish({ campaign: { name: gift.name }, customer: ann });
    expect(body.voucher).toMatchObject({ type: "GIFT_VOUCHER", gift: { amount: 500, balance: 500 } });
    const program = await aProgram(service, {}, 25);
    const joined = (await publish({ campaign: { name: program.name }, customer: ann })).body;
    expect(joined.voucher).toMatchObject({ type: "LOYALTY_CARD", loyalty_card: { balance: 25 } });
    const again = await publish({ campaign: { name: program.name }, customer: ann }, "?join_once=true");
    expect(again.body.id).toBe(joined.id);
    expect((await refused({ campaign: { name: program.id }, customer: ann })).key).toBe("voucher_cannot_be_published");
  });

  test("answers the card that a member call gave under the same source id", async () => {
    const program = await aProgram(service);
    const source_id = aName("publication");
    const customer = { source_id: aName("c") };
    const card = (await api.post(`/v1/loyalties/${program.id}/members`, { customer, source_id }, 200)).body;
    const { body } = await publish({ campaign: { name: program.id }, customer, source_id });
    expect(body.voucher.id).toBe(card.id);
  });

  test("takes an e-mail address for a customer, somebody new each time", async () => {
    const { name } = await aCampaign(api);
    const customer = { email: "new@example.com" };
    const [one, other] = [
      await publish({ campaign: { name }, customer }),
      await publish({ campaign: { name }, customer }),
    ];
    expect(one.body.customer).toMatchObject({ email: "new@example.com", source_id: null });
    expect(other.body.customer_id).not.toBe(one.body.customer_id);
  });

  test("lays what is sent over a stored customer, and leaves it alone where it refuses", async () => {
    const { name } = await aCampaign(api, { codes: ["ONLY"] });
    const source_id = aName("c");
    await api.post("/v1/customers", { source_id, name: "Old", metadata: { a: 1 } }, 200);
    await publish({ campaign: { name }, customer: { source_id, name: "New", metadata: { b: 2 } } });
    const stored = async () => (await api.get(`/v1/customers/${source_id}`, 200)).body;
    expect(await stored()).toMatchObject({ name: "New", metadata: { a: 1, b: 2 } });
    await refused({ campaign: { name }, customer: { source_id, name: "Newer" } });
    expect((await stored()).name).toBe("New");
  });

  test("keeps a refusal for a known customer, with what was asked for, and none for a newcomer", async () => {
    const { name } = await aCampaign(api, { codes: ["TAKEN-ONCE"] });
    const { source_id } = (await publish({ campaign: { name }, customer: { source_id: aName("c") } })).body.customer;
    const metadata = { why: "again" };
    await refused({ voucher: "TAKEN-ONCE", customer: { source_id }, metadata, source_id: aName("p") });
    const [failed] = (await api.get("/v1/publications?voucher=TAKEN-ONCE", 200)).body.publications;
    expect(failed).toMatchObject({
      result: "FAILURE",
      failure_code: "voucher_already_published",
      failure_message: "Voucher already published",
      tracking_id: source_id,
      metadata,
      vouchers: [],
      vouchers_id: [],
    });
    expect(failed).not.toHaveProperty("voucher");
    const newcomer = aName("c");
    await refused({ campaign: { name }, customer: { source_id: newcomer } });
    await api.get(`/v1/customers/${newcomer}`, 404);
    // Only what was given takes a source id.
    const free = await publish({
      campaign: { name: (await aCampaign(api)).name },
      customer: ann,
      source_id: failed.source_id,
    });
    expect(free.body.source_id).toBe(failed.source_id);
  });

  test("names unknown vouchers, campaigns and customers, those of another project too", async () => {
    const other = await anotherProject();
    const foreign = await aCampaign(other.api, { codes: ["FOREIGN"] });
    const unknown = async (sent: object) => (await api.post("/v1/publications", { customer: ann, ...sent }, 404)).body;
    expect(await unknown({ voucher: "FOREIGN" })).toMatchObject({ resource_type: "voucher", resource_id: "FOREIGN" });
    expect(await unknown({ campaign: { name: foreign.id } })).toMatchObject({ resource_type: "campaign" });
    const { name } = await aCampaign(api);
    expect(await unknown({ campaign: { name }, customer: { id: "cust_none" } })).toMatchObject({
      key: "not_found",
      resource_type: "customer",
      resource_id: "cust_none",
    });
  });

  test.each<[Record<string, unknown>, string]>([
    [{ campaign: { name: "x" }, customer: undefined }, "Payload must have required property 'customer'"],
    [{ campaign: { name: "x" }, customer: {} }, "Property .customer should have required property 'source_id'"],
    [{ campaign: {} }, "Property .campaign should have required property 'name'"],
    [{ campaign: "x" }, "Property .campaign must be object"],
    [{ campaign: { name: "x", count: 0 } }, "Property .campaign.count must be >= 1"],
    [{ campaign: { name: "x", count: 51 } }, "Property .campaign.count must be <= 50"],
    [{ campaign: { name: "x", count: 1.5 } }, "Property .campaign.count must be integer,null"],
    [{ voucher: 7 }, "Property .voucher must be string,null"],
    [{ voucher: "x", metadata: [] }, "Property .metadata must be object"],
    [{ voucher: "x".repeat(256) }, "Property .voucher must NOT have more than 255 characters"],
  ])("%j has a wrong field", async (sent, details) => {
    const { body } = await api.post("/v1/publications", { customer: ann, ...sent }, 400);
    expect(body).toMatchObject({ key: "invalid_payload" });
    expect(body.details).toContain(details);
  });
});

describe("GET /v1/publications/create", () => {
  const integration = createClient(url, { "x-app-id": project.app_id, "x-app-token": project.app_token });
  const make = (is_integration: boolean, role = "ADMIN") =>
    context.db.transaction(async (tx) => {
      await tx.run(sql`
        update api_keys set is_integration = ${is_integration}, role = ${role}
         where api_keys.project_id = ${project.id} and api_keys.id = ${project.app_id}`);
      await tx.run(sql`
        update project_versions set version = project_versions.version + 1 where project_versions.project_id = ${project.id}`);
    }, project.id);

  test("is for keys of integrations that may change something", async () => {
    const { name } = await aCampaign(api);
    const query = `campaign[name]=${name}&customer[source_id]=ann`;
    const { body } = await api.get(`/v1/publications/create?${query}`, 403);
    expect(body).toMatchObject({ code: 403, key: "integration_api_key_required", message: "Forbidden" });
    await make(true, "VIEWER");
    expect((await integration.get(`/v1/publications/create?${query}`, 403)).body.key).toBe(
      "missing_required_permission",
    );
    await make(false);
  });

  test("publishes one voucher as the POST does", async () => {
    const { name } = await aCampaign(api, { codes: ["G1", "G2"], clock });
    await make(true);
    const get = async (query: string, status = 200) =>
      (await integration.get(`/v1/publications/create?${query}`, status)).body;
    const source_id = aName("p");
    const named = `campaign[name]=${name}&customer[source_id]=ann&metadata[shop]=north&source_id=${source_id}`;
    const first = await get(named);
    expect(first).toMatchObject({ voucher: { code: "G1" }, metadata: { shop: "north" }, source_id });
    expect(await get(named)).toMatchObject({ id: first.id });
    expect(await get(`campaign[name]=${name}&customer[source_id]=ann&join_once=true`)).toMatchObject({ id: first.id });
    expect(await get("voucher=G2&customer[source_id]=bob")).toMatchObject({ voucher: { code: "G2" } });
    expect(await get(`campaign[name]=${name}&campaign[count]=2&customer[source_id]=bob`, 400)).toMatchObject({
      key: "too_many_vouchers_requested",
    });
    expect(await get(`campaign[name]=${name}`, 400)).toMatchObject({ key: "invalid_query_params" });
    expect(await get("customer[source_id]=bob", 400)).toMatchObject({ key: "missing_vouchers" });
    await make(false);
  });
});
