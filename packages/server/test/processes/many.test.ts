import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { sql } from "../../src/platform/db/sql.js";
import { createClient } from "../harness/client.js";
import {
  buildIfStale,
  cleanUpProcesses,
  clientOf,
  embeddedUrl,
  postgresPid,
  processesOf,
  type ServiceProcess,
  startProcess,
} from "../harness/process.js";
import { aUsedDataDir } from "../harness/templates.js";
import { holdKey, isAlive } from "./held.fixtures.js";
import { lookInto, mistakes, no_mistakes, startLoad } from "./load.fixtures.js";

cleanUpProcesses();
beforeAll(buildIfStale);

const long = process.env.GUERDON_TEST_LONG === "1";
// Each starts several servers, some of them again and again.
vi.setConfig({ testTimeout: long ? 900_000 : 180_000 });
/** A process starts as fast as the machine lets it, beside other tests. */
const patient = { timeout: 40_000, interval: 50 };
const discount = { type: "AMOUNT", amount_off: 100 };

/** A service of two processes with a database of its own. */
async function aService(env: Record<string, string> = {}) {
  const { data_dir, credentials } = await aUsedDataDir();
  const start = (more: Record<string, string> = {}) =>
    startProcess({ env: { GUERDON_DATA_DIR: data_dir, GUERDON_PROCESSES: "2", ...env, ...more } });
  const service = await start();
  return { service, start, data_dir, credentials, url: service.url, api: clientOf(service.url, credentials) };
}

const pidsOf = async (service: ServiceProcess) => [...(await processesOf(service)).values()];

/** Resolves when a service has two processes that are none of those, to their ids. */
const replaced = (service: ServiceProcess, gone: readonly number[]) =>
  vi.waitUntil(async () => {
    const now = await pidsOf(service);
    return now.length === 2 && !now.some((pid) => gone.includes(pid)) && now;
  }, patient);

/** Kills processes, as soon as the service would not give up for it: six deaths within a minute are too many. */
function killer() {
  const deaths: number[] = [];
  return async (...pids: number[]) => {
    const areFewEnough = () => deaths.filter((at) => performance.now() - at < 61_000).length + pids.length < 6;
    await vi.waitUntil(areFewEnough, { timeout: 120_000, interval: 200 });
    for (const pid of pids) {
      deaths.push(performance.now());
      process.kill(pid, "SIGKILL");
    }
  };
}

/** What `/metrics` says of a name, by its labels. */
async function seriesOf(url: string, name: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const found = text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, "gm"));
  return Object.fromEntries([...found].map(([, labels = "", value]) => [labels, Number(value)]));
}

