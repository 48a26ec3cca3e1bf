import type { Instant } from "../../clock.js";
import { firstIdAt } from "../../ids.js";
import { every, type Schedule } from "../../jobs/schedules.js";
import type { Database } from "../database.js";
import { sql } from "../sql.js";
import { token_prefix } from "./lost-commit.js";

/** Asking takes seconds; the rest is for nodes whose clocks differ. */
const kept_ms = 3_600_000;
const tokens_max = 10_000;

/** Ends tokens of transactions that nobody can ask about any more, so many at once; answers whether there may be others. */
export async function purgeTransactionTokens(db: Database, now: Instant): Promise<boolean> {
  const oldest_kept = firstIdAt(token_prefix, now - kept_ms);
  const gone = await db.run(sql`-- every project: tokens are the transactions'
    delete from transaction_tokens
     where transaction_tokens.token in (
       select transaction_tokens.token from transaction_tokens
        where transaction_tokens.token < ${oldest_kept}
        order by transaction_tokens.token limit ${tokens_max} for update skip locked)`);
  return gone === tokens_max;
}

export const schedules: readonly Schedule[] = [
  {
    name: "transaction tokens",
    of: "installation",
    next: every({ minutes: 5 }),
    runDue: ({ db }, instant) => purgeTransactionTokens(db, instant),
  },
];
