import { Expected } from "../../expected.js";
import { Unavailable } from "../database-errors.js";

/** Thrown inside a transaction whose keys others of this process hold: it gives its connection back and waits outside. */
export class KeysTaken extends Expected {
  constructor(readonly keys: readonly string[]) {
    super("the keys are taken: the transaction waits without a connection");
  }
}

export interface WaitingRoom {
  /** Notes that a transaction goes for the keys; false, and nothing noted, where too many do already. */
  enter(keys: readonly string[]): boolean;
  /** Notes it as soon as that is possible, or else after the longest wait. */
  wait(keys: readonly string[]): Promise<void>;
  leave(keys: readonly string[]): void;
}

/** One that holds the key and one that waits for it at the database, so that it goes from hand to hand without a pause. */
const abreast_max = 2;
/** For one key; whoever comes after them is told to try again. */
const waiting_max = 2_000;

/**
 * Where transactions wait for keys that others of this process hold. A transaction that waits for a lock keeps its
 * connection busy with nothing: six hundred edits of one customer would take a pool for seconds. Only a courtesy: what
 * must hold is held by the locks of the database, and whoever has waited too long goes there.
 */
export function createWaitingRoom({ wait_ms_max }: { wait_ms_max: number }): WaitingRoom {
  const present = new Map<string, number>();
  const queues = new Map<string, Set<Waiting>>();

  interface Waiting {
    keys: readonly string[];
    admit(): void;
  }

  const isFree = (key: string) => (present.get(key) ?? 0) < abreast_max;
  // Who comes later does not pass by those that wait.
  const isOpen = (key: string) => isFree(key) && !queues.has(key);

  function note(keys: readonly string[]): void {
    for (const key of keys) present.set(key, (present.get(key) ?? 0) + 1);
  }

  function forget(one: Waiting): void {
    for (const key of one.keys) {
      const queue = queues.get(key);
      queue?.delete(one);
      if (queue?.size === 0) queues.delete(key);
    }
  }

  return {
    enter(keys) {
      if (!keys.every(isOpen)) return false;
      note(keys);
      return true;
    },
    async wait(keys) {
      if (keys.every(isOpen)) return note(keys);
      for (const key of keys)
        if ((queues.get(key)?.size ?? 0) >= waiting_max)
          throw new Unavailable("too many changes wait for the same object", undefined);
      await new Promise<void>((admitted) => {
        const one: Waiting = {
          keys,
          admit() {
            clearTimeout(timer);
            forget(one);
            note(keys);
            admitted();
          },
        };
        const timer = setTimeout(() => one.admit(), wait_ms_max);
        for (const key of keys) queues.set(key, (queues.get(key) ?? new Set()).add(one));
      });
    },
    leave(keys) {
      for (const key of keys) {
        const left = (present.get(key) ?? 0) - 1;
        if (left > 0) present.set(key, left);
        else present.delete(key);
      }
      for (const key of keys)
        for (const one of queues.get(key) ?? []) {
          if (!isFree(key)) break;
          if (one.keys.every(isFree)) one.admit();
        }
    },
  };
}
