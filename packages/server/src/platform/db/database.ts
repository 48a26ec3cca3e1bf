import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { Log } from "../log.js";
import { type PoolUse, type Stopwatch, type TransactionMetrics, unmeasured } from "../metrics.js";
import {
  isConnectionLost,
  isPassing,
  isTimedOut,
  isWorthAnotherTry,
  reasonOf,
  Unavailable,
} from "./database-errors.js";
import type { Sql } from "./sql.js";
import { assertCommitted, commitWith, newToken } from "./transactions/lost-commit.js";

/**
 * Runs statements. Times arrive as {@link Instant}s, `bigint`s as numbers, `date`s as `YYYY-MM-DD`, sums (`numeric`) as
 * numbers up to 2^53 − 1, where they stay. On one connection they are answered in the order in which they were sent; those that are sent without waiting share a round trip.
 */
export interface Queries {
  many<Row>(statement: Sql): Promise<Row[]>;
  /** The one row; anything else is a bug of the caller. */
  one<Row>(statement: Sql): Promise<Row>;
  maybe<Row>(statement: Sql): Promise<Row | undefined>;
  /** Answers how many rows the statement touched. */
  run(statement: Sql): Promise<number>;
}

/** Queries inside one transaction. */
export interface Tx extends Queries {
  readonly in_transaction: true;
  /** Whoever records something says which of its steps begins; whoever does not leaves it alone. */
  readonly steps: Stopwatch;
  /** Told how long the keys of the transaction took. */
  locked(seconds: number): void;
}

export interface Database extends Queries {
  /**
   * Runs the work in one READ COMMITTED transaction and commits it. The work may run up to four times: on a
   * deadlock, a time-out or a lost connection it starts over (architecture.md §3), so it must not keep
   * anything outside the transaction from an earlier try. What it throws rolls back and is passed on.
   */
  transaction<Answer>(work: (tx: Tx) => Promise<Answer>): Promise<Answer>;
  /**
   * Runs reads on one connection, so that those that need not wait for each other share a round trip.
   * @param statement_ms_max none of them takes longer (`isTimedOut`); for statements whose cost the caller chooses
   */
  together<Answer>(work: (queries: Queries) => Promise<Answer>, statement_ms_max?: number): Promise<Answer>;
  /** Connections now, and who waits for one. */
  pool(): PoolUse;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  log: Log;
  connections_max: number;
  /** Named statements; off behind a pooler that does not know them. */
  prepared: boolean;
  metrics?: TransactionMetrics;
  /** Of one statement, in a transaction or outside. */
  statement_ms_max?: number;
  lock_ms_max?: number;
  /** How long to ask what became of a COMMIT without an answer. A server that restarts is mostly back by then. */
  asking_ms_max?: number;
}

const tries_max = 4;
const statement_ms = 15_000;

/** Opens a pool; connections are made when first needed. */
export function openDatabase(options: DatabaseOptions): Database {
  const { url, prepared, log, metrics = unmeasured, asking_ms_max = 15_000 } = options;
  const pool = openPool(options);
  const begin = beginStatement(options.statement_ms_max ?? statement_ms, options.lock_ms_max ?? 10_000);

  async function attempt<Answer>(work: (tx: Tx) => Promise<Answer>): Promise<Answer> {
    const client = await connect(pool);
    const [token, steps] = [newToken(), metrics.recording()];
    let answered: { answer: Answer } | undefined;
    let broken: Error | undefined;
    const { begun, queries, end } = beginOn(client, begin, prepared);
    try {
      const answer = await work({ ...queries, in_transaction: true, steps, locked: metrics.locked });
      await begun;
      end(new Error("the transaction has ended"));
      steps.commit();
      answered = { answer };
      await client.query(commitWith(token));
      return answer;
    } catch (error) {
      end(error as Error);
      if (isConnectionLost(error)) broken = error as Error;
      // A server that answers this has refused. One that does not may be dying of the error it told, with the change on disk.
      if (!broken) await client.query("rollback").catch((lost: Error) => (broken = lost));
      if (!answered || !broken) throw error;
    } finally {
      steps.end();
      client.release(broken);
    }
    // The connection was given back before: of those who ask at once each would hold two.
    await assertCommitted(url, token, asking_ms_max);
    return answered.answer;
  }

  return {
    ...queriesOn(pool, prepared),
    async transaction(work) {
      for (let tries = 1; ; tries += 1) {
        try {
          return await attempt(work);
        } catch (error) {
          if (!isWorthAnotherTry(error)) throw toldOf(error);
          metrics.startedOver(reasonOf(error));
          if (tries === tries_max) throw new Unavailable("the database did not let the change through", error);
          const told = isConnectionLost(error) ? { err: asUnavailable(error) } : { error: (error as Error).message };
          log.warn({ ...told, tries }, "a transaction starts over");
          await pause(Math.random() * 20 * 2 ** tries);
        }
      }
    },
    async together(work, statement_ms_max) {
      const client = await connect(pool);
      let broken: Error | undefined;
      try {
        const queries = queriesOn(client, prepared);
        return await (statement_ms_max === undefined
          ? work(queries)
          : bounded(client, statement_ms_max, work, queries));
      } catch (error) {
        if (isConnectionLost(error)) broken = error as Error;
        throw toldOf(error, statement_ms_max !== undefined);
      } finally {
        client.release(broken);
      }
    },
    pool: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  };
}

