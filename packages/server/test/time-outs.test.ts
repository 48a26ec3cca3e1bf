import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterAll, describe, expect, inject, test, vi } from "vitest";
import { openDatabase } from "../src/platform/db/database.js";
import { Unavailable } from "../src/platform/db/database-errors.js";
import { sql } from "../src/platform/db/sql.js";
import { createLog } from "../src/platform/log.js";
import { by_the_clock } from "./harness/by-the-clock.js";
import { aDatabase } from "./harness/database.js";
import { startService } from "./harness/service.js";

const other = new pg.Client({ connectionString: inject("database_url") });
await other.connect();
afterAll(() => other.end());

const { anotherProject, context, project, url } = await startService();
const neighbour = await anotherProject();

const headers = { "x-app-id": project.app_id, "x-app-token": project.app_token };
const used = () => context.db.pool().total - context.db.pool().idle;

async function whileVouchersAreLocked(work: () => Promise<void>): Promise<void> {
  await other.query("begin; lock table vouchers in access exclusive mode");
  try {
    await work();
  } finally {
    await other.query("rollback");
  }
}

describe("while a table is locked", () => {
  test("listings whose clients have gone give their connections back, and a neighbour is answered", by_the_clock, () =>
    whileVouchersAreLocked(async () => {
      const clients = new AbortController();
      const listings = Array.from({ length: 8 }, () =>
        fetch(`${url}/v1/vouchers`, { headers, signal: clients.signal }).catch(() => undefined),
      );
      await vi.waitUntil(() => used() >= 6, 20_000);
      await neighbour.api.get("/v1/products", 200);
      clients.abort();
      await Promise.all(listings);
      const begun = performance.now();
      await vi.waitUntil(() => used() === 0 && context.db.pool().waiting === 0, { timeout: 4_000, interval: 20 });
      expect(performance.now() - begun).toBeLessThan(2_000);
      await neighbour.api.get("/v1/products", 200);
    }),
  );
});

describe("a read that may take so long", () => {
  const bounded_ms = 500;

  test("is told as unavailable where it waits for a lock, and as too long where it works", async () => {
    const read = (statement: typeof waits) => context.db.together((queries) => queries.many(statement), bounded_ms);
    const waits = sql`select from vouchers where vouchers.project_id = ${project.id}`;
    await whileVouchersAreLocked(async () => {
      await expect(read(waits)).rejects.toThrow(Unavailable);
    });
    const works = read(sql`select pg_sleep(10)`);
    await expect(works).rejects.toMatchObject({ code: "57014" });
    expect(await read(waits)).toEqual([]);
  });

  test("answers a list 503 with Retry-After while its table is locked, not the 400 of a slow filter", () =>
    whileVouchersAreLocked(async () => {
      const response = await fetch(`${url}/v1/vouchers?limit=1`, { headers });
      expect(response.status).toBe(503);
      expect(response.headers.get("retry-after")).toBe("1");
      expect(await response.json()).toMatchObject({ key: "service_unavailable" });
    }));
});

describe("a database without a free connection", () => {
  test("is told as unavailable once the wait has taken too long", async () => {
    const log = createLog("silent");
    const db = openDatabase({ url: inject("database_url"), log, connections_max: 1, prepared: true, turn_ms_max: 100 });
    const busy = db.run(sql`select pg_sleep(0.5)`);
    await pause(10);
    const ask = sql`select 1 as one`;
    await expect(db.one(ask)).rejects.toThrow(Unavailable);
    await expect(db.together((queries) => queries.one(ask))).rejects.toThrow(Unavailable);
    await expect(db.transaction((tx) => tx.one(ask))).rejects.toThrow(Unavailable);
    await busy;
    await db.close();
  });
});

describe("a full disk", () => {
  test("is told with 503 by what would write and by /ready, until something was written again", async () => {
    const database_url = await aDatabase();
    const { api, context } = await startService({ database_url });
    const admin = new pg.Client({ connectionString: database_url });
    await admin.connect();
    await admin.query(`
      create function full_disk() returns trigger language plpgsql as $$ begin
        raise exception 'could not extend file "base/1/2": No space left on device' using errcode = '53100';
      end $$;
      create trigger full_disk before insert on customers for each row execute function full_disk();
      create trigger full_disk before insert on transaction_tokens for each row execute function full_disk()`);
    await api.get("/ready", 200);
    const refused = await api.post("/v1/customers", { source_id: "one" }, 503);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(refused.body).toMatchObject({ key: "service_unavailable", details: expect.stringContaining("disk") });
    await api.get("/v1/customers", 200);
    await api.get("/ready", 503);
    expect(context.db.isDiskFull()).toBe(true);

    await admin.query("drop trigger full_disk on customers; drop trigger full_disk on transaction_tokens");
    await admin.end();
    await api.get("/ready", 503);
    await api.post("/v1/customers", { source_id: "one" }, 200);
    await api.get("/ready", 200);
  });
});
