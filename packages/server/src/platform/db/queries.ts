import pg from "pg";
import type { Stopwatch } from "../metrics.js";
import { type Answered, send } from "./connections/packet.js";
import { plannedForValues } from "./connections/plans.js";
import { isAborted } from "./database-errors.js";
import type { Sql } from "./sql.js";

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
  /**
   * Goes for keys that this transaction is about to lock. Throws where others of this process do already: it gives its
   * connection back, waits outside and begins anew.
   */
  goFor(keys: readonly string[]): void;
  /** Told how long the keys of the transaction took. */
  locked(seconds: number): void;
  /** Sends statements of which nobody sees what they answer: what must hold of them makes them fail, and the COMMIT with them. */
  send(statements: readonly Sql[]): void;
  /** Has the server begin with what was asked by now, while more is being made. */
  flush(): void;
  /** Done while the COMMIT is under way, which it cannot keep from happening: it must not throw. */
  meanwhile(work: () => void): void;
}

/** Statements outside of transactions. */
export interface Reads extends Queries {
  /**
   * Runs reads on one connection, so that those that need not wait for each other share a round trip.
   * @param statement_ms_max none of them takes longer (`isTimedOut`); for statements whose cost the caller chooses
   */
  together<Answer>(work: (queries: Queries) => Promise<Answer>, statement_ms_max?: number): Promise<Answer>;
}

export function ask<Row>(client: pg.PoolClient, statement: Sql, prepared: boolean): Promise<Answered<Row>> {
  const { text, name, values } = statement;
  if (!prepared) return send(client, { text, values });
  return name ? send(client, { name, text, values }) : plannedForValues(client, { text, values });
}

export const askAll = (client: pg.PoolClient, statements: readonly Sql[], prepared: boolean) =>
  Promise.all(statements.map((statement) => ask(client, statement, prepared)));

/** Queries on one connection, and statements of which nobody sees what they answer. */
interface Asking extends Queries {
  /** Answers once all are done. */
  send(statements: readonly Sql[]): Promise<unknown>;
}

/** @param over why nothing more may be asked, once that is so */
export function queriesOn(client: pg.PoolClient, prepared: boolean, over?: () => unknown): Asking {
  let first: unknown;
  const askOne = <Row>(statement: Sql): Promise<Answered<Row>> => {
    const refused = over?.();
    return refused ? Promise.reject(refused) : ask<Row>(client, statement, prepared);
  };
  // What was sent behind a statement that failed fails with its transaction, and may be heard of before.
  const blamed = (error: unknown): unknown => {
    first ??= error;
    return isAborted(error) ? first : error;
  };
  return {
    ...queriesBy(askOne, blamed),
    send: (statements) =>
      Promise.all(statements.map(askOne)).catch((error: unknown) => {
        throw blamed(error);
      }),
  };
}

const traces = new WeakSet<Error>();

/** The error was made where the server's answer was read; whose statement it was shows where that is heard of first. */
function traced(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError) || traces.has(error)) return error;
  Error.captureStackTrace(error);
  traces.add(error);
  return error;
}

/**
 * Queries by something that answers a statement. Each adds one promise to that, since a redemption asks some twenty.
 * @param blamed what is thrown of an error; it itself where nothing is said
 */
export function queriesBy(
  asked: <Row>(statement: Sql) => Promise<Answered<Row>>,
  blamed: (error: unknown) => unknown = (error) => error,
): Queries {
  const fail = (error: unknown): never => {
    throw traced(blamed(error));
  };
  return {
    many: <Row>(statement: Sql) => asked<Row>(statement).then(({ rows }) => rows, fail),
    maybe: <Row>(statement: Sql) => asked<Row>(statement).then(({ rows }) => rows[0], fail),
    one: <Row>(statement: Sql) =>
      asked<Row>(statement).then(({ rows }) => {
        if (rows.length !== 1 || rows[0] === undefined)
          throw new Error(`expected one row, got ${rows.length}: ${statement.text}`);
        return rows[0];
      }, fail),
    run: (statement) => asked(statement).then(({ count }) => count, fail),
  };
}
