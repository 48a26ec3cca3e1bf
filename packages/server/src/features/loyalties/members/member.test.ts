import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";
import { aMember, aName, aProgram } from "../loyalty.fixtures.js";

const service = await startService();
const { api, clock, context, project, runDue } = service;

const join = (program: { id: string }, body: Record<string, unknown>, status = 200) =>
  api.post(`/v1/loyalties/${program.id}/members`, body, status);

/** A program whose cards are made ahead and are all there are. */
async function aProgramWithCards(vouchers_count: number, fields: Record<string, unknown> = {}) {
  const program = await aProgram(service, { type: "STATIC", vouchers_count, ...fields });
  await runDue();
  return program;
}

const publicationsOf = (customer: string) =>
  context.db.many<Record<string, unknown>>(sql`
    select publications.result, publications.failure_code, publications.source_id, publications.channel,
           publications.metadata, publications.voucher_id, publications.campaign_id
      from publications
      join customers on customers.project_id = publications.project_id and customers.id = publications.customer_id
     where publications.project_id = ${project.id} and customers.source_id = ${customer}
     order by publications.created_at, publications.id`);

const typesOf = async (customer_id: string) =>
  (
    await context.db.many<{ type: string }>(sql`
      select events.type from events
       where events.project_id = ${project.id} and events.customer_id = ${customer_id}
       order by events.created_at, events.id`)
  ).map(({ type }) => type);

describe("POST /v1/loyalties/:campaignId/members", () => {
  test("publishes a card to the customer and answers the card", async () => {
    const program = await aProgram(service, {}, 25);
    const { body } = await join(program, {
      customer: { source_id: "ann", name: "Ann" },
      metadata: { shop: "north" },
      channel: "till",
    });
    const customer = (await api.get("/v1/customers/ann", 200)).body;
    expect(body).toMatchObject({
      type: "LOYALTY_CARD",
      campaign: program.name,
      campaign_id: program.id,
      discount: null,
      gift: null,
      holder_id: customer.id,
      is_referral_code: false,
      active: true,
      loyalty_card: {
        points: 25,
        balance: 25,
        next_expiration_date: null,
        next_expiration_points: 25,
        pending_points: 0,
        expired_points: 0,
        subtracted_points: 0,
      },
      publish: { object: "list", count: 1 },
      redemption: { redeemed_quantity: 0, redeemed_points: 0 },
      metadata: {},
      object: "voucher",
    });
    expect(customer.name).toBe("Ann");
    expect(await publicationsOf("ann")).toEqual([
      {
        result: "SUCCESS",
        failure_code: null,
        source_id: null,
        channel: "till",
        metadata: { shop: "north" },
        voucher_id: body.id,
        campaign_id: program.id,
      },
    ]);
    expect(await typesOf(customer.id)).toEqual(["customer.created", "publication.succeeded"]);
    expect((await api.get("/v1/customers/ann", 200)).body.loyalty).toEqual({
      points: 25,
      referred_customers: 0,
      campaigns: { [program.name]: { points: 25, referred_customers: 0 } },
    });
  });

  test("assigns the oldest card that nobody has, or the card that is named", async () => {
    const program = await aProgramWithCards(0);
    for (const code of ["OLD", "MIDDLE", "NEW"]) {
      clock.advance({ minutes: 1 });
      await api.post(`/v1/campaigns/${program.id}/vouchers/${code}`, {}, 200);
    }
    const code = async (body: Record<string, unknown>) => (await join(program, body)).body.code;
    expect(await code({ customer: { source_id: aName("c") }, voucher: "MIDDLE" })).toBe("MIDDLE");
    expect(await code({ customer: { source_id: aName("c") } })).toBe("OLD");
    expect(await code({ customer: { source_id: aName("c") } })).toBe("NEW");
  });

  test("makes a card when none is left, unless the program is STATIC", async () => {
    const growing = await aProgram(service);
    await aMember(service, growing);
    await aMember(service, growing);
    expect((await api.get(`/v1/loyalties/${growing.id}`, 200)).body.vouchers_count).toBe(2);
    const fixed = await aProgramWithCards(1);
    await aMember(service, fixed);
    const { body } = await join(fixed, { customer: { source_id: "unlucky" } }, 400);
    expect(body).toMatchObject({
      code: 400,
      key: "no_voucher_suitable_for_publication",
      message: "Couldn't find any voucher suitable for publication",
    });
    // Nobody knew them before, and nothing is stored of a refused newcomer.
    await api.get("/v1/customers/unlucky", 404);
  });

  test("takes a customer once: join once is not to be switched off", async () => {
    const program = await aProgram(service, { join_once: false });
    const { source_id, card } = await aMember(service, program);
    const { body } = await join(program, { customer: { source_id } }, 400);
    expect(body).toMatchObject({
      key: "voucher_cannot_be_published",
      details: "Voucher cannot be published. Customer already joined program.",
    });
    await join(program, { customer: { id: card.holder_id } }, 400);
    await api.put(`/v1/loyalties/${program.id}`, { join_once: false }, 200);
    await join(program, { customer: { source_id } }, 400);
    expect((await publicationsOf(source_id)).map(({ result, failure_code }) => [result, failure_code])).toEqual([
      ["SUCCESS", null],
      ["FAILURE", "voucher_cannot_be_published"],
      ["FAILURE", "voucher_cannot_be_published"],
      ["FAILURE", "voucher_cannot_be_published"],
    ]);
    expect(await typesOf(card.holder_id)).toContain("customer.publication.failed");
  });

  test("gives the same card for the same source id, and refuses that id to anybody else", async () => {
    const program = await aProgram(service);
    const source_id = aName("publication");
    const customer = { source_id: aName("c") };
    const first = (await join(program, { customer, source_id })).body;
    expect((await join(program, { customer, source_id })).body).toEqual(first);
    expect((await join(program, { customer, source_id, voucher: first.code })).body).toEqual(first);
    const refused = { key: "duplicate_source_id", message: "Duplicate source_id" };
    const details = `Publication with source_id: '${source_id}' already exists`;
    expect((await join(program, { customer: { source_id: aName("c") }, source_id }, 400)).body).toMatchObject({
      ...refused,
      details,
    });
    const other = await aProgram(service);
    expect((await join(other, { customer, source_id }, 400)).body).toMatchObject(refused);
    expect(await publicationsOf(customer.source_id)).toHaveLength(2);
  });

  test("refuses a card that is another's, switched off, of another program, or no card at all", async () => {
    const program = await aProgramWithCards(0);
    const { card } = await aMember(service, await aProgram(service));
    for (const code of ["TAKEN", "OFF"]) await api.post(`/v1/campaigns/${program.id}/vouchers/${code}`, {}, 200);
    await api.post("/v1/vouchers/OFF/disable", {}, 200);
    await join(program, { customer: { source_id: aName("c") }, voucher: "TAKEN" });
    const taken = (await api.get("/v1/vouchers/TAKEN", 200)).body;
    const ask = async (voucher: string, status: number) =>
      (await join(program, { customer: { source_id: aName("c") }, voucher }, status)).body;
    expect(await ask("TAKEN", 400)).toMatchObject({ key: "voucher_already_published" });
    expect((await ask("TAKEN", 400)).details).toContain(taken.id);
    expect(await ask("OFF", 400)).toMatchObject({ key: "no_voucher_suitable_for_publication" });
    expect(await ask(card.code, 404)).toMatchObject({ resource_type: "voucher", resource_id: card.code });
    expect(await ask("NONE", 404)).toMatchObject({ resource_type: "voucher", resource_id: "NONE" });
    // Nor is the one that is switched off given to whoever asks for any.
    expect((await join(program, { customer: { source_id: aName("c") } }, 400)).body.key).toBe(
      "no_voucher_suitable_for_publication",
    );
  });

  test("lets a switched-off program take members, and a card live from its publication on", async () => {
    const program = await aProgram(service, {
      activity_duration_after_publishing: "P10D",
      expiration_date: "2026-03-31T22:00:00Z",
    });
    await api.post(`/v1/campaigns/${program.id}/disable`, {}, 200);
    const { card } = await aMember(service, program);
    const expiry = new Date(clock.now() + 10 * 86_400_000).toISOString();
    expect((await api.get(`/v1/vouchers/${card.code}`, 200)).body.expiration_date).toBe(expiry);
  });

  test("names the channel by the body, by the caller's label, or as API", async () => {
    const program = await aProgram(service);
    const label = { "x-voucherify-channel": "Node.js-v20" };
    const source_id = aName("c");
    await api.send("POST", `/v1/loyalties/${program.id}/members`, {
      raw: JSON.stringify({ customer: { source_id } }),
      headers: label,
      status: 200,
    });
    const plain = await aMember(service, program);
    expect((await publicationsOf(source_id))[0]?.channel).toBe("Node.js-v20");
    expect((await publicationsOf(plain.source_id))[0]?.channel).toBe("API");
  });
});

