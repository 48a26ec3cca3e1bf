import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { aCustomEvent, aMember, aName, aProgram } from "../loyalties/loyalty.fixtures.js";

const service = await startService();
const { api, context, project } = service;
const { name: event } = await aCustomEvent(service, project);
const customer = { source_id: "ann" };

const stored = (source_id: string) =>
  context.db.many<{ type: string; id: string; data: Record<string, unknown> }>(sql`
    select events.id, events.type, events.data from events
      join customers on customers.project_id = events.project_id and customers.id = events.customer_id
     where events.project_id = ${project.id} and customers.source_id = ${source_id}
     order by events.created_at, events.id`);

describe("POST /v1/events", () => {
  test("acknowledges the event by its name, with its customer", async () => {
    const { body } = await api.post("/v1/events", { event, customer: { source_id: "bob", name: "Bob" } }, 200);
    expect(body).toEqual({
      object: "event",
      type: event,
      customer: {
        id: expect.stringMatching(/^cust_/),
        name: "Bob",
        email: null,
        source_id: "bob",
        metadata: {},
        object: "customer",
      },
      referral: null,
      loyalty: null,
      metadata: {},
    });
    const [created, told] = await stored("bob");
    expect(created?.type).toBe("customer.created");
    expect(told).toMatchObject({
      id: expect.stringMatching(/^evcus_/),
      type: "customer.custom_event",
      data: { id: expect.stringMatching(/^event_/), type: event, metadata: {} },
    });
  });

  test("echoes metadata, keys that the schema does not define as well", async () => {
    const { body } = await api.post("/v1/events", { event, customer, metadata: { colour: "red", n: [1] } }, 200);
    expect(body.metadata).toEqual({ colour: "red", n: [1] });
  });

  test("changes what it says of a known customer, found by id or source id", async () => {
    const source_id = aName("c");
    const { id } = (await api.post("/v1/customers", { source_id, metadata: { a: 1 } }, 200)).body;
    await api.post("/v1/events", { event, customer: { id, email: "a@example.com" } }, 200);
    const { body } = await api.post("/v1/events", { event, customer: { source_id, metadata: { b: 2 } } }, 200);
    expect(body.customer).toMatchObject({ id, source_id, email: "a@example.com", metadata: { a: 1, b: 2 } });
    await api.post("/v1/events", { event, customer: { source_id } }, 200);
    expect((await stored(source_id)).map(({ type }) => type)).toEqual([
      "customer.created",
      "customer.updated",
      "customer.custom_event",
      "customer.updated",
      "customer.custom_event",
      "customer.custom_event",
    ]);
  });

  test("stores the same body twice as two events", async () => {
    const source_id = aName("c");
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api.post("/v1/events", { event, customer: { source_id } }, 200)),
    );
    expect(new Set(answers.map(({ body }) => body.customer.id)).size).toBe(1);
    const told = (await stored(source_id)).filter(({ type }) => type === "customer.custom_event");
    expect(new Set(told.map(({ data }) => data.id)).size).toBe(8);
  });

  test("keeps the codes that it names", async () => {
    const { card, source_id } = await aMember(service, await aProgram(service));
    const named = { loyalty: { code: card.code }, referral: { code: card.code, referrer_id: "someone" } };
    const { body } = await api.post("/v1/events", { event, customer: { source_id }, ...named }, 200);
    expect(body).toMatchObject({ loyalty: null, referral: null });
    const sent = (await stored(source_id)).find(({ type }) => type === "customer.custom_event");
    expect(sent?.data).toMatchObject(named);
  });
});

describe("whoever referred the customer", () => {
  test.each(["id", "source_id"] as const)("is told by their %s, and kept by their id", async (name) => {
    const { card } = await aMember(service, await aProgram(service));
    const [source_id, referrer_name] = [aName("c"), aName("r")];
    const referrer = (await api.post("/v1/customers", { source_id: referrer_name, name: "Rea" }, 200)).body;
    const referral = { code: card.code, referrer_id: referrer[name] };
    await api.post("/v1/events", { event, customer: { source_id }, referral }, 200);
    const sent = (await stored(source_id)).find(({ type }) => type === "customer.custom_event");
    expect(sent?.data).toMatchObject({ referral: { code: card.code, referrer_id: referrer.id } });
    const query = "type=customer.custom_event";
    const [told] = (await api.get(`/v1/customers/${source_id}/activity?${query}`, 200)).body.data;
    expect(told.data.data).toMatchObject({
      event: { referral: { code: card.code, referrer_id: referrer.id } },
      referral: { referrer: { id: referrer.id, source_id: referrer_name, name: "Rea" } },
    });
  });
});

