import { join } from "node:path";
import { buildApp } from "../app.js";
import { budgetOf } from "../catalogue/index.js";
import { openCatalogues } from "../composition.js";
import type { Config } from "../config.js";
import { prepareEvents } from "../events/index.js";
import { makeFirstOwnerLink, setOwner } from "../features/people/index.js";
import { makeAndShowFirstProject } from "../first-credentials.js";
import { databaseClock } from "../platform/clock.js";
import type { Context } from "../platform/context.js";
import { openDatabase } from "../platform/db/database.js";
import type { App } from "../platform/http/app.js";
import { readBuiltPages } from "../platform/http/pages/index.js";
import { createBell } from "../platform/jobs/bell.js";
import type { Log } from "../platform/log.js";
import type { Metrics } from "../platform/metrics.js";
import { package_folder } from "../platform/package-folder.js";
import { readSecretKey } from "../platform/secret-key.js";
import { createSeal } from "../platform/secrets.js";
import { Turns } from "../platform/sharing/turns.js";
import { prepareKeptAnswers } from "../recording/index.js";
import { createSecondPhase, type SecondPhase } from "../second-phase.js";

/** Another process listens where we should. */
export class PortTaken extends Error {}

const minute_ms = 60_000;
/** Those who ask at once after a start have what they need compiled for them; for the others it is done when they are answered. */
const compiled_after_ms = 10_000;
const pages_folder = join(package_folder, "../dashboard/dist");
/** That have come and are not taken up yet; what Node.js asks for by itself a rush of six hundred is over. */
const connections_waiting_max = 4_096;

/** What one process is made of, over a database that is there and has its schema. */
export interface Service {
  readonly context: Context;
  /** Measures how far the database's clock is from ours: before anything else. */
  followClock(): Promise<void>;
  /** Makes what the first of all requests needs: partitions, and a first project where there is none. */
  prepare(): Promise<void>;
  /** While no owner can sign in: the path of a link by which somebody becomes one. */
  ownerLink(): Promise<string | null>;
  /** Answers requests, and does what comes after them; resolves to the address. */
  answer(port: number): Promise<string>;
  /** Accepts no more, answers what runs, ends the jobs under way, closes the pool. */
  stop(): Promise<void>;
}

interface ServiceOptions {
  config: Config;
  log: Log;
  metrics: Metrics;
  /** Of the database. */
  url: string;
  countCalls?: Context["countCalls"];
}

export async function openService({ config, log, metrics, url, countCalls }: ServiceOptions): Promise<Service> {
  const { connections_max, prepared } = config;
  const db = openDatabase({ url, log, metrics, connections_max, prepared });
  const clock = databaseClock(db);
  let address = "";
  const context: Context = {
    config,
    db,
    bell: createBell(),
    catalogues: openCatalogues(metrics, budgetOf(config.catalogue_bytes, config.heap_bytes)),
    clock,
    log,
    metrics,
    turns: new Turns(config.decision_work),
    seal: createSeal(config.secret_key ?? (await readSecretKey(config.data_dir))),
    ...(countCalls ? { countCalls } : {}),
    public_url: () => config.public_url ?? address,
  };
  let app: App | undefined;
  let second_phase: SecondPhase | undefined;
  let each_minute: NodeJS.Timeout | undefined;
  let compiling: NodeJS.Timeout | undefined;
  return {
    context,
    followClock: clock.follow,
    async prepare() {
      await prepareEvents(context, clock.now());
      await prepareKeptAnswers(context, clock.now());
      await makeAndShowFirstProject(context, config);
      if (config.owner) await setOwner(context, config.owner);
    },
    ownerLink: () => makeFirstOwnerLink(context),
    async answer(port) {
      app = await buildApp(context, { pages: await readBuiltPages(pages_folder) });
      second_phase = config.role === "api" ? undefined : createSecondPhase(context);
      address = await listen(app, config.host, port);
      second_phase?.start();
      compiling = setTimeout(() => {
        app?.compileSchemas().catch((err: Error) => log.error({ err }, "a shape of requests could not be compiled"));
      }, compiled_after_ms);
      each_minute = setInterval(() => {
        clock.follow().catch((err: Error) => log.warn({ err }, "the database's clock could not be read"));
      }, minute_ms);
      return address;
    },
    async stop() {
      clearInterval(each_minute);
      clearTimeout(compiling);
      await Promise.all([app?.close(), second_phase?.stop()]);
      await db.close();
    },
  };
}

async function listen(app: App, host: string, port: number): Promise<string> {
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
