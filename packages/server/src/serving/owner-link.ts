import type { Config } from "../config.js";
import { makeOwnerLink } from "../features/people/index.js";
import { databaseClock } from "../platform/clock.js";
import { openDatabase } from "../platform/db/database.js";
import { createLog } from "../platform/log.js";
import { OwnedByAnother, runningPostgresUrl, startEmbeddedPostgres } from "../platform/postgres/index.js";

/** Shown and not logged: whoever has it owns the organization. */
export function showOwnerLink(base: string, path: string | null): void {
  if (path === null) return;
  console.log(`Nobody owns this installation yet. Whoever opens this link within 24 hours does:\n\n  ${base}${path}\n`);
}

/** For an owner who lost their password. The service may run meanwhile, or not. */
export async function printOwnerLink(config: Config): Promise<void> {
  const log = createLog(config.log_level);
  const { url, stop } = await databaseOf(config, log);
  const db = openDatabase({ url, log, connections_max: 2, prepared: config.prepared });
  try {
    const clock = databaseClock(db);
    await clock.follow();
    const path = await makeOwnerLink({ db, clock });
    const base = config.public_url ?? `http://${config.host}:${config.port}`;
    console.log(`Whoever opens this link within 24 hours chooses the owner's name and password:\n\n  ${base}${path}\n`);
  } finally {
    await db.close();
    await stop();
  }
}

async function databaseOf({ database_url, data_dir }: Config, log: ReturnType<typeof createLog>) {
  const leave = async () => undefined;
  if (database_url) return { url: database_url, stop: leave };
  try {
    return await startEmbeddedPostgres({ data_dir, log });
  } catch (error) {
    if (!(error instanceof OwnedByAnother)) throw error;
    return { url: await runningPostgresUrl(data_dir), stop: leave };
  }
}