describe("an event's metadata", async () => {
  const { name: strict } = await aCustomEvent(service, project, {
    title: { type: "string", optional: false },
    count: { type: "number", optional: true },
    is_new: { type: "boolean", optional: true },
    day: { type: "date", optional: true },
    at: { type: "datetime", optional: true },
    gone: { type: "number", optional: false, deleted: true },
  });
  const send = (metadata: unknown, status: number) =>
    api.post("/v1/events", { event: strict, customer, metadata }, status);

  test.each<[Record<string, unknown>]>([
    [{ title: "a" }],
    [{ title: "", count: 1.5, is_new: false, day: "2026-02-28", at: "2026-02-28T10:00:00Z" }],
    [{ title: "a", at: "2026-02-28", count: null, day: null, other: {} }],
    [{ title: "a", gone: "anything" }],
  ])("%j follows the schema", async (metadata) => {
    expect((await send(metadata, 200)).body.metadata).toEqual(metadata);
  });

  test.each<[Record<string, unknown> | undefined, string]>([
    [undefined, "title: must be a string, property is required (actual value is 'undefined')"],
    [{ title: null }, "title: must be a string, property is required (actual value is 'null')"],
    [{ title: 7 }, "title: must be a string, property is required (actual value is '7')"],
    [{ title: "a", count: "7" }, "count: must be a number (actual value is '7')"],
    [{ title: "a", count: {} }, "count: must be a number (actual value is '{}')"],
    [{ title: "a", is_new: 1 }, "is_new: must be a boolean (actual value is '1')"],
    [{ title: "a", day: "2026-02-30" }, "day: must be a date (actual value is '2026-02-30')"],
    [{ title: "a", day: "2026-02-28T10:00:00Z" }, "day: must be a date (actual value is '2026-02-28T10:00:00Z')"],
    [{ title: "a", at: "noon" }, "at: must be a datetime (actual value is 'noon')"],
    [
      { title: "a", count: "x".repeat(9000), is_new: "y" },
      `count: must be a number (actual value is '${"x".repeat(255)}…'); is_new: must be a boolean (actual value is 'y')`,
    ],
  ])("%j breaks it", async (metadata, details) => {
    expect((await send(metadata, 400)).body).toMatchObject({
      code: 400,
      key: "metadata_validation_failed",
      message: "Metadata validation failed",
      details,
    });
  });
});

