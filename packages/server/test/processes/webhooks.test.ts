import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { createClient } from "../harness/client.js";
import { buildIfStale, cleanUpProcesses, stopProcess } from "../harness/process.js";
import { aCluster, type Cluster } from "./async.fixtures.js";

beforeAll(buildIfStale, 120_000);
cleanUpProcesses();

const customers_count = process.env.GUERDON_TEST_LONG === "1" ? 5_000 : 200;
const management = { GUERDON_MANAGEMENT_ID: "management", GUERDON_MANAGEMENT_TOKEN: "management-token" };
const open = { GUERDON_WEBHOOK_ALLOW_PRIVATE: "true" };

/** Receives messages, and takes a moment for each, so that whoever is killed is killed in the middle. */
async function aReceiver() {
  const counts = new Map<string, number>();
  const entities = new Set<string>();
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const { id, event } = JSON.parse(Buffer.concat(pieces).toString("utf8"));
      counts.set(id, (counts.get(id) ?? 0) + 1);
      entities.add(event.entity_id);
      setTimeout(() => response.end(), 20);
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, counts, entities };
}

const statesOf = async ({ db }: Cluster) =>
  (
    await db.query(
      `select count(*)::int as messages, count(*) filter (where status = 'SUCCEEDED')::int as arrived,
              (select count(*)::int from outbox_parcels) as outbox from send_outs`,
    )
  ).rows[0];

// Longer than 20 s: what a killed process held is free after fifteen.
describe(`the messages of ${customers_count} customers to two webhooks, while whoever sends is killed and started again`, () => {
  test("all arrive, each at least once, under the one id that it has", async () => {
    const cluster = await aCluster();
    const receivers = [await aReceiver(), await aReceiver()];
    const { url, api } = await cluster.service({ ...management, ...open, GUERDON_ROLE: "api" });
    const manager = createClient(url, { "x-management-id": "management", "x-management-token": "management-token" });
    const { body: projects } = await manager.get("/management/v1/projects", 200);
    for (const { url: target_url } of receivers) {
      const webhook = { target_url, events: ["customer.created"] };
      await manager.post(`/management/v1/projects/${projects.data[0].id}/webhooks`, webhook, 200);
    }
    const received = () => receivers.reduce((sum, { counts }) => sum + counts.size, 0);
    const worker = () => cluster.service({ ...management, ...open, GUERDON_ROLE: "worker" });
    const made: string[] = [];
    async function make(): Promise<void> {
      while (made.length < customers_count) {
        const batch = Array.from({ length: 10 }, () => api.post("/v1/customers", { name: "Ann" }, 200));
        made.push(...(await Promise.all(batch)).map(({ body }) => body.id));
      }
    }
    let kills = 0;
    /** Kills in the middle of sending: some more have arrived, and others are under way. */
    async function killAgainAndAgain(): Promise<void> {
      for (const share of [0.1, 0.5]) {
        const doomed = await worker();
        await vi.waitUntil(() => received() >= share * 2 * customers_count, { timeout: 60_000, interval: 1 });
        await stopProcess(doomed, "SIGKILL");
        kills += 1;
      }
    }
    await Promise.all([make(), killAgainAndAgain()]);
    expect(kills).toBe(2);
    const sent_before = received();
    expect(sent_before).toBeLessThan(2 * customers_count);
    const last = await worker();
    const all = { messages: 2 * customers_count, arrived: 2 * customers_count, outbox: 0 };
    await vi.waitFor(async () => expect(await statesOf(cluster)).toEqual(all), { timeout: 60_000, interval: 100 });
    for (const { counts, entities } of receivers) {
      expect(counts.size).toBe(customers_count);
      expect([...entities].sort()).toEqual(made.toSorted());
    }
    // Who is asked to stop waits for the answers to what it has sent, so that nobody sends it again.
    await api.post("/v1/customers", { name: "Ann" }, 200);
    await vi.waitUntil(() => received() > 2 * customers_count, { timeout: 10_000, interval: 1 });
    expect((await stopProcess(last)).code).toBe(0);
    const { messages, arrived } = await statesOf(cluster);
    expect(messages - arrived).toBeLessThanOrEqual(2 - (received() - 2 * customers_count));
  }, 600_000);
});