function openPool({ url, connections_max, log, statement_ms_max = statement_ms }: DatabaseOptions): pg.Pool {
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
  pool.on("connect", (client) => {
    // The same for one in use: its statement fails and says so, but the loss is also told as an event.
    client.on("error", () => undefined);
    // For reads outside transactions. Not as a parameter of the connection: poolers refuse those that they do not know.
    client.query(`set statement_timeout = ${statement_ms_max}`).catch(() => undefined);
  });
  return pool;
}

/**
 * A failure as those outside are told it.
 * @param is_bounded the caller bounded the statement: one that takes too long will do so again
 */
const toldOf = (error: unknown, is_bounded = false) =>
  isPassing(error) && !(is_bounded && isTimedOut(error)) ? asUnavailable(error) : error;

const asUnavailable = (error: unknown) =>
  error instanceof Unavailable ? error : new Unavailable("the database cannot be reached", error);

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw asUnavailable(error);
  }
}

function beginStatement(statement_ms: number, lock_ms: number): string {
  // Nothing that is answered hangs on what the server, the database or the role has as its default: read again under
  // the locks is what others have committed, and a commit is on disk before it is told.
  return `begin isolation level read committed; select set_config('statement_timeout', '${statement_ms}', true),
    set_config('lock_timeout', '${lock_ms}', true),
    set_config('idle_in_transaction_session_timeout', '${statement_ms}', true),
    set_config('synchronous_commit', coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'), true)`;
}

/**
 * Begins a transaction and does not wait: the first statements of the work go out with it. Once it is over, or could not
 * begin, its statements are refused: a branch of the work that goes on when another has failed would write on its own.
 */
function beginOn(client: pg.PoolClient, begin: string, prepared: boolean) {
  let over: Error | undefined;
  const end = (reason: Error) => {
    over ??= reason;
  };
  const begun = client.query(begin);
  begun.catch(end);
  return { begun, queries: queriesOn(client, prepared, () => over), end };
}

/** Reads in a transaction of their own, which carries the time-out; compiling such a statement takes longer than it does. */
async function bounded<Answer>(
  client: pg.PoolClient,
  statement_ms_max: number,
  work: (queries: Queries) => Promise<Answer>,
  queries: Queries,
): Promise<Answer> {
  const begun = client.query(
    `begin read only; set local statement_timeout = ${Math.round(statement_ms_max)}; set local jit = off`,
  );
  begun.catch(() => undefined);
  try {
    const answer = await work(queries);
    await begun;
    await client.query("commit");
    return answer;
  } catch (error) {
    if (!isConnectionLost(error)) await client.query("rollback");
    throw error;
  }
}

/** @param over why nothing more may be asked, once that is so */
function queriesOn(client: pg.Pool | pg.PoolClient, prepared: boolean, over?: () => Error | undefined): Queries {
  async function query(statement: Sql): Promise<pg.QueryResult> {
    const refused = over?.();
    if (refused) throw refused;
    const { text, name } = statement;
    const values = statement.values as unknown[];
    try {
      return await client.query(prepared && name ? { name, text, values } : { text, values });
    } catch (error) {
      // Outside a transaction nobody tries again, so the caller hears at once that the database is away.
      throw client instanceof pg.Pool ? toldOf(error) : error;
    }
  }
  async function many<Row>(statement: Sql): Promise<Row[]> {
    return (await query(statement)).rows;
  }
  return {
    many,
    async maybe<Row>(statement: Sql) {
      return (await many<Row>(statement))[0];
    },
    async one<Row>(statement: Sql) {
      const rows = await many<Row>(statement);
      if (rows.length !== 1 || rows[0] === undefined)
        throw new Error(`expected one row, got ${rows.length}: ${statement.text}`);
      return rows[0];
    },
    async run(statement) {
      return (await query(statement)).rowCount ?? 0;
    },
  };
}

const oid = { int8: 20, numeric: 1700, date: 1082, timestamptz: 1184 };

function getTypeParser(type: number, format?: "text" | "binary") {
  if (type === oid.int8) return integerOf;
  if (type === oid.numeric) return sumOf;
  if (type === oid.date) return (text: string) => text;
  if (type === oid.timestamptz) return instantOf;
  return pg.types.getTypeParser(type, format as "text");
}

function integerOf(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`the integer ${text} is beyond 2^53 - 1`);
  return value;
}

/** What adds up has no bound, what JSON can say has: many orders at the limit must not make an answer impossible. */
const sumOf = (text: string): number => Math.min(Number(text), Number.MAX_SAFE_INTEGER);

function instantOf(text: string): number {
  // "2025-03-03 08:00:00.123+00": ISO once the blank is a T and the offset has minutes.
  const iso = text.replace(" ", "T");
  return Date.parse(/[+-]\d\d$/.test(iso) ? `${iso}:00` : iso);
}
