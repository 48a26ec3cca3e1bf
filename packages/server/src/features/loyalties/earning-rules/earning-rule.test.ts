import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";
import { aCustomEvent, aProgram, aRule } from "../loyalty.fixtures.js";

const service = await startService();
const { api, clock, context, project } = service;
const program = await aProgram(service);
const event = await aCustomEvent(service, project);
const rules = `/v1/loyalties/${program.id}/earning-rules`;
const fixed = { type: "FIXED", points: 10 };
const of_event = { event: event.name, custom_event: { schema_id: event.id } };

const eventTypes = async () =>
  (
    await context.db.many<{ type: string }>(sql`
      select events.type from events
       where events.project_id = ${project.id} and events.type like 'campaign.earning_rule.%'
       order by events.created_at, events.id`)
  ).map(({ type }) => type.split(".").at(-1));

describe("an earning rule", () => {
  test("has every field of the contract, and none that was not sent", async () => {
    const [body] = (await api.post(rules, [{ loyalty: fixed, ...of_event, source: { banner: "Ten" } }], 200)).body;
    expect(body).toEqual({
      id: expect.stringMatching(/^ern_/),
      created_at: new Date(clock.now()).toISOString(),
      updated_at: null,
      loyalty: fixed,
      event: event.name,
      custom_event: { schema_id: event.id },
      source: { banner: "Ten", object_id: program.id, object_type: "campaign" },
      active: true,
      validation_rule_id: null,
      automation_id: expect.stringMatching(/^auto_/),
      metadata: {},
      object: "earning_rule",
    });
    expect((await api.get(`${rules}/${body.id}`, 200)).body).toEqual(body);
    expect((await api.get(`/v1/loyalties/${program.name}/earning-rules/${body.id}`, 200)).body).toEqual(body);
  });

  test("keeps all that it is sent", async () => {
    const sent = {
      loyalty: { type: "PROPORTIONAL", calculation_type: "ORDER_AMOUNT", order: { amount: { every: 700, points: 3 } } },
      event: "order.paid",
      active: false,
      start_date: "2026-03-01T00:00:00.000Z",
      expiration_date: "2026-12-31T00:00:00.000Z",
      validity_timeframe: { duration: "PT1H", interval: "P1D" },
      pending_points: { period_type: "DAY", period_value: 14 },
      expiration_rules: { period_type: "FIXED_DAY_OF_YEAR", fixed_month: 4, fixed_day: 15 },
      metadata: { shop: "north" },
    };
    const [body] = (await api.post(rules, [sent], 200)).body;
    expect(body).toMatchObject(sent);
  });

  test("takes numbers as text, and shows them as numbers; the first item stands beside the list", async () => {
    const applicable_to = [
      { object: "product", id: "prod_1" },
      { object: "sku", id: "sku_1" },
    ];
    const [first, second, third] = (
      await api.post(
        rules,
        [
          { loyalty: { type: "FIXED", points: "5" }, ...of_event },
          {
            event: "order.paid",
            loyalty: {
              type: "PROPORTIONAL",
              calculation_type: "ORDER_ITEMS_QUANTITY",
              order_items: { quantity: { every: "3", points: "4", applicable_to } },
            },
          },
          { event: "customer.loyalty.tier.joined", loyalty: fixed },
        ],
        200,
      )
    ).body;
    expect(first.loyalty).toEqual({ type: "FIXED", points: 5 });
    expect(second.loyalty.order_items.quantity).toEqual({
      every: 3,
      points: 4,
      object: "product",
      id: "prod_1",
      applicable_to,
    });
    expect(third.loyalty_tier).toEqual({ id: "__ANY__" });
  });

  test("has the name of its schema for an event where it names the schema alone", async () => {
    const [body] = (await api.post(rules, [{ loyalty: fixed, custom_event: { schema_id: event.id } }], 200)).body;
    expect(body.event).toBe(event.name);
  });

  test("is switched off and on again, as often as one likes; only a change is told", async () => {
    const { id } = await aRule(service, program, event);
    const before = (await eventTypes()).length;
    clock.advance({ minutes: 1 });
    const off = (await api.post(`${rules}/${id}/disable`, undefined, 200)).body;
    expect(off).toMatchObject({ id, active: false, updated_at: new Date(clock.now()).toISOString() });
    clock.advance({ minutes: 1 });
    expect((await api.post(`${rules}/${id}/disable`, undefined, 200)).body).toEqual(off);
    expect((await api.post(`${rules}/${id}/enable`, undefined, 200)).body).toMatchObject({ id, active: true });
    expect((await eventTypes()).slice(before)).toEqual(["disabled", "enabled"]);
  });

  test("is changed in what is sent; null takes away, and its event stays", async () => {
    const start_date = "2026-03-01T00:00:00.000Z";
    const { id } = await aRule(service, program, event, { start_date, metadata: { a: 1 } });
    clock.advance({ minutes: 1 });
    const { body } = await api.put(
      `${rules}/${id}`,
      { loyalty: { type: "FIXED", points: 20 }, source: { banner: "Twenty" }, metadata: { b: 2 }, event: "order.paid" },
      200,
    );
    expect(body).toMatchObject({
      loyalty: { type: "FIXED", points: 20 },
      event: event.name,
      start_date,
      metadata: { a: 1, b: 2 },
      source: { banner: "Twenty" },
      updated_at: new Date(clock.now()).toISOString(),
    });
    expect((await api.put(`${rules}/${id}`, { start_date: null }, 200)).body).not.toHaveProperty("start_date");
  });

  test("is gone after DELETE", async () => {
    const { id } = await aRule(service, program, event);
    await api.delete(`${rules}/${id}`, 204);
    expect((await api.get(`${rules}/${id}`, 404)).body).toMatchObject({
      key: "not_found",
      resource_type: "earning_rule",
      resource_id: id,
      details: `Cannot find earning_rule with id ${id}`,
    });
    expect((await eventTypes()).at(-1)).toBe("deleted");
  });

  test("is listed newest first, in pages", async () => {
    const own = await aProgram(service);
    const ids: string[] = [];
    for (let i = 0; i < 3; i += 1) {
      clock.advance({ minutes: 1 });
      ids.unshift((await aRule(service, own, event)).id);
    }
    const listed = async (query: string) => {
      const { body } = await api.get(`/v1/loyalties/${own.id}/earning-rules${query}`, 200);
      expect(body).toMatchObject({ object: "list", data_ref: "data", total: 3 });
      return body.data.map(({ id }: { id: string }) => id);
    };
    expect(await listed("")).toEqual(ids);
    expect(await listed("?limit=2&page=2")).toEqual(ids.slice(2));
    expect(await listed("?order=created_at")).toEqual([...ids].reverse());
    await api.get(`/v1/loyalties/${own.id}/earning-rules?limit=101`, 400);
  });

  test("is nobody else's: another campaign or project does not find it", async () => {
    const { id } = await aRule(service, program, event);
    const other = await aProgram(service);
    for (const path of ["", "/enable", "/disable"]) {
      const method = path === "" ? "GET" : "POST";
      const { body } = await api.send(method, `/v1/loyalties/${other.id}/earning-rules/${id}${path}`, { status: 404 });
      expect(body.resource_type).toBe("earning_rule");
      const unknown = await api.send(method, `/v1/loyalties/none/earning-rules/${id}${path}`, { status: 404 });
      expect(unknown.body.resource_type).toBe("campaign");
    }
    const stranger = await service.anotherProject();
    await stranger.api.post(`${rules}/${id}/disable`, undefined, 404);
    const theirs = await aCustomEvent(service, stranger);
    const named = { loyalty: fixed, event: theirs.name, custom_event: { schema_id: theirs.id } };
    expect((await api.post(rules, [named], 404)).body.resource_type).toBe("custom_event_schema");
    expect((await api.get(`${rules}/${id}`, 200)).body.active).toBe(true);
  });

  test("is made with the others or not at all", async () => {
    const own = await aProgram(service);
    const path = `/v1/loyalties/${own.id}/earning-rules`;
    await api.post(
      path,
      [
        { loyalty: fixed, ...of_event },
        { loyalty: fixed, event: "unknown" },
      ],
      400,
    );
    expect((await api.get(path, 200)).body.total).toBe(0);
  });

  test("loses no change of two that are made at once", async () => {
    const { id } = await aRule(service, program, event);
    await Promise.all(
      Array.from({ length: 8 }, (_, i) => api.put(`${rules}/${id}`, { metadata: { [`key ${i}`]: i } }, 200)),
    );
    expect(Object.keys((await api.get(`${rules}/${id}`, 200)).body.metadata)).toHaveLength(8);
  });
});