describe("a member body", () => {
  test.each<[Record<string, unknown>, string]>([
    [{}, "Payload must have required property 'customer'"],
    [{ customer: "ann" }, "Property .customer must be object"],
    [{ customer: {} }, "Property .customer should have required property 'source_id'"],
    [{ customer: { email: "a@example.com" } }, "Property .customer should have required property 'source_id'"],
    [{ customer: { source_id: "" } }, "Property .customer should have required property 'source_id'"],
    [
      { customer: { source_id: "x".repeat(9000) } },
      "Property .customer.source_id must NOT have more than 255 characters",
    ],
    [{ customer: { source_id: "a" }, voucher: 7 }, "Property .voucher must be string,null"],
    [
      { customer: { source_id: "a" }, voucher: "x".repeat(9000) },
      "Property .voucher must NOT have more than 255 characters",
    ],
    [{ customer: { source_id: "a" }, source_id: 1 }, "Property .source_id must be string,null"],
    [{ customer: { source_id: "a" }, metadata: [] }, "Property .metadata must be object,null"],
    [{ customer: { source_id: "a" }, channel: {} }, "Property .channel must be string,null"],
  ])("%j is refused", async (sent, details) => {
    const program = await aProgram(service);
    expect((await join(program, sent, 400)).body).toMatchObject({ key: "invalid_payload", details });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["none", { customer: { source_id: "a" } }, "campaign"],
    ["program", { customer: { id: "cust_none" } }, "customer"],
    ["campaign of discounts", { customer: { source_id: "a" } }, "campaign"],
  ])("in %s names something unknown", async (where, sent, resource_type) => {
    const name = where === "program" ? (await aProgram(service)).name : where;
    if (where === "campaign of discounts") {
      const voucher = { discount: { type: "AMOUNT", amount_off: 1 } };
      await api.post("/v1/campaigns", { name, voucher }, 200);
    }
    const { body } = await api.post(`/v1/loyalties/${encodeURIComponent(name)}/members`, sent, 404);
    expect(body).toMatchObject({ key: "not_found", resource_type });
  });
});
