import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";
import { aMember, aName, aProgram, booksOf, pointsOn } from "../loyalty.fixtures.js";

const service = await startService();
const { api, clock, context, project, runDue } = service;
const { entriesOf } = booksOf(service);

/** A program whose rule pays ten points for an order, two days later, and a member of it. */
async function aProgramThatWaits(fields: object = {}, program_fields: Record<string, unknown> = {}) {
  const program = await aProgram(service, program_fields);
  const rule = {
    event: "order.paid",
    loyalty: { type: "FIXED", points: 10 },
    pending_points: { period_type: "DAY", period_value: 2 },
    source: { banner: "Later" },
    ...fields,
  };
  const { body } = await api.post(`/v1/loyalties/${program.id}/earning-rules`, [rule], 200);
  const { card, source_id } = await aMember(service, program);
  const path = `/v1/loyalties/members/${card.code}/pending-points`;
  return {
    ...{ program, card, source_id, path, rule_id: body[0].id as string },
    pending: async () => (await api.get(path, 200)).body.data,
    pay: async (fields: object = {}) => {
      const order = { customer: { source_id }, amount: 1000, status: "PAID", ...fields };
      const { body } = await api.post("/v1/orders", order, 200);
      await runDue();
      return body as { id: string; source_id: string };
    },
    /** What the card says, pending points among it. */
    sums: async () => {
      const { points, balance, pending_points } = (await api.get(`/v1/vouchers/${card.code}`, 200)).body.loyalty_card;
      return { points, balance, pending_points };
    },
  };
}

async function told(voucher_id: string) {
  const events = await context.db.many<{ type: string; data: { points: number; total: number } }>(sql`
    select events.type, events.data from events
     where events.project_id = ${project.id} and events.entity_id = ${voucher_id}
       and events.type like 'voucher.loyalty_card.pending_points.%'
     order by events.created_at, events.id`);
  return events.map(({ type, data }) => [type.split(".").at(-1), data.points, data.total]);
}

const day = (days: number) => new Date(clock.now() + days * 86_400_000).toISOString().slice(0, 10);
/** Past midnight, and on until the day is another by as many. */
async function nights(days: number) {
  for (let i = 0; i < days; i += 1) {
    clock.advance({ days: 1 });
    await runDue();
  }
}