describe("a rule's body", () => {
  const proportional = (calculation_type: string, more: object) => ({
    type: "PROPORTIONAL",
    calculation_type,
    ...more,
  });
  test.each<[unknown, string]>([
    [{ loyalty: fixed, ...of_event }, "Payload must be array"],
    [[7], "Property [0] must be object"],
    [[of_event], "Property [0] should have required property 'loyalty'"],
    [[{ loyalty: fixed }], "Property [0] should have required property 'event'"],
    [[{ loyalty: { type: "FIXED" }, ...of_event }], "Property [0].loyalty should have required property 'points'"],
    [[{ loyalty: { ...fixed, points: -1 }, ...of_event }], "Property [0].loyalty.points must be >= 0"],
    [[{ loyalty: { ...fixed, points: 2 ** 53 }, ...of_event }], "Property [0].loyalty.points must be <= 1000000000000"],
    [
      [{ loyalty: { ...fixed, points: "9".repeat(15) }, ...of_event }],
      "Property [0].loyalty.points must be <= 1000000000000",
    ],
    [[{ loyalty: { ...fixed, points: "x" }, ...of_event }], "Property [0].loyalty.points must be integer"],
    [
      [{ loyalty: { type: "NONE" }, ...of_event }],
      "Property [0].loyalty.type should be equal to one of the allowed values [FIXED, PROPORTIONAL]",
    ],
    [
      [{ loyalty: proportional("ORDER_TOTAL_AMOUNT", { order: {} }), event: "order.paid" }],
      "Loyalty order rules must contain one of the following properties - 'total_amount'",
    ],
    [
      [{ loyalty: proportional("ORDER_AMOUNT", { order: { amount: { every: 0, points: 1 } } }), event: "order.paid" }],
      "Property [0].loyalty.order.amount.every must be >= 1",
    ],
    [
      [
        {
          loyalty: proportional("ORDER_AMOUNT", { order: { amount: { every: "0", points: 1 } } }),
          event: "order.paid",
        },
      ],
      "Property [0].loyalty.order.amount.every must be >= 1",
    ],
    [
      [{ loyalty: proportional("ORDER_AMOUNT", { order: { amount: { every: 1, points: 1 } } }), ...of_event }],
      `Property [0].loyalty.calculation_type ORDER_AMOUNT does not go with event ${event.name}`,
    ],
    [
      [{ loyalty: fixed, ...of_event, pending_points: { period_type: "DAY", period_value: 1 } }],
      "Property [0].pending_points can be used only with event order.paid",
    ],
    [
      [{ loyalty: fixed, event: "order.paid", pending_points: { period_type: "DAY", period_value: 91 } }],
      "Property [0].pending_points.period_value must be <= 90",
    ],
    [[{ loyalty: fixed, event: "", custom_event: {} }], "Property [0].event must NOT have fewer than 1 characters"],
    [[{ loyalty: fixed, event: "x".repeat(9000) }], "Property [0].event must NOT have more than 300 characters"],
    [
      [{ loyalty: fixed, event: "other", custom_event: of_event.custom_event }],
      `Property [0].event must be the name of custom event schema ${event.id}`,
    ],
    [[{ loyalty: fixed, ...of_event, validity_timeframe: { duration: "PT1H", interval: "P1D" } }], ""],
    [
      [{ loyalty: fixed, ...of_event, start_date: "soon" }],
      "Property [0].start_date cannot be recognized as a ISO-8601 compliant date",
    ],
    [
      [{ loyalty: fixed, ...of_event, expiration_rules: { period_type: "FIXED_DAY_OF_YEAR", fixed_month: 2 } }],
      "Property [0].expiration_rules should have required property 'fixed_day'",
    ],
  ])("%j is refused", async (sent, details) => {
    const { body } = await api.post(rules, sent, 400);
    expect(body.key).toBe("invalid_payload");
    if (details) expect(body.details).toBe(details);
  });

  test.each<[Record<string, unknown>, string]>([
    [{ loyalty: fixed, event: event.name }, "Parameter 'custom_event.schema_id' is required"],
    [{ loyalty: fixed, event: "customer.segment.entered" }, "Parameter 'segment.id' is required"],
  ])("%j lacks what its event needs", async (sent, details) => {
    expect((await api.post(rules, [sent], 400)).body).toMatchObject({ key: "missing_param", details });
  });

  test.each<[Record<string, unknown>, string]>([
    [{ loyalty: fixed, event: event.name, custom_event: { schema_id: "ms_none" } }, "custom_event_schema"],
    [{ loyalty: fixed, event: "customer.segment.entered", segment: { id: "seg_none" } }, "segment"],
    [{ loyalty: fixed, event: "customer.loyalty.tier.left", loyalty_tier: { id: "ltr_none" } }, "loyalty_tier"],
    [{ loyalty: fixed, event: "order.paid", validation_rule_id: "val_none" }, "validation_rules"],
  ])("%j names something unknown", async (sent, resource_type) => {
    expect((await api.post(rules, [sent], 404)).body).toMatchObject({ key: "not_found", resource_type });
  });
});
