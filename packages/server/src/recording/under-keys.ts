import type { Tx } from "../platform/db/database.js";
import { StartOver } from "../platform/db/database-errors.js";
import { type LockKey, lockKeys } from "../platform/db/locks.js";

/** How something is read twice: by its names without locks, and again under the keys of what the names mean. */
export interface Reading<Named, Facts extends Named> {
  /** Names become ids; nothing is locked yet, so nothing read here may be decided on. */
  resolve(): Promise<Named>;
  /** Everything that must be held for the work on what was found. Asked of the names, and again of the facts. */
  keysOf(found: Named): readonly LockKey[];
  /** What the work decides on, told what was found without locks. Its first statements are sent right behind the lock, in statements of their own. */
  read(named: Named): Promise<Facts>;
}

/**
 * Answers facts that stay as they are until the transaction ends: resolve, lock, read, and start over when the facts ask
 * for a key that is not held, since a name may mean something else by then (architecture: the five steps).
 *
 * The lock and the reads behind it go out together: each statement sees what was committed when its own turn came, and
 * its turn comes when the one before has been answered.
 */
export async function underKeys<Named, Facts extends Named>(
  tx: Tx,
  { resolve, keysOf, read }: Reading<Named, Facts>,
): Promise<Facts> {
  tx.steps.enter("resolve");
  const named = await resolve();
  const keys = keysOf(named);
  const facts = await holding(tx, keys, () => read(named));
  const alone = new Set(keys.flatMap((key) => (key.shared ? [] : nameOf(key))));
  const shared = new Set(keys.flatMap((key) => (key.shared ? nameOf(key) : [])));
  const isHeld = (key: LockKey) => alone.has(nameOf(key)) || (key.shared === true && shared.has(nameOf(key)));
  if (!keysOf(facts).every(isHeld)) throw new StartOver("another key is needed by now");
  tx.steps.enter("decide");
  return facts;
}

/** The same where the keys are known from the start: there is nothing to resolve, and nothing may be missing. */
export async function holding<Facts>(tx: Tx, keys: readonly LockKey[], read: () => Promise<Facts>): Promise<Facts> {
  tx.steps.enter("lock");
  const [, facts] = await Promise.all([
    lockKeys(tx, keys).then((waited_s) => tx.steps.enter("read", waited_s)),
    read(),
  ]);
  return facts;
}

/** The same for what is read in one way, before the keys are held and after. */
export const readUnderKeys = <Found>(
  tx: Tx,
  find: () => Promise<Found>,
  keysOf: (found: Found) => readonly LockKey[],
): Promise<Found> => underKeys(tx, { resolve: find, keysOf, read: find });

const nameOf = ({ project_id, kind, id }: LockKey) => `${project_id} ${kind} ${id}`;
