import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { describe, expect, test, vi } from "vitest";
import { StartRefused } from "../../src/platform/postgres/index.js";
import { by_the_clock } from "../harness/by-the-clock.js";
import { postgresPid } from "../harness/process.js";
import {
  aDatabase,
  aDataDir,
  cleanUpAfterEach,
  clusterOf,
  copyFolder,
  homeOf,
  is_root,
  kill,
  query,
  start,
  startInChild,
  urlOf,
} from "./postgres.fixtures.js";

cleanUpAfterEach();

const isServed = (url: string) =>
  query(url, "select 1 as one").then(
    () => true,
    () => false,
  );
const untilServed = (url: string) => vi.waitUntil(() => isServed(url), { timeout: 10_000, interval: 20 });

/** Kills the server, and waits until it is known at its port. */
async function killServer(data_dir: string): Promise<void> {
  process.kill(postgresPid(data_dir), "SIGKILL");
  await pause(50);
}

const refusalOf = async (data_dir: string) => {
  const refusal = await start(data_dir).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(StartRefused);
  return (refusal as Error).message;
};

/** Inserts numbers one by one until the connection breaks, and tells each that was acknowledged. */
async function insertUntilCut(url: string, acknowledged: (n: number) => void): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    for (let n = 1; ; n++) {
      await client.query("insert into gifts (n) values ($1)", [n]);
      acknowledged(n);
    }
  } catch {
    // The server was taken away, which is what the test does.
  }
}

describe("when the process that owns the server is killed", () => {
  test("a start within a second adopts the server, and nothing is lost", async () => {
    const data_dir = await aDatabase();
    const first = startInChild(data_dir);
    const url = await urlOf(first);
    await query(url, "create table gifts (n int)");
    await query(url, "insert into gifts select generate_series(1, 1000)");
    const pid = postgresPid(data_dir);

    await kill(first.process, "SIGKILL");
    // At once, while the server may not have noticed yet.
    const server = await start(data_dir);

    expect(postgresPid(data_dir)).toBe(pid);
    expect(server.url).toBe(url);
    expect(await query(server.url, "select count(*)::int as n from gifts")).toEqual([{ n: 1000 }]);
    await server.stop();
    expect(() => statSync(join(clusterOf(data_dir), "postmaster.pid"))).toThrow("ENOENT");
  });

  test("an adopted server is started again when it dies, and stopped like one of our own", async () => {
    const data_dir = await aDatabase();
    const first = startInChild(data_dir);
    await urlOf(first);
    await kill(first.process, "SIGKILL");

    const server = await start(data_dir);
    await killServer(data_dir);
    await untilServed(server.url);
    await server.stop();
    // Its process may stay on as a zombie, if nobody buries orphans here: that must not look like a server.
    await (await start(data_dir)).stop();
  });

  test("Ctrl-C reaches that process alone, not the server", async () => {
    const data_dir = await aDatabase();
    const first = startInChild(data_dir);
    const url = await urlOf(first);
    const exit = once(first.process, "exit");
    // What a terminal does: the signal goes to the whole process group.
    process.kill(-Number(first.process.pid), "SIGINT");
    await exit;
    expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
  });
});

