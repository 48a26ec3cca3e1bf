import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { askServer, hangUp, takeOwnership } from "./owner.js";
import { type Site, stopServer } from "./postmaster.js";

/** A running PostgreSQL of ours, until {@link EmbeddedPostgres.stop}. */
export interface EmbeddedPostgres {
  /** Connection string of the database `guerdon` for its owner, on 127.0.0.1. */
  readonly url: string;
  /** Resolves when the server died by itself, or another process owns it now: nothing to do but exit. */
  readonly died: Promise<Error>;
  /** Drops all connections, stops the server and with it our ownership. Takes about ten seconds at most. */
  stop(): Promise<void>;
}

export interface StartLog {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

const silence_max = 5;

/**
 * Keeps the ownership that a connection holds. Must be called in the turn in which it was taken: the end
 * of a connection that nobody listens to is never noticed.
 */
export function watchOwnership(site: Site, first: pg.Client, log: StartLog): Pick<EmbeddedPostgres, "died" | "stop"> {
  const { home, log_file } = site.folder;
  let held: pg.Client | undefined;
  let stopping: Promise<void> | undefined;
  let dead = false;
  let tellDeath: (reason: Error) => void;
  const died = new Promise<Error>((resolve) => (tellDeath = resolve));

  function die(reason: string): void {
    dead = true;
    tellDeath(new Error(reason));
  }

  function hold(client: pg.Client): void {
    held = client;
    client.once("end", () => {
      held = undefined;
      if (!stopping) void regain();
    });
  }

  /** A connection is lost when the server dies, but also when it restarts its processes after the crash of one. */
  async function regain(): Promise<void> {
    for (let silent = 0; !stopping; await pause(200)) {
      const answer = await askServer(site);
      if (answer.kind === "silent" && ++silent >= silence_max) {
        return die(`PostgreSQL in ${home} ended by itself (${answer.reason}); see ${log_file}`);
      }
      if (answer.kind !== "serves") continue;
      const taken = await takeOwnership(answer.client, 1_000);
      if (taken === "owned") return die(`another Guerdon process took over the database in ${home}`);
      if (taken === "owner") {
        log.warn(`the connection that owns PostgreSQL in ${home} was lost and is made anew; see ${log_file}`);
        return hold(answer.client);
      }
    }
  }

  async function stop(): Promise<void> {
    // Without the lock the server may be another's by now, or gone. Left alone it is adopted by the next start.
    if (dead) return;
    if (!held) return log.warn(`PostgreSQL in ${home} is not ours at this moment and is left as it is`);
    const owner = held;
    if (!(await stopServer(site))) log.warn(`PostgreSQL in ${home} is still stopping; see ${log_file}`);
    await hangUp(owner);
  }

  hold(first);
  return { died, stop: () => (stopping ??= stop()) };
}
