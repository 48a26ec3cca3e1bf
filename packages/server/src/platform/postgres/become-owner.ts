import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { recordedPort } from "./folder.js";
import { askServer, takeOwnership } from "./owner.js";
import { freePort, type Launched, launch, type Site } from "./postmaster.js";
import { oneLine, StartRefused } from "./refused.js";

export interface StartLog {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

const owner_patience_ms = 3_000;
const attempts_ms_max = 10_000;
const waiting_told_after_ms = 10_000;
// A server listens within milliseconds and says so while it recovers ("busy"): one that is silent never will serve us.
const mute_ms_max = 30_000;

/** Another process owns the folder's server, and is alive. */
export class OwnedByAnother extends StartRefused {
  constructor(data_dir: string) {
    super(
      `Another Guerdon process is running on the data folder ${data_dir}. Stop it first, or set GUERDON_DATA_DIR to another folder.`,
    );
  }
}

/** Nobody waits for the server any more. */
class NotWanted extends Error {}

/** How the server is to come up again. */
interface Wish {
  /** This port and no other: there are connections that know it. Without one the last one is preferred. */
  port?: number;
  /** Asked again and again: a server that is still starting may be told to end. */
  isWanted?: () => boolean;
  /** Told once when there is no server, before one is started; what it throws is passed on. */
  dead?: (reason: string) => void;
}

/**
 * Asks whoever serves the folder to be ours, and starts a server while nobody does. Which of two processes
 * serves is decided by PostgreSQL's own note in the cluster, which of them owns by the lock inside.
 */
export async function becomeOwner(
  site: Site,
  log: StartLog,
  { port: port_only, isWanted = () => true, dead }: Wish = {},
): Promise<{ client: pg.Client; port: number }> {
  const { home, data_dir, log_file } = site.folder;
  const begun = Date.now();
  let port_wish = port_only ?? (await recordedPort(site.folder));
  let child: Launched | undefined;
  let tellDeath = dead;

  // Slower as time goes by: the server logs a line for each of us that it sends away while it recovers.
  for (let told = false; ; await pause(Math.min(1_000, 20 + (Date.now() - begun) / 10))) {
    if (!isWanted()) {
      child?.stop();
      throw new NotWanted();
    }
    const answer = await askServer(site);
    if (answer.kind === "serves") {
      const { client, port } = answer;
      const taken = await takeOwnership(client, owner_patience_ms);
      if (taken === "owned") throw new OwnedByAnother(data_dir);
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
        if (portIsTaken(end)) port_wish = port_only;
        child = undefined;
        await pause(150);
      }
      tellDeath?.(answer.reason);
      tellDeath = undefined;
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