describe("two processes behind one port", () => {
  test("share what is limited: 500 of 1,500 redemptions, connections, calls of an address; and are measured as one", async () => {
    const window = { GUERDON_CLIENT_SIDE_CALLS: "7", GUERDON_CLIENT_SIDE_SECONDS: "3600" };
    const { service, url, api, data_dir, credentials } = await aService({ GUERDON_CONNECTIONS: "8", ...window });
    await api.post("/v1/vouchers/LIMITED", { discount, redemption: { quantity: 500 } }, 200);
    const redeem = () =>
      api.post("/v1/redemptions", { redeemables: [{ object: "voucher", id: "LIMITED" }], order: { amount: 1000 } });
    const answers = await Promise.all(Array.from({ length: 1_500 }, redeem));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(500);
    const refused = answers.filter(({ status }) => status !== 200).map(({ body }) => body.key);
    expect(new Set(refused)).toEqual(new Set(["quantity_exceeded"]));
    const { backends } = await lookInto(embeddedUrl(data_dir), (db) =>
      db.one<{ backends: number }>(sql`-- every project: connections are no project's
        select count(*) as backends from pg_stat_activity
         where application_name = 'guerdon' and pid <> pg_backend_pid()`),
    );
    expect(backends).toBeLessThanOrEqual(8);

    const redemptions = 'operation="redeem-stacked-discounts",status="2xx"';
    expect((await seriesOf(url, "guerdon_request_duration_seconds_count"))[redemptions]).toBe(500);
    const stages = await seriesOf(url, "guerdon_recording_batch_requests_sum");
    expect(stages[""]).toBeGreaterThanOrEqual(1_500);
    // The keeper, and both: who has nothing to do has no connections.
    const sockets = await seriesOf(url, "nodejs_active_resources");
    for (const number of [1, 2]) expect(sockets[`type="TCPSocketWrap",process="${number}"`]).toBeGreaterThan(10);
    expect(Object.keys(await seriesOf(url, "process_start_time_seconds")).sort()).toEqual(
      ["0", "1", "2"].map((number) => `process="${number}"`),
    );
    expect(Object.keys(await seriesOf(url, "guerdon_outbox_age_seconds"))).toEqual([""]);

    // What has been counted stays counted when the process is another one.
    const gone = await pidsOf(service);
    process.kill(gone[0] as number, "SIGKILL");
    await vi.waitUntil(async () => (await pidsOf(service)).some((pid) => !gone.includes(pid)), patient);
    await vi.waitUntil(
      async () => Object.keys(await seriesOf(url, "process_start_time_seconds")).length === 3,
      patient,
    );
    expect((await seriesOf(url, "guerdon_request_duration_seconds_count"))[redemptions]).toBe(500);

    const origin = "https://shop.example";
    const management = createClient(url, {
      "x-management-id": credentials.GUERDON_MANAGEMENT_ID ?? "",
      "x-management-token": credentials.GUERDON_MANAGEMENT_TOKEN ?? "",
    });
    const shop = { name: "shop", client_trusted_domains: [origin] };
    const { app_id, app_token } = (await management.post("/management/v1/projects", shop, 200)).body.client_side_key;
    const page = createClient(url, { "x-client-application-id": app_id, "x-client-token": app_token, origin });
    const calls = await Promise.all(Array.from({ length: 30 }, () => page.get("/client/v1/promotions/tiers")));
    const statuses = calls.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(7).fill(200), ...Array(23).fill(429)]);
  });

  test("that are killed in mid-load, one or both and the database, are replaced, and what was answered is there once", async () => {
    const [rounds, clients] = long ? [12, 32] : [3, 8];
    const kill = killer();
    const { service, data_dir, credentials, url, api } = await aService();
    for (let i = 0; i < 10; i += 1) await api.post(`/v1/vouchers/CARD-${i}`, { gift: { amount: 1_000_000_000 } }, 200);
    const redeemable = (n: number) => ({ object: "voucher", id: `CARD-${n % 10}`, gift: { credits: 100 } });
    const load = startLoad({ url: () => url, credentials, clients, redeemable });
    for (let round = 0; round < rounds; round += 1) {
      await load.nextAnswer();
      await pause(300 * Math.random());
      const all = await processesOf(service);
      const killed = all.get(1 + (round % 2)) as number;
      await kill(killed);
      await vi.waitUntil(() => !isAlive(killed), patient);
      // The other one answers, and in time there are two again.
      await load.nextAnswer();
      await vi.waitUntil(async () => (await pidsOf(service)).filter((pid) => pid !== killed).length === 2, patient);
    }
    // All at once: whoever begins while the database is away waits for it.
    const before = await pidsOf(service);
    await kill(...before);
    process.kill(postgresPid(data_dir), "SIGKILL");
    await replaced(service, before);
    await load.nextAnswer();
    await load.end();
    expect(load.wrong).toEqual([]);
    expect(await lookInto(embeddedUrl(data_dir), (db) => mistakes(db, load.answered))).toEqual(no_mistakes);
    expect(service.err().match(/a process ended by itself and is started again/g)).toHaveLength(rounds + 2);
  });

  test("of which one is killed that was being handed a connection: its client is not left waiting", async () => {
    const { service, url } = await aService();
    const [standing] = await pidsOf(service);
    // It takes the next connection that comes, and says no more of it.
    process.kill(standing as number, "SIGSTOP");
    const { hostname, port } = new URL(url);
    const ask = () => {
      const socket = connect(Number(port), hostname).on("error", () => undefined);
      let answer = "";
      socket.setEncoding("utf8").on("data", (text: string) => (answer += text));
      socket.write("GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
      return new Promise<string>((resolve) => socket.once("close", () => resolve(answer.slice(0, 12))));
    };
    let settled = 0;
    const all = Array.from({ length: 4 }, () => ask().finally(() => (settled += 1)));
    await vi.waitUntil(() => settled === 3, patient);
    await pause(300);
    expect(settled).toBe(3);
    process.kill(standing as number, "SIGKILL");
    expect((await Promise.all(all)).sort()).toEqual(["", ...Array(3).fill("HTTP/1.1 200")]);
  });

  test("that both are killed come back at the same address; where they keep dying the service ends, and says so", async () => {
    const { service, data_dir, api } = await aService();
    const postgres = postgresPid(data_dir);
    const both = await pidsOf(service);
    for (const pid of both) process.kill(pid, "SIGKILL");
    const next = await replaced(service, both);
    const isAnswered = () =>
      api.get("/v1/customers").then(
        ({ status }) => status === 200,
        () => false,
      );
    await vi.waitUntil(isAnswered, patient);

    let killed: readonly number[] = next;
    for (let death = 3; death <= 6; death += 1) {
      const [one] = killed;
      process.kill(one as number, "SIGKILL");
      if (death < 6) killed = await replacedBut(service, killed);
    }
    expect(await service.exit).toEqual({ code: 1, signal: null });
    expect(service.err()).toMatch(/^guerdon: 6 processes ended by themselves within a minute .*SIGKILL.*$/m);
    await vi.waitUntil(() => !isAlive(postgres), patient);
  });

  test("answer what they have begun when the service is told to stop, take nothing more, and leave nothing behind", async () => {
    const { service, api, data_dir, credentials, url } = await aService();
    const { body } = await api.post("/v1/customers", { source_id: "slow" }, 200);
    const [postgres, members] = [postgresPid(data_dir), await pidsOf(service)];
    const project_id = credentials.GUERDON_PROJECT_ID ?? "";
    const held = await holdKey(embeddedUrl(data_dir), { project_id, kind: "customer", id: body.id });
    const names = Array.from({ length: 8 }, (_, i) => `Answered ${i}`);
    const answers = names.map((name) => api.put("/v1/customers/slow", { name }));
    // Two wait at the database for each process, the others inside of it.
    await held.untilSomebodyWaits(3);

    const rush = startRush(url);
    await pause(200);
    service.signal("SIGTERM");
    service.signal("SIGTERM");
    // Whoever comes meanwhile is answered or sent away, and does not wait for what was begun.
    await rush.untilRefused();
    await vi.waitUntil(() => rush.open() === 0, { timeout: 5_000, interval: 20 });
    await held.letGo();
    const answered = await Promise.all(answers);
    expect(answered.map(({ status, body: { name } }) => `${status} ${name}`)).toEqual(
      names.map((name) => `200 ${name}`),
    );
    expect(await service.exit).toEqual({ code: 0, signal: null });
    expect(members.filter(isAlive)).toEqual([]);
    // It gives up its note, which is what is waited for, before its process has gone.
    await vi.waitUntil(() => !isAlive(postgres), patient);
    expect(service.err()).toBe("");
  });

  test("end by themselves when their keeper is killed, and the next start goes on with the same database", async () => {
    const { service, start, data_dir, credentials, api } = await aService();
    const [postgres, members] = [postgresPid(data_dir), await pidsOf(service)];
    await api.post("/v1/customers", { source_id: "kept" }, 200);
    process.kill(service.child.pid as number, "SIGKILL");
    await vi.waitUntil(() => !members.some(isAlive), patient);
    const again = await start({ GUERDON_LOG: "info" });
    expect(postgresPid(data_dir)).toBe(postgres);
    await clientOf(again.url, credentials).get("/v1/customers/kept", 200);
    // Each line of the log is one, and says whose it is.
    const lines = again
      .err()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { process: number; msg: string });
    const listening = lines.filter(({ msg }) => msg.includes("listening")).map((line) => line.process);
    expect(listening.sort()).toEqual([1, 2]);
    expect(lines.find(({ msg }) => msg.includes("adopted"))?.process).toBe(0);
  });
});

/** Resolves when the first of those has ended and another one is there. */
const replacedBut = (service: ServiceProcess, known: readonly number[]) =>
  vi.waitUntil(async () => {
    const now = await pidsOf(service);
    return now.length === 2 && !now.includes(known[0] as number) && now;
  }, patient);

/** Clients that come one after the other, each with a connection of its own, until one is refused. */
function startRush(url: string) {
  const { hostname, port } = new URL(url);
  let [open, is_refused] = [0, false];
  const come = () => {
    if (is_refused) return;
    open += 1;
    const socket = connect(Number(port), hostname).on("error", (err: NodeJS.ErrnoException) => {
      is_refused ||= err.code === "ECONNREFUSED";
    });
    socket.resume().once("close", () => (open -= 1));
    socket.write("GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
  };
  const timer = setInterval(() => {
    for (let i = 0; i < 5; i += 1) come();
  }, 1);
  return {
    open: () => open,
    untilRefused: () =>
      vi.waitUntil(() => is_refused, { timeout: 5_000, interval: 20 }).finally(() => clearInterval(timer)),
  };
}
