import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import type { Log } from "../log.js";
import { type PoolUse, type TransactionMetrics, unmeasured } from "../metrics.js";
import { type Connections, type Held, noteLoss, openConnections, type User } from "./connections/connections.js";
import { closePacket } from "./connections/packet.js";
import {
  asUnavailable,
  HeldTooLittle,
  isConnectionLost,
  isPassing,
  isTimedOut,
  isWorthAnotherTry,
  reasonOf,
  Unavailable,
} from "./database-errors.js";
import { ask, askAll, type Queries, queriesBy, queriesOn, type Reads, type Tx } from "./queries.js";
import { type Sql, sql } from "./sql.js";
import { beginOn, settingsOf } from "./transactions/begin.js";
import { assertCommitted, newToken, tokenOf } from "./transactions/lost-commit.js";
import { createWaitingRoom, KeysTaken, type WaitingRoom } from "./transactions/waiting-room.js";

export type { Queries, Reads, Tx } from "./queries.js";

export interface Database extends Reads {
  /**
   * Runs the work in one READ COMMITTED transaction and commits it. The work may run up to four times: on a
   * deadlock, a time-out or a lost connection it starts over (architecture.md §3), so it must not keep
   * anything outside the transaction from an earlier try. What it throws rolls back and is passed on.
   * @param project_id whose turn it takes; work of our own has none
   */
  transaction<Answer>(work: (tx: Tx) => Promise<Answer>, project_id?: string): Promise<Answer>;
  /**
   * The same for a project: it takes that project's turns.
   * @param gone ends reads, and their connections with them: nobody waits for the answer any more
   */
  of(project_id: string, gone?: AbortSignal): Database;
  /** The server could not write to its disk, and nothing has been written since. */
  isDiskFull(): boolean;
  /** Commits a transaction of its own, to find out whether there is room again. */
  tryToWrite(): Promise<void>;
  /** Connections now, and who waits for one. */
  pool(): PoolUse;
  close(): Promise<void>;
}

interface DatabaseOptions {
  url: string;
  log: Log;
  connections_max: number;
  /** Named statements; off behind a pooler that does not know them. */
  prepared: boolean;
  metrics?: TransactionMetrics;
  /** Of one statement, in a transaction or outside. */
  statement_ms_max?: number;
  lock_ms_max?: number;
  /** The ages at which a connection plans named statements anew. */
  plan_ages_ms?: readonly number[];
  /** How long to wait for a connection. */
  turn_ms_max?: number;
  /** How long to ask what became of a COMMIT without an answer. A server that restarts is mostly back by then. */
  asking_ms_max?: number;
}

const tries_max = 4;
/** Projects whose reads are kept ready. */
const kept_max = 1_000;
const statement_ms = 15_000;
const lock_ms = 10_000;
/**
 * Of the time that a bounded read may take, what it may wait for a lock: it is told apart from one that works as long, which
 * would do so again.
 */
const lock_share = 0.4;

/** Opens a pool; connections are made when first needed. */
export function openDatabase(options: DatabaseOptions): Database {
  const { prepared, statement_ms_max = statement_ms } = options;
  const connections = openConnections({ ...options, statement_ms_max });
  const transaction = transactionsOn(connections, { ...options, statement_ms_max });
  const of_projects = new Map<string, Database>();
  const databaseOf = (user: User): Database => ({
    ...readsOn(connections, user, prepared),
    transaction: (work, project_id = user.project_id ?? undefined) => transaction(work, project_id),
    of(project_id, gone) {
      if (gone) return databaseOf({ project_id, gone });
      // Asked for with every request, and the same for all of a project.
      const known = of_projects.get(project_id);
      if (known) return known;
      if (of_projects.size >= kept_max) of_projects.clear();
      const made = databaseOf({ project_id });
      of_projects.set(project_id, made);
      return made;
    },
    pool: connections.now,
    isDiskFull: connections.isDiskFull,
    async tryToWrite() {
      // The transaction's token is what is written.
      await transaction((tx) =>
        tx.run(sql`-- every project: the disk is one
        select pg_current_xact_id()`),
      );
    },
    close: connections.close,
  });
  return databaseOf({ project_id: null });
}

function readsOn(connections: Connections, user: User, prepared: boolean): Reads {
  return {
    ...queriesBy(<Row>(statement: Sql) =>
      connections.use(user, (held) => ask<Row>(held.client, statement, prepared).catch(telling(held))),
    ),
    together: (work, statement_ms_max) =>
      connections.use(user, async (held) => {
        const { client } = held;
        const is_bounded = statement_ms_max !== undefined;
        const reading = is_bounded
          ? bounded(client, statement_ms_max, work, prepared)
          : work(queriesOn(client, prepared));
        return reading.catch(telling(held, is_bounded));
      }),
  };
}

type Attempting = Required<Pick<DatabaseOptions, "statement_ms_max">> & DatabaseOptions;

