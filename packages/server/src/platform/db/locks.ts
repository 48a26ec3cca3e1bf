import type { Tx } from "./database.js";
import { type Sql, sql } from "./sql.js";

/**
 * What a lock protects. The row need not exist yet: a key can be held before its row is written. The server is told the key's text and
 * locks the hash of it, so that statements can lock what they find (ADR 113); texts of one hash are one key, which harms nobody.
 */
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
 * for each other. Held until the transaction ends. A key that is asked for both ways is held alone.
 *
 * What the keys protect must be read by a *later* statement: a statement that waits for a lock goes on
 * with the snapshot it began with, and everything it joins is as old as the wait.
 * @returns how many seconds that took
 */
export async function lockKeys(tx: Tx, keys: readonly LockKey[]): Promise<number> {
  const are_shared = new Map<string, boolean>();
  for (const key of keys) {
    const name = textOf(key);
    are_shared.set(name, key.shared === true && are_shared.get(name) !== false);
  }
  if (are_shared.size === 0) return 0;
  if (are_shared.size > keys_max) throw new Error(`a transaction may hold ${keys_max} keys, not ${are_shared.size}`);
  const names = [...are_shared.keys()];
  tx.goFor(names.filter((name) => !are_shared.get(name)));
  // What is read behind it comes in the same packet, so how long it waited is for the server to say.
  const { waited_s } = await tx.one<{ waited_s: number }>(sql`
    select count(case when wanted.is_shared then pg_advisory_xact_lock_shared(wanted.key) else pg_advisory_xact_lock(wanted.key) end),
           extract(epoch from clock_timestamp() - statement_timestamp())::float8 as waited_s
      from (select hashtextextended(asked.name, 0) as key, asked.is_shared
              from unnest(${names}::text[], ${[...are_shared.values()]}::boolean[]) as asked (name, is_shared)
             order by key) as wanted`);
  tx.locked(waited_s);
  return waited_s;
}

/** Keys of one project by names of which some are yet to be found. */
export interface NamedKeys {
  project_id: string;
  /** What needs no looking up. */
  known: readonly LockKey[];
  /** Tried before, without waiting: where others have one of them nothing is locked. */
  tried: readonly LockKey[];
  /** Selects the names of the others, as {@link nameOf} writes them, and each one's way: `alone`, `shared` or `tried`. */
  found: Sql;
}

/** Keys that a transaction holds, as {@link textOf} writes them. One that is held both ways is held alone. */
export interface HeldKeys {
  alone: ReadonlySet<string>;
  shared: ReadonlySet<string>;
}

export const heldOf = (keys: readonly LockKey[]): HeldKeys => ({
  alone: new Set(keys.filter(({ shared }) => !shared).map(textOf)),
  shared: new Set(keys.filter(({ shared }) => shared).map(textOf)),
});

/** Whether a key is held where these are; one that is held for several is not held alone. */
export const isHeld = ({ alone, shared }: HeldKeys, key: LockKey): boolean => {
  const text = textOf(key);
  return alone.has(text) || (key.shared === true && shared.has(text));
};

/** What a transaction has locked, and how many seconds it waited for that. */
export interface Locked {
  held: HeldKeys;
  waited_s: number;
}

/**
 * Looks up what names mean and takes the keys of that in the same statement, in the order of {@link lockKeys}. What was found is as old as
 * the statement: whoever reads it under the keys, in a later one, sees whether it is still what was meant. Nobody waits outside for keys
 * that are not known before ({@link Tx.goFor}), so this is for those of whom few are under way at once.
 * @returns undefined where nothing was locked: there was nothing to lock, or others have what was tried
 */
export async function lockNamed(tx: Tx, { project_id, known, tried, found }: NamedKeys): Promise<Locked | undefined> {
  const names = [...known, ...tried].map(nameOf);
  const ways = [...known.map(({ shared }) => (shared ? "shared" : "alone")), ...tried.map(() => "tried")];
  // Of a key that is asked for both ways the first is alone: who has it so may share it with themselves.
  const { locked, alone, shared, waited_s } = await tx.one<{
    locked: number;
    alone: string[] | null;
    shared: string[] | null;
    waited_s: number;
  }>(sql`
    with named (name, way) as materialized (
      ${found}
      union all
      select known.name, known.way from unnest(${names}::text[], ${ways}::text[]) as known (name, way)
    )
    select count(case when wanted.way = 'shared' then pg_advisory_xact_lock_shared(wanted.key) else pg_advisory_xact_lock(wanted.key) end) as locked,
           json_agg(wanted.name) filter (where wanted.way = 'alone') as alone,
           json_agg(wanted.name) filter (where wanted.way = 'shared') as shared,
           extract(epoch from clock_timestamp() - statement_timestamp())::float8 as waited_s
      from (select named.name, named.way, hashtextextended(${project_id} || E'\\n' || named.name, 0) as key
              from named
             where named.way <> 'tried'
               and (select bool_and(pg_try_advisory_xact_lock(hashtextextended(${project_id} || E'\\n' || named.name, 0)))
                      from named where named.way = 'tried') is not false
             order by key, named.way) as wanted`);
  if (locked === 0) return undefined;
  tx.locked(waited_s);
  const textsOf = (some: readonly string[] | null) => new Set(some?.map((name) => `${project_id}\n${name}`));
  return { held: { alone: textsOf(alone), shared: textsOf(shared) }, waited_s };
}

/**
 * Takes keys that nobody else has, without waiting for the others; answers which it has. Also held until the transaction
 * ends. Who has one already may have it again.
 */
export async function tryKeys(tx: Tx, keys: readonly LockKey[]): Promise<boolean[]> {
  const names = keys.map(textOf);
  const tried = await tx.many<{ had: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtextextended(asked.name, 0)) as had
      from unnest(${names}::text[]) with ordinality as asked (name, place) order by asked.place`);
  return tried.map(({ had }) => had);
}

/** A key among those of its project. */
const nameOf = ({ kind, id }: LockKey) => `${kind}:${id}`;

/** The text that the server hashes. */
const textOf = (key: LockKey) => `${key.project_id}\n${nameOf(key)}`;
