import { randomInt } from "node:crypto";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { createClient } from "../harness/client.js";
import { buildIfStale, cleanUpProcesses, type RunningService, stopProcess } from "../harness/process.js";
import { aCluster, type Cluster } from "./async.fixtures.js";

beforeAll(buildIfStale, 120_000);
cleanUpProcesses();

const events_count = process.env.GUERDON_TEST_LONG === "1" ? 1_000 : 200;
const points = 7;
const management = { GUERDON_MANAGEMENT_ID: "management", GUERDON_MANAGEMENT_TOKEN: "management-token" };

/** A card of a program that pays for a custom event, and a way to send that event. */
async function aPayingCard({ url, api }: Awaited<ReturnType<Cluster["service"]>>) {
  const manager = createClient(url, { "x-management-id": "management", "x-management-token": "management-token" });
  const { body: projects } = await manager.get("/management/v1/projects", 200);
  const schema = { name: "visited", schema: { properties: {} } };
  const path = `/management/v1/projects/${projects.data[0].id}/custom-event-schemas`;
  const { id: schema_id } = (await manager.post(path, schema, 200)).body;
  const voucher = { type: "LOYALTY_CARD", loyalty_card: { points: 0 } };
  const program = (await api.post("/v1/loyalties", { name: "Program", voucher }, 200)).body;
  const rule = { loyalty: { type: "FIXED", points }, event: "visited", custom_event: { schema_id } };
  await api.post(`/v1/loyalties/${program.id}/earning-rules`, [rule], 200);
  const customer = { source_id: "ann" };
  const card = (await api.post(`/v1/loyalties/${program.id}/members`, { customer }, 200)).body;
  return {
    id: card.id as string,
    visit: () => api.post("/v1/events", { event: "visited", customer }, 200),
    balance: async () => (await api.get(`/v1/loyalties/members/${card.id}`, 200)).body.loyalty_card.balance as number,
  };
}

const booksOf = async ({ db }: Cluster, voucher_id: string) =>
  (
    await db.query(
      `select count(*)::int as entries, count(distinct event_id)::int as events, sum(amount)::int as sum,
              (select balance::int from card_balances where voucher_id = $1) as balance,
              (select count(*)::int from inbox) as tasks, (select count(*)::int from outbox) as outbox
         from ledger_entries where voucher_id = $1`,
      [voucher_id],
    )
  ).rows[0];

describe(`${events_count} custom events, sent while workers are killed and started again`, () => {
  test("give the card exactly the points of each, and its entries sum to its balance", async () => {
    const cluster = await aCluster();
    const api = await cluster.service({ ...management, GUERDON_ROLE: "api" });
    const card = await aPayingCard(api);
    let sent = 0;
    let running = 0;
    let kills = 0;
    const until = (is: () => boolean | Promise<boolean>) => vi.waitUntil(is, { timeout: 60_000, interval: 5 });
    const worker = () => cluster.service({ ...management, GUERDON_ROLE: "worker" });
    async function send(): Promise<void> {
      while (sent < events_count) {
        await until(() => running > 0);
        await Promise.all(Array.from({ length: 10 }, () => card.visit()));
        sent += 10;
      }
    }
    /** Kills a worker at once, after some events more were sent, or after some more were paid; then starts the next. */
    async function killAgainAndAgain(): Promise<void> {
      while (sent < events_count) {
        const doomed: RunningService = await worker();
        running += 1;
        const more = randomInt(40);
        const [sent_before, paid_before] = [sent, await card.balance()];
        if (randomInt(2) === 0) await until(() => sent >= Math.min(events_count, sent_before + more));
        else await until(async () => sent === events_count || (await card.balance()) > paid_before + more * points);
        await stopProcess(doomed, "SIGKILL");
        running -= 1;
        kills += 1;
      }
    }
    await Promise.all([send(), killAgainAndAgain(), killAgainAndAgain()]);
    expect(kills).toBeGreaterThanOrEqual(2);
    await worker();
    const all = events_count * points;
    // With both queues empty nothing can be paid any more, once or twice.
    const books = { entries: events_count, events: events_count, sum: all, balance: all, tasks: 0, outbox: 0 };
    const settled = async () => expect(await booksOf(cluster, card.id)).toEqual(books);
    await vi.waitFor(settled, { timeout: 30_000, interval: 100 });
    expect(await card.balance()).toBe(all);
  }, 180_000);
});
