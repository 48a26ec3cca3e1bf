import cluster from "node:cluster";
import { mkdir } from "node:fs/promises";
import { type Config, ConfigRefused } from "../config.js";
import { setBounds } from "../platform/bounds.js";
import { migrate } from "../platform/db/migrate.js";
import { createLog, type Log, standardError } from "../platform/log.js";
import { createMetrics } from "../platform/metrics.js";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../platform/postgres/index.js";
import { serveByMany } from "./by-many.js";
import { showOwnerLink } from "./owner-link.js";
import { openService } from "./service.js";
import { stopInTime, untilEnd } from "./stop.js";

/** Runs the service until a signal ends it (architecture.md §2). */
export async function serve(config: Config): Promise<void> {
  setBounds(config.bounds);
  // One that is itself a process of another program's cluster can have none of its own.
  const is_one = config.processes === 1 || !cluster.isPrimary;
  const write = standardError();
  const log = createLog(config.log_level, { write, ...(is_one ? {} : { process_number: 0 }) });
  const embedded = await openDataDir(config, log);
  try {
    const url = config.database_url ?? embedded?.url ?? "";
    await migrate(config.database_direct_url ?? url);
    if (is_one) await serveAlone({ config, log, embedded, url });
    else await serveByMany({ config, log, embedded, url, write });
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

interface Start {
  config: Config;
  log: Log;
  embedded: EmbeddedPostgres | undefined;
  url: string;
}

async function serveAlone({ config, log, embedded, url }: Start): Promise<void> {
  const service = await openService({ config, log, url, metrics: createMetrics({ process_too: true }) });
  await service.followClock();
  // At once: should the start fail further on, the first keys would otherwise be lost with it.
  await service.prepare();
  // Whoever answers already must not end because the database is away for a moment: nothing is asked of it from here on.
  const owner_link = await service.ownerLink();
  const address = await service.answer(config.port);
  const ended = untilEnd([embedded?.lost]);
  console.log(`Guerdon answers at ${address}`);
  showOwnerLink(config.public_url ?? address, owner_link);
  const code = await ended;
  await stopInTime(log, async () => {
    await service.stop();
    await embedded?.stop();
  });
  process.exit(code);
}