describe("an event that is refused", () => {
  test.each<[unknown, string]>([
    [{}, "Payload must have required property 'event'"],
    [[], "Payload must be object"],
    [{ event }, "Payload must have required property 'customer'"],
    [{ event: "", customer }, "Property .event must NOT have fewer than 1 characters"],
    [{ event: "x".repeat(301), customer }, "Property .event must NOT have more than 300 characters"],
    [{ event: "x".repeat(9000), customer }, "Property .event must NOT have more than 300 characters"],
    [{ event: 7, customer }, "Property .event must be string"],
    [{ event, customer: "ann" }, "Property .customer must be object"],
    [{ event, customer: {} }, "Property .customer should have required property 'source_id'"],
    [{ event, customer: { email: "a@example.com" } }, "Property .customer should have required property 'source_id'"],
    [{ event, customer: { source_id: 2 ** 60 } }, "Property .customer.source_id must be string,null"],
    [{ event, customer, referral: {} }, "Property .referral should have required property 'code'"],
    [{ event, customer, loyalty: {} }, "Property .loyalty should have required property 'code'"],
    [{ event, customer, metadata: [] }, "Property .metadata must be object,null"],
  ])("%j has a wrong field", async (sent, details) => {
    expect((await api.post("/v1/events", sent, 400)).body).toMatchObject({ key: "invalid_payload", details });
  });

  test("names what is unknown, in the order of the checks", async () => {
    const { name: strict } = await aCustomEvent(service, project, { title: { type: "string", optional: false } });
    const unknown = { customer: { id: "cust_none" }, loyalty: { code: "NONE" } };
    const refused = async (sent: object, status: number) => (await api.post("/v1/events", sent, status)).body;
    expect(await refused({ event: "unknown", ...unknown }, 404)).toMatchObject({
      key: "not_found",
      details: "Cannot find custom_event_schema with name unknown",
      resource_id: "unknown",
      resource_type: "custom_event_schema",
    });
    expect(await refused({ event: strict, ...unknown }, 400)).toMatchObject({ key: "metadata_validation_failed" });
    expect(await refused({ event, ...unknown }, 404)).toMatchObject({
      details: "Cannot find customer with id cust_none",
      resource_type: "customer",
      resource_id: "cust_none",
    });
    for (const named of [{ loyalty: { code: "NONE" } }, { referral: { code: "NONE" } }]) {
      const body = await refused({ event, customer: { source_id: "nobody" }, ...named }, 404);
      expect(body).toMatchObject({ resource_type: "voucher", resource_id: "NONE" });
    }
    // Not even the customer is stored.
    await api.get("/v1/customers/nobody", 404);
  });

  test.each(["DISCOUNT_VOUCHER", "GIFT_VOUCHER"])(
    "credits no %s: a loyalty card is unknown by its code",
    async (type) => {
      const worth =
        type === "GIFT_VOUCHER" ? { gift: { amount: 100 } } : { discount: { type: "AMOUNT", amount_off: 100 } };
      const { code } = (await api.post("/v1/vouchers", { type, ...worth }, 200)).body;
      const sent = { event, customer: { source_id: "nobody" }, loyalty: { code } };
      const { body } = await api.post("/v1/events", sent, 404);
      expect(body).toMatchObject({ key: "not_found", resource_type: "voucher", resource_id: code });
      await api.get("/v1/customers/nobody", 404);
    },
  );

  test("looks at what is said of the customer before the codes", async () => {
    const other = await service.anotherProject();
    const { name } = await aCustomEvent(service, other);
    const properties = { size: { type: "number", optional: true, array: false } };
    const path = `/management/v1/projects/${other.id}/metadata-schemas`;
    await service.management.post(path, { related_object: "customer", properties }, 200);
    const named = { source_id: "ann", metadata: { size: "large" } };
    const sent = { event: name, customer: named, loyalty: { code: "NONE" } };
    expect((await other.api.post("/v1/events", sent, 400)).body.key).toBe("metadata_validation_failed");
  });

  test("is unknown in another project", async () => {
    const other = await service.anotherProject();
    await other.api.post("/v1/events", { event, customer }, 404);
  });
});

describe("segments that count an event", () => {
  test("count each of many sent at once, beside their names, though the events themselves are gone", async () => {
    const [{ name: first }, { name: second }] = [
      await aCustomEvent(service, project),
      await aCustomEvent(service, project, {}, `${aName("with")}.dots_and_all`),
    ];
    const source_id = aName("c");
    await Promise.all(
      [first, first, first, first, first, second].map((event) =>
        api.post("/v1/events", { event, customer: { source_id } }, 200),
      ),
    );
    const { id } = (await api.get(`/v1/customers/${source_id}`, 200)).body;
    await context.db.run(
      sql`delete from events where events.project_id = ${project.id} and events.customer_id = ${id}`,
    );
    const today = service.clock.now();
    const isIn = async (filter: object) => {
      const segment = { name: aName("S"), type: "passive", filter: { junction: "and", ...filter } };
      const { body } = await api.post("/v1/segments", segment, 200);
      const { body: of_customer } = await api.get(`/v1/customers/${id}/segments`, 200);
      return of_customer.data.some((one: { id: string }) => one.id === body.id);
    };
    const at = (day: number) => new Date(today + day * 86_400_000).toISOString();
    expect(await isIn({ [`events.${first}.count`]: { conditions: { $is: [5] } } })).toBe(true);
    expect(await isIn({ [`events.${second}.count`]: { conditions: { $is: [1] } } })).toBe(true);
    expect(await isIn({ [`events.${second}.count`]: { conditions: { $is: [2] } } })).toBe(false);
    expect(await isIn({ [`events.${first}.last_at`]: { conditions: { $after: [at(-1)] } } })).toBe(true);
    expect(await isIn({ [`events.${first}.last_at`]: { conditions: { $after: [at(1)] } } })).toBe(false);
    await api.delete(`/v1/customers/${id}`, 204);
    const left = await context.db.many(sql`
      select custom_event_counts.name from custom_event_counts
       where custom_event_counts.project_id = ${project.id} and custom_event_counts.customer_id = ${id}`);
    expect(left).toEqual([]);
  });
});
