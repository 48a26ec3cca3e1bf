import pg from "pg";
import type { Log } from "../../log.js";
import type { PoolUse } from "../../metrics.js";
import { asUnavailable, isConnectionLost, isDiskFull, NobodyWaits } from "../database-errors.js";
import { answersInSlices } from "./answers-in-slices.js";
import { endSilent, socketOf } from "./packet.js";
import { forgetPlans, plan_ages_ms, planningAnew, planOnce } from "./plans.js";
import { type Taker, Turnstile } from "./turnstile.js";
import { getTypeParser } from "./values.js";

/** For whom a connection is used, and for how long. */
export interface User {
  project_id: Taker;
  /** Nobody waits for the answer any more: what runs is ended. Only for reads. */
  gone?: AbortSignal;
}

/** A connection while it is used. */
export interface Held {
  readonly client: pg.PoolClient;
  /** Set when nobody may use it again. */
  broken?: Error;
}

export interface Connections {
  /** Runs the work on a connection of its own, when it is the project's turn; failures are passed on as they are. */
  use<Answer>(user: User, work: (held: Held) => Promise<Answer>): Promise<Answer>;
  now(): PoolUse;
  /** The server could not write to its disk, and nothing has been written since. */
  isDiskFull(): boolean;
  /** Something was committed: there is room again. */
  wrote(): void;
  close(): Promise<void>;
}

interface ConnectionsOptions {
  url: string;
  log: Log;
  connections_max: number;
  /** Of one statement outside of a transaction, as the server counts. */
  statement_ms_max: number;
  /** Whether statements are prepared under their names. */
  prepared: boolean;
  /** The ages at which a connection plans them anew. */
  plan_ages_ms?: readonly number[];
  /** How long to wait for a connection. */
  turn_ms_max?: number;
}

/** So long a server works on for a client that has gone: it looks twice a second. */
const unnoticed_ms = 1_000;
/** The server's own bound comes first; this one holds where a pooler keeps it from us, and where the network falls silent. */
const answer_factor = 1.5;

/** A pool behind a turnstile: which project gets the next connection is decided here, the pool only makes and keeps them. */
export function openConnections(options: ConnectionsOptions): Connections {
  const pool = openPool(options);
  const plans = planningAnew(options.prepared ? (options.plan_ages_ms ?? plan_ages_ms) : []);
  pool.on("connect", plans.made);
  let is_disk_full = false;
  const turnstile = new Turnstile({ places: options.connections_max, wait_ms_max: options.turn_ms_max });

  async function use<Answer>({ project_id, gone }: User, work: (held: Held) => Promise<Answer>): Promise<Answer> {
    await turnstile.enter(project_id, gone);
    let held: Held | undefined;
    try {
      held = { client: await connect(pool) };
      if (plans.isDue(held.client)) await forgetPlans(held.client);
      return await (gone ? whileWanted(held, gone, work) : work(held));
    } catch (error) {
      if (isDiskFull(error)) is_disk_full = true;
      throw error;
    } finally {
      held?.client.release(held.broken);
      // The server may still be busy with it: its place stays taken until that is over, or there would be more than allowed.
      if (held?.broken instanceof NobodyWaits) setTimeout(() => turnstile.leave(project_id), unnoticed_ms).unref();
      else turnstile.leave(project_id);
    }
  }

  return {
    use,
    isDiskFull: () => is_disk_full,
    wrote() {
      is_disk_full = false;
    },
    now: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: turnstile.waiting }),
    close: () => pool.end(),
  };
}

/** Cuts the connection when nobody waits any more; the server ends what runs there (`client_connection_check_interval`). */
async function whileWanted<Answer>(
  held: Held,
  gone: AbortSignal,
  work: (held: Held) => Promise<Answer>,
): Promise<Answer> {
  const cut = () => {
    held.broken = new NobodyWaits();
    socketOf(held.client).destroy();
  };
  if (gone.aborted) throw new NobodyWaits();
  gone.addEventListener("abort", cut);
  try {
    return await work(held);
  } catch (error) {
    throw held.broken instanceof NobodyWaits ? held.broken : error;
  } finally {
    gone.removeEventListener("abort", cut);
  }
}

function openPool({ url, connections_max, log, statement_ms_max, prepared }: ConnectionsOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections_max,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    application_name: "guerdon",
    types: { getTypeParser },
    pipeline: true,
  });
  // An idle connection that breaks is replaced by the next use; without a listener it would stop the process.
  pool.on("error", (error) => log.warn({ err: asUnavailable(error) }, "an idle database connection was lost"));
  const inSlices = answersInSlices();
  pool.on("connect", (client) => {
    inSlices(socketOf(client));
    endSilent(client, statement_ms_max * answer_factor);
    // The same for one in use: its statement fails and says so, but the loss is also told as an event.
    client.on("error", () => undefined);
    // For reads outside transactions. Not as parameters of the connection: poolers refuse those that they do not know.
    client.query(`set statement_timeout = ${statement_ms_max}`).catch(() => undefined);
    if (prepared) planOnce(client);
    // Apart, since not every system lets PostgreSQL look.
    client.query("set client_connection_check_interval = 500").catch(() => undefined);
  });
  return pool;
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** A connection that was lost is not used again. */
export function noteLoss(held: Held, error: unknown): void {
  if (isConnectionLost(error)) held.broken ??= error as Error;
}