describe("points of an order that wait", () => {
  test("stand with what led to them, in the lists of the card and of the program, and in no book", async () => {
    const one = await aProgramThatWaits();
    const order = await one.pay({ source_id: aName("order") });
    expect(await one.sums()).toEqual({ points: 0, balance: 0, pending_points: 10 });
    expect(await entriesOf(one.card.id)).toEqual([]);
    const paths = [
      one.path,
      `/v1/loyalties/${one.program.id}/pending-points`,
      `/v1/loyalties/${one.program.id}/members/${one.card.id}/pending-points`,
    ];
    for (const path of paths) {
      const { body } = await api.get(path, 200);
      expect(body).toMatchObject({ object: "list", data_ref: "data", has_more: false });
      expect(body.data).toEqual([
        {
          id: expect.stringMatching(/^lopp_/),
          ...{ voucher_id: one.card.id, campaign_id: one.program.id, customer_id: one.card.holder_id },
          ...{ order_id: order.id, points: 10, activates_at: day(2), created_at: expect.any(String) },
          details: {
            event: expect.objectContaining({ type: "customer.order.paid", entity_id: order.id, category: "ACTION" }),
            earning_rule: { id: one.rule_id, source: { banner: "Later" } },
            order: { id: order.id, source_id: order.source_id },
          },
        },
      ]);
    }
    expect(await told(one.card.id)).toEqual([["added", 10, 10]]);
  });

  test("become the card's with their day, once, however often the night is walked", async () => {
    const one = await aProgramThatWaits();
    await one.pay();
    await nights(1);
    expect(await one.sums()).toEqual({ points: 0, balance: 0, pending_points: 10 });
    await nights(1);
    await runDue();
    expect(await one.sums()).toEqual({ points: 10, balance: 10, pending_points: 0 });
    expect(await one.pending()).toEqual([]);
    const { body } = await api.get(`/v1/vouchers/${one.card.code}/transactions`, 200);
    expect(body.data).toMatchObject([
      {
        ...{ type: "PENDING_POINTS_ACTIVATION", source: null },
        details: {
          balance: { points: 10, total: 10, balance: 10, operation_type: "AUTOMATIC" },
          pending_points: { id: expect.stringMatching(/^lopp_/), points: 10 },
          earning_rule: { id: one.rule_id },
          event: { type: "customer.order.paid" },
        },
      },
    ]);
    expect(await told(one.card.id)).toEqual([
      ["added", 10, 10],
      ["activated", undefined, undefined],
    ]);
  });

  test("expire counted from the day with which they became the card's, by the rule's own rules first", async () => {
    const month = (period_value: number) => ({ period_type: "MONTH", period_value });
    const voucher = { type: "LOYALTY_CARD", loyalty_card: { points: 0, expiration_rules: month(1) } };
    const by_program = await aProgramThatWaits({}, { voucher });
    const by_rule = await aProgramThatWaits({ expiration_rules: month(3) }, { voucher });
    const expected = [];
    for (const one of [by_program, by_rule]) await one.pay();
    await nights(2);
    for (const [one, months] of [
      [by_program, 1],
      [by_rule, 3],
    ] as const) {
      const { loyalty_card } = (await api.get(`/v1/vouchers/${one.card.code}`, 200)).body;
      const last = new Date(clock.now());
      last.setUTCMonth(last.getUTCMonth() + months);
      expected.push(last.toISOString().slice(0, 7));
      expect(loyalty_card.next_expiration_points).toBe(10);
      expect(loyalty_card.next_expiration_date.slice(0, 7)).toBe(expected.at(-1));
    }
  });

  test.each<[string, (order: { id: string }) => Promise<unknown>]>([
    ["is canceled", ({ id }) => api.put(`/v1/orders/${id}`, { status: "CANCELED" }, 200)],
    [
      "is canceled and paid again",
      async ({ id }) => {
        await api.put(`/v1/orders/${id}`, { status: "CANCELED" }, 200);
        await api.put(`/v1/orders/${id}`, { status: "PAID" }, 200);
      },
    ],
  ])("are nobody's once the order %s", async (_case, cancel) => {
    const one = await aProgramThatWaits();
    const other = await one.pay();
    await cancel(await one.pay());
    await runDue();
    expect(await one.sums()).toEqual({ points: 0, balance: 0, pending_points: 10 });
    expect((await one.pending()).map(({ order_id }: { order_id: string }) => order_id)).toEqual([other.id]);
    expect((await told(one.card.id)).at(-1)).toEqual(["canceled", -10, 10]);
  });

  test("are nobody's once the redemption that paid is rolled back with its order", async () => {
    const one = await aProgramThatWaits();
    const discount = { type: "AMOUNT", amount_off: 100 };
    const { code } = (await api.post("/v1/vouchers", { type: "DISCOUNT_VOUCHER", discount }, 200)).body;
    const redeemables = [{ object: "voucher", id: code }];
    const sent = { redeemables, customer: { source_id: one.source_id }, order: { amount: 1000 } };
    const { redemptions } = (await api.post("/v1/redemptions", sent, 200)).body;
    await runDue();
    expect((await one.sums()).pending_points).toBe(10);
    await api.post(`/v1/redemptions/${redemptions[0].id}/rollback`, {}, 200);
    await runDue();
    expect((await one.sums()).pending_points).toBe(0);
  });

  test("never begin to where the order was canceled before anybody looked", async () => {
    const one = await aProgramThatWaits();
    const order = { customer: { source_id: one.source_id }, amount: 1000, status: "PAID" };
    const { id } = (await api.post("/v1/orders", order, 200)).body;
    await api.put(`/v1/orders/${id}`, { status: "CANCELED" }, 200);
    await runDue();
    expect((await one.sums()).pending_points).toBe(0);
    expect(await told(one.card.id)).toEqual([]);
  });

  test("stay the card's when the order is canceled after their day", async () => {
    const one = await aProgramThatWaits();
    const { id } = await one.pay();
    await nights(2);
    await api.put(`/v1/orders/${id}`, { status: "CANCELED" }, 200);
    await runDue();
    expect(await one.sums()).toEqual({ points: 10, balance: 10, pending_points: 0 });
  });

  test("of a card that was deleted hold up no night", async () => {
    const gone = await aProgramThatWaits();
    const one = await aProgramThatWaits();
    await gone.pay();
    await one.pay();
    await api.delete(`/v1/vouchers/${gone.card.code}`, 204);
    await nights(2);
    expect(await pointsOn(service, one.card)).toEqual({ points: 10, balance: 10 });
  });
});

