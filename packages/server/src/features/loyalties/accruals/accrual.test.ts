import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";
import { aCustomEvent, aMember, aProgram, aProgramThatPays, aRule, booksOf, pointsOn } from "../loyalty.fixtures.js";

const service = await startService();
const { api, clock, context, project, runDue } = service;
const { db } = context;

const send = (event: { name: string }, source_id: string, more: Record<string, unknown> = {}) =>
  api.post("/v1/events", { event: event.name, customer: { source_id }, ...more }, 200);

const { entriesOf, tasksLeft } = booksOf(service);

const eventsOf = async (entity_id: string) =>
  (
    await db.many<{ type: string; group_id: string; event_source: unknown }>(sql`
      select events.type, events.group_id, events.event_source from events
       where events.project_id = ${project.id} and events.entity_id = ${entity_id}
       order by events.created_at, events.id`)
  ).map(({ type, event_source }) => ({ type, event_source }));

describe("a custom event with an earning rule", () => {
  test("gives its fixed points to the customer's card, with an entry in the books and the events of it", async () => {
    const { card, event, source_id, rule_id, program } = await aProgramThatPays(service);
    await send(event, source_id);
    expect(await pointsOn(service, card)).toEqual({ points: 0, balance: 0 });
    await runDue();
    expect(await pointsOn(service, card)).toEqual({ points: 10, balance: 10 });
    const [entry, ...others] = await entriesOf(card.id);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      type: "POINTS_ACCRUAL",
      amount: 10,
      balance: 10,
      total: 10,
      source: "Automation",
      details: {
        balance: {
          type: "loyalty_card",
          points: 10,
          total: 10,
          balance: 10,
          object: "balance",
          operation_type: "AUTOMATIC",
          related_object: { type: "voucher", id: card.id },
        },
        earning_rule: { id: rule_id, source: { banner: "Ten points" } },
        event: { id: expect.stringMatching(/^evcus_/), type: "customer.custom_event" },
        custom_event: { id: expect.stringMatching(/^event_/), type: event.name },
        event_schema: { id: event.id, name: event.name },
      },
    });
    const internal = { channel: "INTERNAL" };
    expect((await eventsOf(card.holder_id)).at(-1)).toEqual({
      type: "customer.rewarded.loyalty_points",
      event_source: internal,
    });
    expect(await tasksLeft()).toBe(0);
    expect(program.id).toMatch(/^camp_/);
  });

  test("pays each time it is sent, by every rule, each in an entry of its own", async () => {
    const { card, event, source_id, program } = await aProgramThatPays(service);
    await aRule(service, program, event, { loyalty: { type: "FIXED", points: "5" } });
    for (let i = 0; i < 3; i += 1) await send(event, source_id);
    await runDue();
    expect(await pointsOn(service, card)).toEqual({ points: 45, balance: 45 });
    const entries = await entriesOf(card.id);
    expect(entries.map(({ amount }) => amount)).toEqual([10, 5, 10, 5, 10, 5]);
    expect(entries.map(({ balance }) => balance)).toEqual([10, 15, 25, 30, 40, 45]);
  });

  test("pays the customer's card in every program that has a rule for it; a code names one card alone", async () => {
    const { card, event, source_id } = await aProgramThatPays(service);
    const other = await aProgram(service);
    await aRule(service, other, event, { loyalty: { type: "FIXED", points: 3 } });
    const second = await aMember(service, other, source_id);
    await send(event, source_id);
    await send(event, source_id, { loyalty: { code: second.card.code } });
    await runDue();
    expect(await pointsOn(service, card)).toEqual({ points: 10, balance: 10 });
    expect(await pointsOn(service, second.card)).toEqual({ points: 6, balance: 6 });
  });

  test("pays a card that is named by its id", async () => {
    const { card, event, source_id } = await aProgramThatPays(service);
    await send(event, source_id, { loyalty: { code: card.id } });
    await runDue();
    expect(await pointsOn(service, card)).toEqual({ points: 10, balance: 10 });
  });

  test("gives nothing to another customer's card, nor to a customer without one", async () => {
    const { card, event, program } = await aProgramThatPays(service);
    await send(event, "stranger", { loyalty: { code: card.code } });
    await send(event, "stranger");
    await runDue();
    expect(await pointsOn(service, card)).toEqual({ points: 0, balance: 0 });
    expect((await api.get(`/v1/loyalties/${program.id}/members`, 200)).body.total).toBe(1);
  });

  test("adds to the points that a card began with, which are in no entry", async () => {
    const { card, event, source_id } = await aProgramThatPays(
      service,
      {},
      { voucher: { type: "LOYALTY_CARD", loyalty_card: { points: 100 } } },
    );
    await send(event, source_id);
    await runDue();
    expect(await pointsOn(service, card)).toEqual({ points: 110, balance: 110 });
    expect((await entriesOf(card.id)).map(({ amount, balance }) => [amount, balance])).toEqual([[10, 110]]);
  });

  test("makes a member of a customer where the program takes members by itself", async () => {
    const program = await aProgram(service, { auto_join: true });
    const event = await aCustomEvent(service, project);
    await aRule(service, program, event);
    await send(event, "newcomer");
    await send(event, "newcomer");
    await runDue();
    const { body } = await api.get(`/v1/loyalties/${program.id}/members`, 200);
    expect(body.total).toBe(1);
    expect(body.vouchers[0].loyalty_card).toMatchObject({ points: 20, balance: 20 });
    expect(await tasksLeft()).toBe(0);
  });

  test("earns nothing from a program that takes members by itself and has no card left", async () => {
    const program = await aProgram(service, { auto_join: true, type: "STATIC" });
    const event = await aCustomEvent(service, project);
    await aRule(service, program, event);
    await send(event, "latecomer");
    await runDue();
    expect((await api.get(`/v1/loyalties/${program.id}/members`, 200)).body.total).toBe(0);
    expect(await tasksLeft()).toBe(0);
  });
});

