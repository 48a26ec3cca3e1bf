import { IntColumn, Rows } from "./columns.js";
import { Conjunctions } from "./conjunctions.js";
import type { CartFacts } from "./facts.js";
import type { Predicates } from "./predicates.js";

export { predicatesOf } from "./derive.js";
export { type CartFacts, cartFacts } from "./facts.js";
export {
  ANYTHING,
  type Atom,
  allOf,
  type Conjunction,
  duringDates,
  oneOf,
  type Predicates,
  someOf,
  within,
} from "./predicates.js";

/**
 * Finds the promotions that may apply to a cart without looking at each (architecture.md §3, "Compiled and
 * indexed"). Edits take microseconds and need no rebuild.
 */
export interface QualificationIndex {
  readonly size: number;
  /** Inserts a promotion or replaces what was known of it. */
  put(id: string, predicates: Predicates): void;
  /** False when it was not there. */
  remove(id: string): boolean;
  /** The promotions whose predicates are true of the cart, each once, in no particular order. */
  candidates(facts: CartFacts): string[];
}

export function createQualificationIndex(): QualificationIndex {
  const conjunctions = new Conjunctions();
  const promotions = new Map<string, number>();
  const ids: string[] = [];
  // A chain of rows by promotion, one higher than they are: 0 ends it. Arrays took 50 MB more at a million.
  const first = new IntColumn();
  const next = new IntColumn();
  const slots = new Rows();
  const seen = new IntColumn();
  let query = 0;

  const remove = (id: string): boolean => {
    const slot = promotions.get(id);
    if (slot === undefined) return false;
    for (let link = first.get(slot); link !== 0; link = next.get(link)) conjunctions.remove(link - 1);
    promotions.delete(id);
    first.set(slot, 0);
    slots.give(slot);
    return true;
  };

  return {
    get size() {
      return promotions.size;
    },
    put(id, predicates) {
      remove(id);
      const slot = slots.take();
      promotions.set(id, slot);
      ids[slot] = id;
      seen.set(slot, 0);
      first.set(slot, 0);
      for (const conjunction of predicates) {
        const link = conjunctions.add(slot, conjunction) + 1;
        next.set(link, first.get(slot));
        first.set(slot, link);
      }
    },
    remove,
    candidates(facts) {
      query = query < 0x7fff_ffff ? query + 1 : restarted(seen);
      const found: string[] = [];
      conjunctions.visit(facts, (slot) => {
        if (seen.get(slot) === query) return;
        seen.set(slot, query);
        found.push(ids[slot] as string);
      });
      return found;
    },
  };
}

function restarted(seen: IntColumn): number {
  seen.clear();
  return 1;
}
