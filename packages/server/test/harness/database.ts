import pg from "pg";
import { inject, onTestFinished } from "vitest";
import { openCatalogues } from "../../src/composition.js";
import { default_decision_work } from "../../src/config.js";
import type { Context } from "../../src/platform/context.js";
import { openDatabase } from "../../src/platform/db/database.js";
import { createBell } from "../../src/platform/jobs/bell.js";
import { createLog } from "../../src/platform/log.js";
import { createMetrics } from "../../src/platform/metrics.js";
import { createSeal } from "../../src/platform/secrets.js";
import { Turns } from "../../src/platform/sharing/turns.js";
import { empty_database } from "../global-setup.js";
import { createTestClock, monday_morning } from "./service.js";

let databases = 0;

/**
 * A new database on the run's server with our tables in it, which goes with the test, or with the file where that is said (`afterAll`): for what reaches over all projects,
 * as schedules and partitions do, and for clocks that would age what other tests left.
 */
export async function aDatabase(atEnd: (end: () => Promise<void>) => void = onTestFinished): Promise<string> {
  databases += 1;
  const name = `apart_${process.pid}_${databases}`;
  const client = new pg.Client({ connectionString: inject("database_url") });
  await client.connect();
  await client.query(`create database ${name} template ${empty_database}`);
  atEnd(async () => {
    await client.query(`drop database ${name} with (force)`);
    await client.end();
  });
  const url = new URL(inject("database_url"));
  url.pathname = name;
  return url.href;
}

/** A context on such a database, with a clock of its own; what it logs is kept. */
export async function aContextApart({ now = monday_morning, connections_max = 6, events_days = 730 } = {}) {
  const url = await aDatabase();
  const clock = createTestClock(now);
  const silent = createLog("silent");
  const errors: unknown[] = [];
  const log = {
    ...silent,
    info() {},
    warn() {},
    error: (...told: unknown[]) => errors.push(told),
  } as unknown as Context["log"];
  const metrics = createMetrics();
  const db = openDatabase({ url, log, metrics, connections_max, prepared: true });
  onTestFinished(() => db.close());
  const context: Context = {
    config: { cluster_id: "eu1", host: "127.0.0.1", events_days, metrics_token: undefined },
    db,
    clock,
    log,
    metrics,
    bell: createBell(),
    turns: new Turns(default_decision_work),
    catalogues: openCatalogues(metrics),
    seal: createSeal(Buffer.alloc(32, 7)),
    public_url: () => "http://127.0.0.1",
  };
  return { context, clock, db, url, errors };
}
