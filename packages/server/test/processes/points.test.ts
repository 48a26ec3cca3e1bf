import { randomInt } from "node:crypto";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { buildIfStale, cleanUpProcesses } from "../harness/process.js";
import { aCluster, type Cluster } from "./async.fixtures.js";
import { amongDyingWorkers } from "./dying-workers.fixtures.js";

beforeAll(buildIfStale, 120_000);
cleanUpProcesses();

const orders_count = process.env.GUERDON_TEST_LONG === "1" ? 2_000 : 200;
const members_count = 20;
const [at_once, later] = [7, 5];

const waitingIn = async ({ db }: Cluster): Promise<number> =>
  (await db.query("select (select count(*)::int from inbox) + (select count(*)::int from outbox_parcels) as waiting"))
    .rows[0].waiting;

/** Of each member what the card, its books and its pending points come to. */
const pointsIn = async ({ db }: Cluster) =>
  (
    await db.query(
      `select customers.source_id as who, card_balances.balance::int as balance,
              (select coalesce(sum(amount), 0)::int from ledger_entries where voucher_id = vouchers.id) as written,
              (select count(distinct details -> 'order' ->> 'id')::int from ledger_entries where voucher_id = vouchers.id) as orders,
              (select coalesce(sum(points), 0)::int from pending_points
                where voucher_id = vouchers.id and status = 'PENDING') as pending
         from customers
         join vouchers on vouchers.holder_id = customers.id
         join card_balances on card_balances.voucher_id = vouchers.id`,
    )
  ).rows as { who: string; balance: number; written: number; orders: number; pending: number }[];

describe(`after ${orders_count} orders were paid, some of them cancelled, while workers are killed and started again`, () => {
  test("each has earned its points once, and those that pended are there unless their order was cancelled", async () => {
    const cluster = await aCluster();
    const { api } = await cluster.service({ GUERDON_ROLE: "api" });
    const voucher = { type: "LOYALTY_CARD", loyalty_card: { points: 0 } };
    const program = (await api.post("/v1/loyalties", { name: "Club", voucher }, 200)).body.id;
    const rule = (points: number, more: object = {}) => ({
      ...{ event: "order.paid", loyalty: { type: "FIXED", points }, source: { banner: "Points" } },
      ...more,
    });
    const pending_points = { period_type: "DAY", period_value: 90 };
    await api.post(`/v1/loyalties/${program}/earning-rules`, [rule(at_once), rule(later, { pending_points })], 200);
    const [paid, cancelled] = [new Map<string, number>(), new Map<string, number>()];
    for (let i = 0; i < members_count; i += 1) {
      await api.post(`/v1/loyalties/${program}/members`, { customer: { source_id: `c${i}` } }, 200);
    }
    const more = (of: Map<string, number>, who: string) => of.set(who, (of.get(who) ?? 0) + 1);
    let sent = 0;
    async function all(): Promise<void> {
      while (sent < orders_count) {
        const who = `c${sent % members_count}`;
        sent += 1;
        const order = { customer: { source_id: who }, amount: 1_000, status: "PAID" };
        const { body } = await api.post("/v1/orders", order, 200);
        more(paid, who);
        if (randomInt(3) > 0) continue;
        await api.put(`/v1/orders/${body.id}`, { status: "CANCELED" }, 200);
        more(cancelled, who);
      }
    }
    const worker = () => cluster.service({ GUERDON_ROLE: "worker" });
    const kills = await amongDyingWorkers(worker, { done: () => sent, count: orders_count, all });
    expect(kills).toBeGreaterThanOrEqual(2);
    await vi.waitFor(async () => expect(await waitingIn(cluster)).toBe(0), { timeout: 200_000, interval: 200 });

    const found = await pointsIn(cluster);
    expect(found).toHaveLength(members_count);
    for (const { who, ...points } of found) {
      const orders = paid.get(who) ?? 0;
      const earned = at_once * orders;
      const pending = later * (orders - (cancelled.get(who) ?? 0));
      expect({ who, ...points }).toEqual({ who, balance: earned, written: earned, orders, pending });
    }
  }, 400_000);
});
