import { hash } from "node:crypto";
import type { Tx } from "./database.js";
import { sql } from "./sql.js";

/** What a lock protects. The row need not exist yet: a key can be held before its row is written. */
export interface LockKey {
  project_id: string;
  kind:
    | "voucher"
    | "customer"
    | "customer_source"
    | "order"
    | "order_source"
    | "order_in_use"
    | "campaign"
    | "redemption"
    | "redemption_in_use"
    | "reward"
    | "name"
    | "counter"
    | "project"
    | "request"
    | "user"
    | "sign_in";
  id: string;
  /** Others may hold it too, as long as nobody has it alone. */
  shared?: boolean;
}

/** A transaction holds at most this many keys; jobs take 200 cards at a time (architecture.md §3). */
export const keys_max = 512;

/**
 * Takes every key in one statement, in one order for everybody, so that no two transactions can wait
 * for each other. The only way to a lock in this service. Held until the transaction ends. A key that is asked for both
 * ways is held alone.
 *
 * What the keys protect must be read by a *later* statement: a statement that waits for a lock goes on
 * with the snapshot it began with, and everything it joins is as old as the wait.
 * @returns how many seconds that took
 */
export async function lockKeys(tx: Tx, keys: readonly LockKey[]): Promise<number> {
  const are_shared = new Map<string, boolean>();
  for (const key of keys) {
    const hash = hashOf(key);
    are_shared.set(hash, key.shared === true && are_shared.get(hash) !== false);
  }
  if (are_shared.size === 0) return 0;
  if (are_shared.size > keys_max) throw new Error(`a transaction may hold ${keys_max} keys, not ${are_shared.size}`);
  const hashes = [...are_shared.keys()].sort(byNumber);
  const texts = hashes.map(numberOf);
  const is_shared = hashes.map((hash) => are_shared.get(hash));
  tx.goFor(texts.filter((_, i) => !is_shared[i]));
  // What is read behind it comes in the same packet, so how long it waited is for the server to say.
  const { waited_s } = await tx.one<{ waited_s: number }>(sql`
    select count(case when wanted.is_shared then pg_advisory_xact_lock_shared(wanted.key) else pg_advisory_xact_lock(wanted.key) end),
           extract(epoch from clock_timestamp() - statement_timestamp())::float8 as waited_s
      from unnest(${texts}::bigint[], ${is_shared}::boolean[]) as wanted (key, is_shared)`);
  tx.locked(waited_s);
  return waited_s;
}

/**
 * Takes keys that nobody else has, without waiting for the others; answers which it has. Also held until the transaction
 * ends. Who has one already may have it again.
 */
export async function tryKeys(tx: Tx, keys: readonly LockKey[]): Promise<boolean[]> {
  const hashes = keys.map((key) => numberOf(hashOf(key)));
  const tried = await tx.many<{ had: boolean }>(sql`
    select pg_try_advisory_xact_lock(asked.key) as had
      from unnest(${hashes}::bigint[]) with ordinality as asked (key, place) order by asked.place`);
  return tried.map(({ had }) => had);
}

/** The first eight bytes of a SHA-1, in hexadecimal: from bytes a number takes four times as long. */
const hashOf = ({ project_id, kind, id }: LockKey) => hash("sha1", `${project_id}\n${kind}\n${id}`).slice(0, 16);

/** As PostgreSQL writes a bigint of these bytes. */
const numberOf = (hash: string) => String(BigInt.asIntN(64, BigInt(`0x${hash}`)));

/** In the order of these numbers: those that begin with the sign come first. */
function byNumber(one: string, other: string): number {
  const [is_negative, is_other_negative] = [one >= "8", other >= "8"];
  if (is_negative !== is_other_negative) return is_negative ? -1 : 1;
  return one < other ? -1 : 1;
}
