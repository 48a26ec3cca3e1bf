import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { aName, booksOf, pointsOn } from "../loyalty.fixtures.js";
import { waitingPoints } from "./pending-points.fixtures.js";

const service = await startService();
const { api, clock, runDue } = service;
const { entriesOf } = booksOf(service);
const { aProgramThatWaits, told, day, nights } = waitingPoints(service);

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
