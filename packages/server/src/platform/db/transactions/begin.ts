import type pg from "pg";
import { flushPacket } from "../connections/packet.js";
import { askAll, queriesOn, type Tx } from "../queries.js";
import { type Sql, sql } from "../sql.js";

const begin = sql`begin isolation level read committed`;

/**
 * Nothing that is answered hangs on what the server, the database or the role has as its default: read again under
 * the locks is what others have committed, and a commit is on disk before it is told.
 */
export const settingsOf = (statement_ms: number, lock_ms: number) => sql`
  select set_config('statement_timeout', ${statement_ms}, true), set_config('lock_timeout', ${lock_ms}, true),
         set_config('idle_in_transaction_session_timeout', ${statement_ms}, true),
         set_config('synchronous_commit', coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'), true)`;

/** A transaction that has begun. */
interface Begun {
  /** Answers once the server has begun it. */
  there: Promise<unknown>;
  /** As its work is given it. */
  tx: Tx;
  /** What the work has sent and not asked. */
  sent: readonly Promise<unknown>[];
  /** What is to be done while the COMMIT is under way. */
  aside: readonly (() => void)[];
  /** From now on its statements are refused. */
  end(reason: () => unknown): void;
}

/**
 * Begins a transaction and does not wait: the first statements of the work go out with it. Once it is over, or could not
 * begin, its statements are refused: a branch of the work that goes on when another has failed would write on its own.
 */
export function beginOn(
  client: pg.PoolClient,
  settings: Sql,
  prepared: boolean,
  told: Pick<Tx, "steps" | "goFor" | "locked">,
): Begun {
  let over: (() => unknown) | undefined;
  const end = (reason: () => unknown) => {
    over ??= reason;
  };
  const there = askAll(client, [begin, settings], prepared);
  there.catch((error) => end(() => error));
  const queries = queriesOn(client, prepared, () => over?.());
  const sent: Promise<unknown>[] = [];
  const aside: (() => void)[] = [];
  const tx: Tx = {
    ...{ ...queries, ...told, in_transaction: true },
    send(statements) {
      const all = queries.send(statements);
      // Whoever commits hears of it.
      all.catch(() => undefined);
      sent.push(all);
    },
    flush: () => flushPacket(client),
    meanwhile: (work) => void aside.push(work),
  };
  return { there, tx, sent, aside, end };
}
