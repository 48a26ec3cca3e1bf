import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { findBinaries } from "./binaries.js";
import { ensureCluster, removeDrafts, role } from "./cluster.js";
import { folderAt, makeDataDir, readPassword, recordedPort, recordPort } from "./folder.js";
import { askServer, ensureDatabase, takeOwnership } from "./owner.js";
import { freePort, type Launched, launch, type Site } from "./postmaster.js";
import { asRefusal, oneLine, StartRefused } from "./refused.js";
import { reachableName, serverUser } from "./server-user.js";
import { type EmbeddedPostgres, type StartLog, watchOwnership } from "./watch.js";

const owner_patience_ms = 3_000;
const attempts_ms_max = 10_000;
const waiting_told_after_ms = 10_000;
// A server listens within milliseconds and says so while it recovers ("busy"): one that is silent never will serve us.
const mute_ms_max = 30_000;

/** Starts PostgreSQL in the data folder, or adopts the one that a killed process left running there. Throws {@link StartRefused}. */
export async function startEmbeddedPostgres({
  data_dir,
  log,
}: {
  data_dir: string;
  log: StartLog;
}): Promise<EmbeddedPostgres> {
  try {
    const site = await prepare(data_dir, log);
    const { client, port } = await becomeOwner(site, log);
    const { died, stop } = watchOwnership(site, client, log);
    try {
      await ensureDatabase(client);
      await recordPort(site.folder, port, site.user);
      await removeDrafts(site.folder);
    } catch (error) {
      await stop();
      throw error;
    }
    return { url: `postgresql://${role}:${site.password}@127.0.0.1:${port}/${role}?sslmode=disable`, died, stop };
  } catch (error) {
    throw asRefusal(error, data_dir);
  }
}

/** Everything up to database files that are there and can be served. */
async function prepare(data_dir: string, log: StartLog): Promise<Site> {
  if (process.platform === "win32") {
    throw new StartRefused(
      `Guerdon starts no PostgreSQL in ${data_dir}, since it does not do so on Windows. Set DATABASE_URL to a PostgreSQL of yours.`,
    );
  }
  const folder = folderAt(data_dir);
  const user = await serverUser(folder);
  await makeDataDir(folder, user);
  const binaries = await findBinaries(folder.data_dir, user, (message) => log.info(message));
  const origin = await ensureCluster(folder, binaries, user);
  if (origin === "made") log.info(`a new database was made in ${folder.home}`);
  const cluster_name = await reachableName(folder.cluster, user);
  return { folder, binaries, user, cluster_name, password: await readPassword(folder) };
}

/**
 * Asks whoever serves the folder to be ours, and starts a server while nobody does. Which of two processes
 * serves is decided by PostgreSQL's own note in the cluster, which of them owns by the lock inside.
 */
async function becomeOwner(site: Site, log: StartLog): Promise<{ client: pg.Client; port: number }> {
  const { home, data_dir, log_file } = site.folder;
  const begun = Date.now();
  let port_wish = await recordedPort(site.folder);
  let child: Launched | undefined;

  // Slower as time goes by: the server logs a line for each of us that it sends away while it recovers.
  for (let told = false; ; await pause(Math.min(1_000, 20 + (Date.now() - begun) / 10))) {
    const answer = await askServer(site);
    if (answer.kind === "serves") {
      const { client, port } = answer;
      const taken = await takeOwnership(client, owner_patience_ms);
      if (taken === "owned") throw ownedByAnother(data_dir);
      if (taken === "gone") continue;
      log.info(
        `PostgreSQL ${child ? "was started" : "was still running and is adopted"}: 127.0.0.1:${port}, files in ${home}`,
      );
      return { client, port };
    }
    if (answer.kind === "silent") {
      const end = await child?.ended();
      if (end !== undefined) {
        refuseUnlessPassing(end, { site, answer: answer.reason, last_attempt: Date.now() - begun > attempts_ms_max });
        if (portIsTaken(end)) port_wish = undefined;
        child = undefined;
        await pause(150);
      }
      child ??= await launch(site, port_wish ?? (await freePort()));
      if (child.age_ms() > mute_ms_max) {
        child.stop();
        throw new StartRefused(
          `PostgreSQL in ${home} runs but does not serve Guerdon (${oneLine(answer.reason)}); see ${log_file}.`,
        );
      }
    }
    if (!told && Date.now() - begun > waiting_told_after_ms) {
      told = true;
      // No bound: recovery after a crash takes as long as there is log to replay.
      log.warn(`PostgreSQL in ${home} does not serve yet, probably it recovers; see ${log_file}`);
    }
  }
}

const ownedByAnother = (data_dir: string) =>
  new StartRefused(
    `Another Guerdon process is running on the data folder ${data_dir}. Stop it first, or set GUERDON_DATA_DIR to another folder.`,
  );

// The texts are PostgreSQL's own, in English whatever the machine speaks (LC_ALL=C).
const portIsTaken = (end: string) => end.includes("could not create any TCP/IP sockets");
const told_while_starting = "the database system is starting up";
const isServedAlready = (end: string) => /lock file "postmaster\.pid"|pre-existing shared memory block/.test(end);

/**
 * Some ends of a server that was just started call for another attempt: its port was taken, another process
 * is starting one at the same moment, the remains of a killed one are still going away, or somebody stopped it.
 */
function refuseUnlessPassing(
  end: string,
  { site, answer, last_attempt }: { site: Site; answer: string; last_attempt: boolean },
): void {
  const { home, log_file } = site.folder;
  const fatal = [...end.matchAll(/(?:FATAL|PANIC): +(.*)/g)]
    .map(([, text]) => text)
    .find((text) => text !== told_while_starting);
  const passing = portIsTaken(end) || isServedAlready(end) || (!fatal && end.includes("database system is shut down"));
  if (passing && !last_attempt) return;
  if (isServedAlready(end)) {
    throw new StartRefused(
      `A PostgreSQL server seems to run on ${home} already but does not answer as Guerdon's (${oneLine(answer)}). ` +
        `Stop it, or if there is none, see ${log_file}.`,
    );
  }
  throw new StartRefused(
    `PostgreSQL in ${home} did not start (${fatal ?? oneLine(end.slice(-200))}); see ${log_file}.`,
  );
}
