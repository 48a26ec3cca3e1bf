import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { newId } from "../../ids.js";
import { Unavailable } from "../database-errors.js";
import { sql } from "../sql.js";

export const token_prefix = "tx";

/** Names a transaction. Ordered by time: the newest tokens are neighbours in the index, and old ones end by age. */
export const newToken = () => newId(token_prefix);

/** How its writer locks keys: by the hash of their texts. Whoever does so in another way is kept out by the column (ADR 113). */
const keys_as = 1;

/**
 * Writes the transaction's token, in the packet of its COMMIT and right before it. Who has written nothing has nothing to look up, so a
 * transaction that only read waits for no disk.
 */
export const tokenOf = (token: string) => sql`-- every project: the token is the transaction's
  insert into transaction_tokens (token, is_void, keys_as)
  select ${token}, false, ${keys_as} where pg_current_xact_id_if_assigned() is not null`;

/** Thrown when COMMIT was sent and the connection broke, and the transaction did not commit and never will. */
class NotCommitted extends Error {
  readonly code = "40001";
}

/** How long the first question may wait for the old transaction's end. A slow disk takes this long to write a commit down. */
const lock_ms_max = 3_000;
const pause_ms_max = 1_000;

/**
 * Learns what became of a transaction whose COMMIT got no answer. Returns when it committed; throws {@link NotCommitted} when it
 * did not, and {@link Unavailable} when that cannot be learnt in time: what may have been committed is never run again.
 *
 * Whatever goes wrong here is asked again. No failure of a question is an answer, and none of them concerns the request.
 */
export async function assertCommitted(url: string, token: string, asking_ms_max: number): Promise<void> {
  const until = performance.now() + asking_ms_max;
  for (let pause_ms = 25; ; pause_ms = Math.min(pause_ms_max, pause_ms * 2)) {
    try {
      if (await isCommitted(url, token)) return;
      break;
    } catch (error) {
      if (performance.now() + pause_ms > until)
        throw new Unavailable("it could not be learnt whether the change was recorded", error);
    }
    await pause(pause_ms * (0.5 + Math.random()));
  }
  throw new NotCommitted("the connection broke before the commit");
}

/**
 * Writes the same token as void: whoever writes it first decides. While the transaction is under way the unique index lets us
 * wait for its end; one that has not written its token by then runs into ours and cannot commit any more.
 */
async function isCommitted(url: string, token: string): Promise<boolean> {
  // A connection of its own: those of the pool may all be broken, or waited for.
  const client = new pg.Client({
    connectionString: url,
    application_name: "guerdon commit",
    connectionTimeoutMillis: 2_000,
    query_timeout: lock_ms_max + 2_000,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query(`begin; select set_config('lock_timeout', '${lock_ms_max}', true)`);
    await client.query({
      text: `-- every project: the token is the transaction's
        insert into transaction_tokens (token, is_void, keys_as) values ($1, true, $2) on conflict (token) do nothing`,
      values: [token, keys_as],
    });
    await client.query("commit");
    // A statement of its own, since the one that waited goes on with the snapshot from before.
    const { rows } = await client.query<{ is_void: boolean }>({
      text: `-- every project: the token is the transaction's
        select transaction_tokens.is_void from transaction_tokens where transaction_tokens.token = $1`,
      values: [token],
    });
    if (!rows[0]) throw new Error(`the token ${token} is gone`);
    return !rows[0].is_void;
  } finally {
    // Not waited for: a network that has fallen silent would answer in a quarter of an hour.
    client.end().catch(() => undefined);
  }
}
