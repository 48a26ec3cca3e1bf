import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { beforeAll, expect, test, vi } from "vitest";
import { startEmbeddedPostgres } from "../../src/platform/postgres/index.js";
import {
  buildIfStale,
  cleanUpProcesses,
  clientOf,
  printedCredentials,
  scratch,
  startProcess,
} from "../harness/process.js";
import { lookInto, mistakes, no_mistakes, startLoad } from "./load.fixtures.js";

cleanUpProcesses();
beforeAll(buildIfStale);

const kills = process.env.GUERDON_TEST_LONG === "1" ? 12 : 1;
if (kills > 1) vi.setConfig({ testTimeout: 300_000 });
const quiet = { info() {}, warn() {}, error() {} };

/** Runs on a connection of its own, made when the server takes one again. */
async function insist(url: string, text: string) {
  for (let tries = 1; ; tries += 1) {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => undefined);
    try {
      await client.connect();
      return (await client.query(text)).rows;
    } catch (error) {
      if (tries === 100) throw error;
      await pause(100);
    } finally {
      client.end().catch(() => undefined);
    }
  }
}

test("on a slow disk every redemption that was answered is there once, whenever a process of PostgreSQL is killed", async () => {
  const postgres = await startEmbeddedPostgres({ data_dir: join(scratch(), "data"), log: quiet });
  // A commit waits 80 ms before it is written down: as long as it is decided and not on disk, a crash undoes it.
  await insist(postgres.url, "alter system set commit_delay = 80000");
  await insist(postgres.url, "alter system set commit_siblings = 0");
  await insist(postgres.url, "select pg_reload_conf()");
  const env = { DATABASE_URL: postgres.url, GUERDON_DATA_DIR: join(scratch(), "data"), GUERDON_CONNECTIONS: "10" };
  const service = await startProcess({ env });
  const credentials = printedCredentials(service.out()) ?? {};
  const api = clientOf(service.url, credentials);
  for (let i = 0; i < 8; i += 1) await api.post(`/v1/vouchers/CARD-${i}`, { gift: { amount: 1_000_000_000 } }, 200);

  const load = startLoad({
    url: () => service.url,
    credentials,
    clients: 8,
    redeemable: (n) => ({ object: "voucher", id: `CARD-${n % 8}`, gift: { credits: 100 } }),
  });
  for (let kill = 0; kill < kills; kill += 1) {
    await load.nextAnswer();
    await pause(500 + 300 * Math.random());
    const [victim] = await insist(
      postgres.url,
      "select pid from pg_stat_activity where application_name = 'guerdon' order by state = 'active' desc, random() limit 1",
    );
    if (victim) process.kill(victim.pid, "SIGKILL");
  }
  await load.nextAnswer();
  await load.end();
  expect(load.answered.length).toBeGreaterThan(kills);
  // One look at both: where the outcome of a commit is mistaken, it is chance which of them shows it.
  const found = await lookInto(postgres.url, (db) => mistakes(db, load.answered));
  expect({ wrong: load.wrong, ...found }).toEqual({ wrong: [], ...no_mistakes });
  await postgres.stop();
});