describe("points that wait, by hand", () => {
  test("are adjusted, activated and canceled: the example of the specification", async () => {
    const one = await aProgramThatWaits({
      loyalty: {
        type: "PROPORTIONAL",
        calculation_type: "ORDER_AMOUNT",
        order: { amount: { every: 1, points: 1 } },
      },
    });
    for (const amount of [12, 8, 20]) await one.pay({ amount });
    const [third, second, first] = await one.pending();
    expect((await one.sums()).pending_points).toBe(40);
    const of_card = {
      object: "balance",
      related_object: { type: "voucher", id: one.card.id },
      operation_type: "MANUAL",
    };
    expect((await api.post(`${one.path}/${second.id}/balance`, { points: -3 }, 200)).body).toEqual({
      ...{ points: -3, total: 37 },
      ...of_card,
    });
    expect((await api.post(`${one.path}/${third.id}/activate`, {}, 200)).body).toEqual({
      ...{ points: 20, total: 20, balance: 20, type: "loyalty_card" },
      ...of_card,
    });
    expect(await one.sums()).toEqual({ points: 20, balance: 20, pending_points: 17 });
    await api.post(`${one.path}/${first.id}/cancel`, {}, 204);
    expect(await one.sums()).toEqual({ points: 20, balance: 20, pending_points: 5 });
    expect((await told(one.card.id)).slice(3)).toEqual([
      ["updated", -3, 37],
      ["activated", undefined, undefined],
      ["canceled", -12, 5],
    ]);
    const [left] = await one.pending();
    expect(left).toMatchObject({ id: second.id, points: 5, activates_at: day(2), updated_at: expect.any(String) });
  });

  test("are no more together than their card can hold with what it has", async () => {
    const one = await aProgramThatWaits();
    for (const _ of [1, 2]) await one.pay();
    await api.post(`/v1/loyalties/members/${one.card.code}/balance`, { points: 5 }, 200);
    const [second, first] = await one.pending();
    const room = Number.MAX_SAFE_INTEGER - 25;
    const adjust = ({ id }: { id: string }, points: number, status: number) =>
      api.post(`${one.path}/${id}/balance`, { points }, status);
    expect((await adjust(first, room + 1, 400)).body.key).toBe("invalid_amount");
    expect((await adjust(first, room, 200)).body.total).toBe(Number.MAX_SAFE_INTEGER - 5);
    expect((await adjust(second, 1, 400)).body.key).toBe("invalid_amount");
    await adjust(second, -1, 200);
    await nights(2);
    expect(await one.sums()).toMatchObject({ points: Number.MAX_SAFE_INTEGER - 1, pending_points: 0 });
  });

  test.each<[string, object, string]>([
    ["ACTIVATED", { points: 1 }, "activate"],
    ["CANCELED", { points: 1 }, "cancel"],
  ])("that are %s already are refused whatever is asked of them", async (status, sent, first) => {
    const one = await aProgramThatWaits();
    await one.pay();
    const path = `${one.path}/${(await one.pending())[0].id}`;
    await api.post(`${path}/${first}`, {});
    for (const [action, done] of [
      ["activate", "activated"],
      ["balance", "updated"],
      ["cancel", "canceled"],
    ]) {
      expect((await api.post(`${path}/${action}`, sent, 400)).body).toMatchObject({
        key: "invalid_pending_points_state",
        details: `Only pending points in 'PENDING' status can be ${done}. Current status: '${status}'.`,
      });
    }
  });

  test.each([
    ...[0, -10, -11, Number.MAX_SAFE_INTEGER].map((points) => [{ points }, "invalid_amount"] as const),
    ...[{ points: 1.5 }, { points: "1" }, {}].map((sent) => [sent, "invalid_payload"] as const),
  ])("cannot be adjusted by %j: %s", async (sent, key) => {
    const one = await aProgramThatWaits();
    await one.pay();
    const path = `${one.path}/${(await one.pending())[0].id}/balance`;
    expect((await api.post(path, sent, 400)).body.key).toBe(key);
    expect((await one.sums()).pending_points).toBe(10);
  });

  test("of another card, and those that nobody knows, are not found", async () => {
    const one = await aProgramThatWaits();
    const other = await aProgramThatWaits();
    await one.pay();
    const [{ id }] = await one.pending();
    for (const path of [`${other.path}/${id}`, `${one.path}/lopp_none`])
      expect((await api.post(`${path}/cancel`, {}, 404)).body.resource_type).toBe("pending_points");
    const unknown = `/v1/loyalties/members/nobody/pending-points/${id}/cancel`;
    expect((await api.post(unknown, {}, 404)).body.resource_type).toBe("voucher");
  });

  test("are given out once, however many ask at once", async () => {
    const one = await aProgramThatWaits();
    await one.pay();
    const path = `${one.path}/${(await one.pending())[0].id}`;
    const actions = ["activate", "cancel", "activate", "cancel", "activate"];
    const asked = actions.map((action) => api.post(`${path}/${action}`, {}));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status < 300)).toHaveLength(1);
    const points = statuses.includes(200) ? 10 : 0;
    expect(await one.sums()).toEqual({ points, balance: points, pending_points: 0 });
  });
});
