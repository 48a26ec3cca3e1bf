import type { Tx } from "../platform/db/database.js";
import { HeldTooLittle, StartOver } from "../platform/db/database-errors.js";
import { heldOf, isHeld, type Locked, type LockKey, lockKeys } from "../platform/db/locks.js";

/** How something is read twice: by its names without locks, and again under the keys of what the names mean. */
export interface Reading<Named, Facts extends Named> {
  /**
   * Finds out what the names mean and locks it in one statement, so that names are read once: left out where keys hang on more than names.
   * Undefined where nothing was locked, and it goes the other way.
   */
  lockNamed?: (() => Promise<Locked | undefined>) | undefined;
  /** Names become ids; nothing is locked yet, so nothing read here may be decided on. */
  resolve(): Promise<Named>;
  /** Everything that must be held for the work on what was found. Asked of the names, and again of the facts. */
  keysOf(found: Named): readonly LockKey[];
  /**
   * What the work decides on. Its first statements are sent right behind the lock, in statements of their own.
   * @param named what was found without locks; null where nobody was told
   */
  read(named: Named | null): Promise<Facts>;
}

/**
 * Answers facts that stay as they are until the transaction ends: resolve and lock, at once where that can be, read, and start over when the
 * facts ask for a key that is not held, since a name may mean something else by then (architecture: the five steps).
 *
 * The reads go out right behind the lock, in the same packet: each statement sees what was committed when its own turn came, and
 * its turn comes when the one before has been answered. The server begins to lock while the reads are being made.
 */
export async function underKeys<Named, Facts extends Named>(tx: Tx, reading: Reading<Named, Facts>): Promise<Facts> {
  const facts = (await underNames(tx, reading)) ?? (await underKeysOfNames(tx, reading));
  tx.steps.enter("decide");
  return facts;
}

async function underNames<Named, Facts extends Named>(
  tx: Tx,
  { lockNamed, keysOf, read }: Reading<Named, Facts>,
): Promise<Facts | undefined> {
  if (!lockNamed) return undefined;
  tx.steps.enter("lock");
  const locking = lockNamed().then((locked) => {
    if (locked) tx.steps.enter("read", locked.waited_s);
    return locked?.held;
  });
  tx.flush();
  const [lock, facts] = await Promise.allSettled([locking, read(null)]);
  if (lock.status === "rejected") throw lock.reason;
  const held = lock.value;
  // What was read is of no use then, nor what failed in it.
  if (!held) return undefined;
  if (facts.status === "rejected") throw facts.reason;
  if (!keysOf(facts.value).every((key) => isHeld(held, key))) throw new HeldTooLittle("another key is needed");
  return facts.value;
}

async function underKeysOfNames<Named, Facts extends Named>(
  tx: Tx,
  { resolve, keysOf, read }: Reading<Named, Facts>,
): Promise<Facts> {
  tx.steps.enter("resolve");
  const named = await resolve();
  const keys = keysOf(named);
  const facts = await holding(tx, keys, () => read(named));
  const held = heldOf(keys);
  if (!keysOf(facts).every((key) => isHeld(held, key))) throw new StartOver("another key is needed by now");
  return facts;
}

/** The same where the keys are known from the start: there is nothing to resolve, and nothing may be missing. */
export async function holding<Facts>(tx: Tx, keys: readonly LockKey[], read: () => Promise<Facts>): Promise<Facts> {
  tx.steps.enter("lock");
  const locking = lockKeys(tx, keys).then((waited_s) => tx.steps.enter("read", waited_s));
  tx.flush();
  const [, facts] = await Promise.all([locking, read()]);
  return facts;
}

/** The same for what is read in one way, before the keys are held and after. */
export const readUnderKeys = <Found>(
  tx: Tx,
  find: () => Promise<Found>,
  keysOf: (found: Found) => readonly LockKey[],
): Promise<Found> => underKeys(tx, { resolve: find, keysOf, read: find });