function transactionsOn(connections: Connections, options: Attempting): Database["transaction"] {
  const { log, metrics = unmeasured, lock_ms_max = lock_ms } = options;
  const room = createWaitingRoom({ wait_ms_max: lock_ms_max });
  const attempt = attemptsOn(connections, room, { ...options, metrics, lock_ms_max });

  return async (work, project_id) => {
    let waited_for: readonly string[] = [];
    for (let tries = 1; ; tries += 1) {
      try {
        return await attempt({ project_id: project_id ?? null }, waited_for, work);
      } catch (error) {
        waited_for = [];
        if (error instanceof KeysTaken) {
          tries -= 1;
          await room.wait(error.keys);
          waited_for = error.keys;
          continue;
        }
        if (!isWorthAnotherTry(error)) throw toldOf(error);
        metrics.startedOver(reasonOf(error));
        if (tries === tries_max) throw new Unavailable("the database did not let the change through", error);
        if (error instanceof HeldTooLittle) continue;
        const told = isConnectionLost(error) ? { err: asUnavailable(error) } : { error: (error as Error).message };
        log.warn({ ...told, tries }, "a transaction starts over");
        await pause(Math.random() * 20 * 2 ** tries);
      }
    }
  };
}

function attemptsOn(
  connections: Connections,
  room: WaitingRoom,
  options: Attempting & Required<Pick<DatabaseOptions, "metrics" | "lock_ms_max">>,
) {
  const { url, prepared, metrics, asking_ms_max = 15_000 } = options;
  const settings = settingsOf(options.statement_ms_max, options.lock_ms_max);

  /** @param waited_for keys that the transaction has waited for outside */
  return async <Answer>(
    user: User,
    waited_for: readonly string[],
    work: (tx: Tx) => Promise<Answer>,
  ): Promise<Answer> => {
    const gone_for = new Set(waited_for);
    const goFor = (keys: readonly string[]) => {
      const more = keys.filter((key) => !gone_for.has(key));
      if (room.enter(more)) for (const key of more) gone_for.add(key);
      // Once is enough: what else it needs by now it waits for at the database.
      else if (waited_for.length === 0) throw new KeysTaken(keys);
    };
    const [token, steps] = [newToken(), metrics.recording()];
    let answered: { answer: Answer } | undefined;
    let lost = false;
    try {
      return await connections.use(user, async (held) => {
        const { client } = held;
        const begun = beginOn(client, settings, prepared, { steps, goFor, locked: metrics.locked });
        try {
          const answer = await work(begun.tx);
          await begun.there;
          begun.end(ended);
          answered = { answer };
          steps.commit();
          const committing = Promise.all([askAll(client, [tokenOf(token), commit], prepared), ...begun.sent]);
          closePacket(client);
          for (const work of begun.aside) work();
          const [[written]] = await committing;
          // The token is written where the transaction has written anything.
          if (written?.count) connections.wrote();
          return answer;
        } catch (error) {
          begun.end(() => error);
          noteLoss(held, error);
          // What was sent before may fail, and all of its packet with it.
          closePacket(client);
          // A server that answers this has refused. One that does not may be dying of the error it told, with the change on disk.
          if (!held.broken) await ask(client, rollback, prepared).catch((broken: Error) => (held.broken = broken));
          lost = held.broken !== undefined;
          throw error;
        }
      });
    } catch (error) {
      if (!answered || !lost) throw error;
    } finally {
      steps.end();
      room.leave([...gone_for]);
    }
    // The connection was given back before: of those who ask at once each would hold two.
    await assertCommitted(url, token, asking_ms_max);
    return answered.answer;
  };
}

/**
 * A failure as those outside are told it.
 * @param is_bounded the caller bounded the statement: one that takes too long will do so again
 */
const toldOf = (error: unknown, is_bounded = false) =>
  isPassing(error) && !(is_bounded && isTimedOut(error)) ? asUnavailable(error) : error;

/** Passes a failure of reads on as it is told, having noted what it says of the connection. */
const telling =
  (held: Held, is_bounded = false) =>
  (error: unknown): never => {
    noteLoss(held, error);
    throw toldOf(error, is_bounded);
  };

/** Made where somebody asks for it, since its trace takes longer than a statement. */
const ended = () => new Error("the transaction has ended");

// With a second word, so that a proxy finds these and no statement that mentions them.
const [commit, rollback] = [sql`commit work`, sql`rollback work`];

const begin_reading = sql`begin isolation level repeatable read, read only`;

// Compiling such a statement takes longer than it does.
const settingsOfReading = (statement_ms: number) => sql`
  select set_config('statement_timeout', ${statement_ms}, true),
         set_config('lock_timeout', ${Math.round(statement_ms * lock_share)}, true), set_config('jit', 'off', true)`;

/** Reads in a transaction of their own, which carries the time-outs and shows all statements one moment. */
async function bounded<Answer>(
  client: pg.PoolClient,
  statement_ms_max: number,
  work: (queries: Queries) => Promise<Answer>,
  prepared: boolean,
): Promise<Answer> {
  const queries = queriesOn(client, prepared);
  const begun = askAll(client, [begin_reading, settingsOfReading(Math.round(statement_ms_max))], prepared);
  begun.catch(() => undefined);
  try {
    const answer = await work(queries);
    await begun;
    await ask(client, commit, prepared);
    return answer;
  } catch (error) {
    if (!isConnectionLost(error)) await ask(client, rollback, prepared);
    throw error;
  }
}