describe("a second process on the folder", () => {
  test("is refused by name within a few seconds, and the first goes on undisturbed", by_the_clock, async () => {
    const data_dir = await aDatabase();
    const url = await urlOf(startInChild(data_dir));
    const asked_at = Date.now();
    expect(await refusalOf(data_dir)).toBe(
      `Another Guerdon process is running on the data folder ${data_dir}. Stop it first, or set GUERDON_DATA_DIR to another folder.`,
    );
    expect(Date.now() - asked_at).toBeLessThan(6_000);
    expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  test("started at the same moment on an empty folder: one wins, the other is refused", async () => {
    const data_dir = aDataDir();
    const both = await Promise.all([startInChild(data_dir).outcome, startInChild(data_dir).outcome]);
    const urls = both.flatMap(({ url }) => url ?? []);
    const refusals = both.flatMap(({ refused }) => refused ?? []);
    expect([urls.length, refusals.length]).toEqual([1, 1]);
    expect(refusals[0]).toContain(`Another Guerdon process is running on the data folder ${data_dir}`);
    expect(await query(urls[0] ?? "", "select 1 as one")).toEqual([{ one: 1 }]);
  });

  test("that comes while the first one stops starts a server of its own", async () => {
    const data_dir = await aDatabase();
    const first = startInChild(data_dir);
    await urlOf(first);
    const next = startInChild(data_dir);
    setTimeout(() => first.process.kill("SIGTERM"), 500);
    expect(await query(await urlOf(next), "select 1 as one")).toEqual([{ one: 1 }]);
  });
});

describe("when the machine goes down", () => {
  test("what was acknowledged is there at the next start, though the old process id is another program's by then", async () => {
    const data_dir = await aDatabase();
    const first = startInChild(data_dir);
    const url = await urlOf(first);
    await query(url, "create table gifts (n int)");
    let last = 0;
    const inserting = insertUntilCut(url, (n) => (last = n));
    await vi.waitUntil(() => last > 200, { timeout: 10_000 });

    // Everything dies at once: our process, the server and its backends, which follow it.
    process.kill(postgresPid(data_dir), "SIGKILL");
    await kill(first.process, "SIGKILL");
    await inserting;
    const owner = statSync(clusterOf(data_dir));
    const stranger = spawn("sleep", ["60"], is_root ? { uid: owner.uid, gid: owner.gid } : {});
    const note = join(clusterOf(data_dir), "postmaster.pid");
    writeFileSync(note, readFileSync(note, "utf8").replace(/^\d+/, String(stranger.pid)));

    const server = await start(data_dir);
    expect(await query(server.url, `select count(*)::int as n from gifts where n <= ${last}`)).toEqual([{ n: last }]);
    expect(stranger.kill()).toBe(true);
    await server.stop();
  });

  test("a copy of a running folder starts a server of its own, and the original is left in peace", async () => {
    const data_dir = await aDatabase();
    const url = await urlOf(startInChild(data_dir));
    await query(url, "checkpoint");
    const copy = aDataDir();
    copyFolder(data_dir, copy);

    const server = await start(copy);
    expect(postgresPid(copy)).not.toBe(postgresPid(data_dir));
    expect(new URL(server.url).port).not.toBe(new URL(url).port);
    await server.stop();
    expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
  });
});

describe("the owner", () => {
  test("starts the server again at once when it dies, at the same address; with its third death within a minute it gives up", async () => {
    const data_dir = await aDatabase();
    const server = await start(data_dir);
    for (let death = 1; death < 3; death += 1) {
      await killServer(data_dir);
      await untilServed(server.url);
    }
    await killServer(data_dir);
    const { message } = await server.lost;
    expect(message).toMatch(/^PostgreSQL in [^\n]+ ended 3 times within a minute \([^\n]+\); see [^\n]+server\.log$/);
    expect(message).toContain(homeOf(data_dir));
    await server.stop();
  });

  test("that is told to stop while the server starts again leaves none behind", async () => {
    const data_dir = await aDatabase();
    const server = await start(data_dir);
    await killServer(data_dir);
    await server.stop();
    await vi.waitUntil(async () => (await isServed(server.url)) === false, { timeout: 10_000, interval: 100 });
    await pause(500);
    expect(await isServed(server.url)).toBe(false);
  });

  test("stays the owner when its connection is cut, or a crash restarts the server's processes", async () => {
    const data_dir = await aDatabase();
    const server = await start(data_dir);
    const owners = "select pid from pg_stat_activity where application_name = 'guerdon owner'";
    const ownerPid = async () => (await query<{ pid: number }>(server.url, owners).catch(() => []))[0]?.pid;

    const first = await ownerPid();
    await query(server.url, `select pg_terminate_backend(${first})`);
    const second = await vi.waitUntil(async () => ((await ownerPid()) ?? first) !== first && ownerPid(), {
      timeout: 10_000,
    });
    // A killed backend makes PostgreSQL drop all of them and recover.
    process.kill(Number(second), "SIGKILL");
    await vi.waitUntil(async () => ((await ownerPid()) ?? second) !== second, { timeout: 10_000 });

    const { refused } = await startInChild(data_dir).outcome;
    expect(refused).toContain("Another Guerdon process is running");
    await server.stop();
  });

  test("stops once, however often it is asked to", async () => {
    const data_dir = await aDatabase();
    const server = await start(data_dir);
    await Promise.all([server.stop(), server.stop()]);
    await server.stop();
  });
});
