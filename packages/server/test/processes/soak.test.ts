import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/platform/postgres/index.js";
import { createClient } from "../harness/client.js";
import {
  buildIfStale,
  cleanUpProcesses,
  clientOf,
  passableFolder,
  printedCredentials,
  scratch,
  startProcess,
  stopProcess,
} from "../harness/process.js";
import { lookInto } from "./load.fixtures.js";
import {
  connectionsOf,
  lock_ms,
  type Memory,
  memoryOf,
  openShop,
  rowsOf,
  settled,
  soak,
  tells_memory,
} from "./soak.fixtures.js";

cleanUpProcesses();
const long = process.env.GUERDON_TEST_LONG === "1";
const minute_ms = 60_000;
const warm_ms = long ? 5 * minute_ms : 6_000;
const soaked_ms = long ? 15 * minute_ms : 6_000;
vi.setConfig({ testTimeout: long ? 30 * minute_ms : 5 * minute_ms });
// In seconds nothing settles: code is still being compiled and caches fill. What leaks at every request shows all the same.
const growth_max = long ? 1.1 : 1.5;

/** Rows that a day of business leaves behind. All other tables have as many afterwards as before. */
const history = [
  "events",
  "redemptions",
  "orders",
  "order_states",
  "ledger_entries",
  // Kept for thirty days, by partitions.
  "validations",
  "explained_refusals",
  "api_requests",
  // Kept for an hour, since a COMMIT whose answer was lost is looked up in them.
  "transaction_tokens",
  // Kept for the last 10,000 versions of a project.
  "catalogue_changes",
];

/**
 * A row for each person, code, day, or card and month, or for what a person did with a code on a day, made when first needed: no more than so
 * many, however much is counted.
 */
const counters: Readonly<Record<string, number>> = {
  custom_event_counts: 100,
  usage_days: 1_000,
  campaign_days: 100,
  hour_totals: 100,
  voucher_usage: 100,
  long_histories: 200,
  points_collected: 200,
  history_days: 13_000,
  history_units: 13_000,
};

let postgres: EmbeddedPostgres;
let folder: string;
beforeAll(async () => {
  await buildIfStale();
  folder = passableFolder();
  const log = { info() {}, warn() {}, error() {} };
  postgres = await startEmbeddedPostgres({ data_dir: join(folder, "data"), log });
});
afterAll(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

async function aDatabase(): Promise<string> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query("create database soak");
  await client.end();
  return Object.assign(new URL(postgres.url), { pathname: "soak" }).href;
}

test(`a service that works for ${(warm_ms + soaked_ms) / 1000} s keeps its memory, its tables and its connections`, async () => {
  const url = await aDatabase();
  const env = { DATABASE_URL: url, GUERDON_DATA_DIR: join(scratch(), "data"), NODE_OPTIONS: tells_memory };
  const service = await startProcess({ env });
  const credentials = printedCredentials(service.out());
  const api = clientOf(service.url, credentials);
  const management = createClient(service.url, {
    "x-management-id": credentials?.GUERDON_MANAGEMENT_ID ?? "",
    "x-management-token": credentials?.GUERDON_MANAGEMENT_TOKEN ?? "",
  });
  await openShop(api, management, credentials?.GUERDON_PROJECT_ID ?? "");

  const load = soak(api, 8, long ? 60 : 10);
  await pause(warm_ms);
  const after_warming = await memoryOf(service);
  const rows_before = await lookInto(url, rowsOf);
  await pause(soaked_ms);
  const at_the_end = await memoryOf(service);
  await load.end();
  expect(load.wrong).toEqual([]);
  console.info(`${load.asked()} requests; ${shown(after_warming)} → ${shown(at_the_end)}`);
  expect(at_the_end.heap / after_warming.heap).toBeLessThan(growth_max);
  expect(at_the_end.rss / after_warming.rss).toBeLessThan(growth_max);

  // Until the last lock has run out.
  await pause(lock_ms);
  await lookInto(url, settled);
  const rows_after = await lookInto(url, rowsOf);
  const grown = Object.keys(rows_after).filter((name) => (rows_after[name] ?? 0) > (rows_before[name] ?? 0));
  const isBounded = (name: string) => (rows_after[name] ?? 0) <= (counters[name] ?? 0);
  expect(grown.filter((name) => !history.includes(name) && !isBounded(name))).toEqual([]);
  // What only passes through is gone, and so is what ended.
  for (const name of ["outbox_parcels", "inbox", "voucher_sessions"])
    expect({ name, rows: rows_after[name] }).toEqual({ name, rows: 0 });

  expect((await lookInto(url, connectionsOf)).busy).toBe(0);
  expect((await stopProcess(service)).code).toBe(0);
  expect(await lookInto(url, connectionsOf)).toEqual({ total: 0, busy: 0 });
});

const shown = ({ heap, rss }: Memory) =>
  `heap ${(heap / 2 ** 20).toFixed(1)} MiB, process ${(rss / 2 ** 20).toFixed(0)} MiB`;
