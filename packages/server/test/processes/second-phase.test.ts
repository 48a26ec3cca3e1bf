import { randomInt } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { createClient } from "../harness/client.js";
import { buildIfStale, cleanUpProcesses } from "../harness/process.js";
import { aCluster, type Cluster } from "./async.fixtures.js";
import { amongDyingWorkers } from "./dying-workers.fixtures.js";

beforeAll(buildIfStale, 120_000);
cleanUpProcesses();

const changes_count = process.env.GUERDON_TEST_LONG === "1" ? 5_000 : 300;
const people_count = 20;
const management = { GUERDON_MANAGEMENT_ID: "management", GUERDON_MANAGEMENT_TOKEN: "management-token" };
const open = { GUERDON_WEBHOOK_ALLOW_PRIVATE: "true" };

interface Message {
  id: string;
  type: string;
  event: { id: string };
  data: { voucher?: { code: string } };
}

/** Counts messages by their ids: what comes again under the id that it had is the same message. */
async function aReceiver() {
  const messages = new Map<string, Message>();
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const message = JSON.parse(Buffer.concat(pieces).toString("utf8"));
      messages.set(message.id, message);
      response.end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const of = (type: string) => [...messages.values()].filter((message) => message.type === type);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, of };
}

const eventsOf = async ({ db }: Cluster, type: string): Promise<string[]> =>
  (await db.query("select id from events where type = $1 order by id", [type])).rows.map(({ id }) => id);

const waitingIn = async ({ db }: Cluster): Promise<number> =>
  (
    await db.query(
      `select (select count(*)::int from inbox) + (select count(*)::int from outbox_parcels)
            + (select count(*)::int from send_outs where due_at is not null) as waiting`,
    )
  ).rows[0].waiting;

/** Who enters again by what an automation did, and not by a change, is in the same chain: one code is given in each (ADR 51). */
const enteredIn = async ({ db }: Cluster): Promise<string[]> =>
  (
    await db.query(
      `select distinct on (customer_id, group_id) id from events
        where type = 'customer.segment.entered' order by customer_id, group_id, created_at, id`,
    )
  ).rows
    .map(({ id }) => id)
    .sort();

const eventIds = (messages: readonly Message[]) => messages.map(({ event }) => event.id).sort();

// Longer than 20 s: what a killed process held is free after fifteen.
describe(`after ${changes_count} changes of customers while workers are killed and started again`, () => {
  test("each is in an activity and was sent, and each code that an automation gave was given and told once", async () => {
    const cluster = await aCluster();
    const receiver = await aReceiver();
    const { url, api } = await cluster.service({ ...management, ...open, GUERDON_ROLE: "api" });
    const manager = createClient(url, { "x-management-id": "management", "x-management-token": "management-token" });
    const { body: projects } = await manager.get("/management/v1/projects", 200);
    const project = `/management/v1/projects/${projects.data[0].id}`;
    const webhook = { target_url: receiver.url, events: ["customer.created", "customer.updated"] };
    await manager.post(`${project}/webhooks`, webhook, 200);
    const filter = { junction: "and", "metadata.vip": { conditions: { $is: [true] } } };
    const segment = await api.post("/v1/segments", { name: "VIP", type: "auto-update", filter }, 200);
    const voucher = { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 100 } };
    const coupons = { name: "VIP", campaign_type: "DISCOUNT_COUPONS", type: "AUTO_UPDATE", voucher };
    const campaign_id = (await api.post("/v1/campaigns", coupons, 200)).body.id;
    const automation = {
      name: "welcome",
      trigger: { event: "customer.segment.entered", segment_id: segment.body.id },
      action: { type: "PUBLISH", campaign_id },
      channel: { type: "webhook", event_name: "welcome", target_url: receiver.url },
    };
    await manager.post(`${project}/automations`, automation, 200);

    const changes_of = Array.from({ length: people_count }, () => 0);
    let sent = 0;
    async function all(): Promise<void> {
      while (sent < changes_count) {
        const who = sent % people_count;
        sent += 1;
        // Never what was there before: each is an event.
        const metadata = { vip: randomInt(3) === 0, change: sent };
        await api.post("/v1/customers", { source_id: `c${who}`, metadata }, 200);
        changes_of[who] = (changes_of[who] ?? 0) + 1;
      }
    }
    const worker = () => cluster.service({ ...management, ...open, GUERDON_ROLE: "worker" });
    const kills = await amongDyingWorkers(worker, { done: () => sent, count: changes_count, all });
    expect(kills).toBeGreaterThanOrEqual(2);
    await vi.waitFor(async () => expect(await waitingIn(cluster)).toBe(0), { timeout: 300_000, interval: 200 });

    for (const type of ["customer.created", "customer.updated"])
      expect(eventIds(receiver.of(type))).toEqual(await eventsOf(cluster, type));
    const entered = await enteredIn(cluster);
    expect(entered.length).toBeGreaterThan(0);
    expect(eventIds(receiver.of("welcome"))).toEqual(entered);
    const told = receiver.of("welcome").map(({ data }) => data.voucher?.code);
    const given = await cluster.db.query(
      "select vouchers.code from publications join vouchers on vouchers.id = publications.voucher_id",
    );
    expect(told.sort()).toEqual(given.rows.map(({ code }) => code).sort());
    expect(new Set(told).size).toBe(entered.length);
    for (const [who, changes] of changes_of.entries()) {
      const { body } = await api.get(`/v1/customers/c${who}/activities?limit=1`, 200);
      const of_segments = await cluster.db.query(
        `select count(*)::int as told,
                (count(distinct group_id) filter (where type = 'customer.segment.entered'))::int as given
           from events join customers on customers.id = events.customer_id
          where customers.source_id = $1 and events.type like 'customer.segment.%'`,
        [`c${who}`],
      );
      const [{ told, given }] = of_segments.rows;
      expect(body.total).toBe(changes + told + given);
    }
  }, 600_000);
});