describe("points are not paid", () => {
  const tomorrow = "2026-03-03";
  const yesterday = "2026-03-01";
  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["by a rule that is switched off", { active: false }, {}],
    ["by a rule that has not begun", { start_date: tomorrow }, {}],
    ["by a rule that is over", { expiration_date: yesterday }, {}],
    ["on another day of the week", { validity_day_of_week: [0] }, {}],
    ["at another hour", { validity_hours: { daily: [{ start_time: "11:00", expiration_time: "12:00" }] } }, {}],
    ["by a campaign that has not begun", {}, { start_date: tomorrow }],
    ["by a campaign that is over", {}, { expiration_date: yesterday }],
    ["by a rule of no points", { loyalty: { type: "FIXED", points: 0 } }, {}],
    [
      "by a rule of a number that the customer does not have",
      {
        loyalty: {
          type: "PROPORTIONAL",
          calculation_type: "CUSTOMER_METADATA",
          customer: { metadata: { every: 1, points: 1, property: "age" } },
        },
      },
      {},
    ],
  ])("%s", async (_why, rule, program) => {
    const { card, event, source_id } = await aProgramThatPays(service, rule, program);
    await send(event, source_id);
    await runDue();
    expect(await entriesOf(card.id)).toEqual([]);
    expect(await tasksLeft()).toBe(0);
  });

  test("by a campaign, or to a card, that was switched off before the event took effect", async () => {
    const first = await aProgramThatPays(service);
    await send(first.event, first.source_id);
    await api.post(`/v1/campaigns/${first.program.id}/disable`, {}, 200);
    await runDue();
    expect(await entriesOf(first.card.id)).toEqual([]);
    const second = await aProgramThatPays(service);
    await send(second.event, second.source_id);
    await api.post(`/v1/vouchers/${second.card.code}/disable`, {}, 200);
    await runDue();
    expect(await entriesOf(second.card.id)).toEqual([]);
  });

  test("by a rule made after the event, and deleted rules and cards earn nothing", async () => {
    const { card, event, source_id, program, rule_id } = await aProgramThatPays(service);
    await send(event, source_id);
    clock.advance({ minutes: 1 });
    await aRule(service, program, event, { loyalty: { type: "FIXED", points: 99 } });
    await api.delete(`/v1/loyalties/${program.id}/earning-rules/${rule_id}`, 204);
    await runDue();
    expect(await entriesOf(card.id)).toEqual([]);
    const gone = await aProgramThatPays(service);
    await send(gone.event, gone.source_id);
    await api.delete(`/v1/vouchers/${gone.card.code}`, 204);
    await runDue();
    expect(await entriesOf(gone.card.id)).toEqual([]);
  });

  test("for an event whose customer was deleted before it took effect", async () => {
    const { event, source_id } = await aProgramThatPays(service);
    await send(event, source_id);
    await api.delete(`/v1/customers/${source_id}`, 204);
    await runDue();
    expect(await tasksLeft()).toBe(0);
  });
});
