import { mkdir } from "node:fs/promises";
import { buildApp } from "./app.js";
import { budgetOf } from "./catalogue/index.js";
import { openCatalogues } from "./composition.js";
import { type Config, ConfigRefused } from "./config.js";
import { prepareEvents } from "./events/index.js";
import { makeAndShowFirstProject } from "./first-credentials.js";
import { setBounds } from "./platform/bounds.js";
import { databaseClock } from "./platform/clock.js";
import type { Context } from "./platform/context.js";
import { type Database, openDatabase } from "./platform/db/database.js";
import { migrate } from "./platform/db/migrate.js";
import type { App } from "./platform/http/app.js";
import { createBell } from "./platform/jobs/bell.js";
import { createLog, type Log } from "./platform/log.js";
import { createMetrics } from "./platform/metrics.js";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./platform/postgres/index.js";
import { readSecretKey } from "./platform/secret-key.js";
import { createSeal } from "./platform/secrets.js";
import { Turns } from "./platform/sharing/turns.js";
import { prepareKeptAnswers } from "./recording/index.js";
import { createSecondPhase, type SecondPhase } from "./second-phase.js";

/** Another process listens where we should. */
export class PortTaken extends Error {}

const stop_ms_max = 20_000;
const minute_ms = 60_000;
/** That have come and are not taken up yet; what Node.js asks for by itself a rush of six hundred is over. */
const connections_waiting_max = 4_096;

/** Runs the service until a signal ends it (architecture.md §2). */
export async function serve(config: Config): Promise<void> {
  setBounds(config.bounds);
  const log = createLog(config.log_level);
  const embedded = await openDataDir(config, log);
  try {
    await serveOn(config, log, embedded);
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

/** Makes the data folder, closed to others, and starts the database in it unless there is one elsewhere. */
async function openDataDir({ data_dir, database_url }: Config, log: Log): Promise<EmbeddedPostgres | undefined> {
  // With a database inside, its start makes the folder: only there is it known whether another user must pass through.
  if (!database_url) return startEmbeddedPostgres({ data_dir, log });
  await mkdir(data_dir, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new ConfigRefused(`GUERDON_DATA_DIR: ${data_dir} cannot be made: ${error.message}`);
  });
  return undefined;
}

/** Brings the database's schema up to date and ends. */
export async function migrateOnly(config: Config): Promise<void> {
  const log = createLog(config.log_level);
  const embedded = await openDataDir(config, log);
  await migrate(config.database_direct_url ?? embedded?.url ?? "").finally(() => embedded?.stop());
}

async function serveOn(config: Config, log: Log, embedded: EmbeddedPostgres | undefined): Promise<void> {
  const url = config.database_url ?? embedded?.url ?? "";
  const direct_url = config.database_direct_url ?? url;
  await migrate(direct_url);
  const metrics = createMetrics({ process_too: true });
  const { connections_max, prepared } = config;
  const db = openDatabase({ url, log, metrics, connections_max, prepared });
  const clock = databaseClock(db);
  await clock.follow();
  let address = "";
  const context: Context = {
    config,
    db,
    bell: createBell(),
    catalogues: openCatalogues(metrics, budgetOf(config.catalogue_bytes)),
    clock,
    log,
    metrics,
    turns: new Turns(config.decision_work),
    seal: createSeal(config.secret_key ?? (await readSecretKey(config.data_dir))),
    public_url: () => address,
  };
  await prepareEvents(context, clock.now());
  await prepareKeptAnswers(context, clock.now());
  // At once: should the start fail further on, the keys would otherwise be lost with it.
  await makeAndShowFirstProject(context, config);
  const app = await buildApp(context);
  const second_phase = config.role === "api" ? undefined : createSecondPhase(context);
  address = await listen(app, config);
  second_phase?.start();
  console.log(`Guerdon answers at ${address}`);

  const each_minute = setInterval(() => {
    clock.follow().catch((err: Error) => log.warn({ err }, "the database's clock could not be read"));
  }, minute_ms);
  const ended = await untilEnd(embedded);
  clearInterval(each_minute);
  await stop({ log, app, second_phase, db, embedded });
  process.exit(ended === "signal" ? 0 : 1);
}

async function listen(app: App, { host, port }: Config): Promise<string> {
  try {
    return await app.listen({ host, port, backlog: connections_waiting_max });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE")
      throw new PortTaken(
        `PORT: ${port} is taken on ${host}; stop what listens there or set PORT (0 takes a free one)`,
      );
    if (code === "EACCES")
      throw new PortTaken(`PORT: ${port} may not be opened by this user; set PORT to one above 1023`);
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
      throw new PortTaken(`HOST: ${host} is not an address of this machine`);
    throw error;
  }
}

/** Resolves when a signal asks us to stop, or the embedded database is lost to us. */
function untilEnd(embedded: EmbeddedPostgres | undefined): Promise<"signal" | "database"> {
  return new Promise((end) => {
    // A terminal and npm both pass Ctrl-C on, so the same signal comes twice; stopping is bounded anyway.
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => end("signal"));
    void embedded?.lost.then((error) => {
      console.error(`guerdon: ${error.message}`);
      end("database");
    });
  });
}

interface Running {
  log: Log;
  app: App;
  second_phase: SecondPhase | undefined;
  db: Database;
  embedded: EmbeddedPostgres | undefined;
}

/** Accept no more, answer what runs, end the jobs under way, close the pool, stop the server; 20 s in all. */
async function stop({ log, app, second_phase, db, embedded }: Running): Promise<void> {
  const giving_up = setTimeout(() => {
    log.error("stopping took longer than 20 s; ending now");
    process.exit(1);
  }, stop_ms_max);
  giving_up.unref();
  await Promise.all([app.close(), second_phase?.stop()]);
  await db.close();
  await embedded?.stop();
  clearTimeout(giving_up);
}
