import type pg from "pg";
import { Deaths } from "../processes/deaths.js";
import { becomeOwner, OwnedByAnother, type StartLog } from "./become-owner.js";
import { hangUp } from "./owner.js";
import { type Site, stopServer } from "./postmaster.js";

/** A PostgreSQL of ours that is kept running, until {@link EmbeddedPostgres.stop}. */
export interface EmbeddedPostgres {
  /** Connection string of the database `guerdon` for its owner, on 127.0.0.1. It stays as it is when the server is started again. */
  readonly url: string;
  /** Resolves when there is nothing to do but exit: the server keeps dying, or another process owns it now. */
  readonly lost: Promise<Error>;
  /** Drops all connections, stops the server and with it our ownership. Takes about ten seconds at most. */
  stop(): Promise<void>;
}

class KeepsDying extends Error {}

const deaths_max = 3;

/**
 * Keeps the ownership that a connection holds, and starts the server again when it has died. Must be called in the turn in
 * which the ownership was taken: the end of a connection that nobody listens to is never noticed.
 */
export function watchOwnership(
  site: Site,
  first: { client: pg.Client; port: number },
  log: StartLog,
): Pick<EmbeddedPostgres, "lost" | "stop"> {
  const { home, log_file } = site.folder;
  const { port } = first;
  let held: pg.Client | undefined;
  let regaining: Promise<void> | undefined;
  let stopping: Promise<void> | undefined;
  const deaths = new Deaths(deaths_max);
  let tellLoss: (reason: Error) => void;
  const lost = new Promise<Error>((resolve) => (tellLoss = resolve));

  function hold(client: pg.Client): void {
    held = client;
    client.once("end", () => {
      held = undefined;
      if (stopping === undefined) regaining = regain();
    });
  }

  /** Notes that the server died, or did not come up again. */
  function noteDeath(reason: string): void {
    if (deaths.note())
      throw new KeepsDying(
        `PostgreSQL in ${home} ended ${deaths_max} times within a minute (${reason}); see ${log_file}`,
      );
    log.warn(`PostgreSQL in ${home} ended by itself and is started again; see ${log_file}`);
  }

  /** A connection is lost when the server dies, but also when it restarts its processes after the crash of one. */
  async function regain(): Promise<void> {
    let refused: Error | undefined;
    const dead = (reason: string) => noteDeath(refused?.message ?? reason);
    while (!stopping) {
      try {
        const { client } = await becomeOwner(site, log, { port, isWanted: () => !stopping, dead });
        log.warn(`the connection that owns PostgreSQL in ${home} was lost and is made anew; see ${log_file}`);
        return hold(client);
      } catch (error) {
        if (stopping !== undefined) return;
        if (error instanceof KeepsDying || error instanceof OwnedByAnother) return tellLoss(error);
        refused = error as Error;
      }
    }
  }

  async function stop(): Promise<void> {
    // A start under way is given up, unless it has just come to its end.
    await regaining;
    // Without the lock the server may be another's by now, or gone. Left alone it is adopted by the next start.
    if (!held) return;
    const owner = held;
    if (!(await stopServer(site))) log.warn(`PostgreSQL in ${home} is still stopping; see ${log_file}`);
    await hangUp(owner);
  }

  hold(first.client);
  return { lost, stop: () => (stopping ??= stop()) };
}
