import { setImmediate as nextTurn } from "node:timers/promises";

/** No stretch of work is longer, so that requests beside it hardly wait. */
const slice_ms = 4;

/**
 * Cuts long work into slices: await what it answers after each small piece. Undefined, and nothing to wait for, until the
 * slice is used up.
 * @param turn how it waits for the next slice
 */
export function slices(turn: () => Promise<unknown> = nextTurn): () => Promise<void> | undefined {
  let begun = performance.now();
  return () => {
    if (performance.now() - begun < slice_ms) return undefined;
    return turn().then(() => {
      begun = performance.now();
    });
  };
}

/** Makes something of each, in their order, and lets others go on meanwhile. */
export async function mapInSlices<One, Made>(all: readonly One[], make: (one: One) => Made): Promise<Made[]> {
  const pause = slices();
  const made: Made[] = [];
  for (const one of all) {
    made.push(make(one));
    await pause();
  }
  return made;
}

/** What each of so many does with its answer, until it waits for something else, takes a few milliseconds together. */
const told_at_once = 32;

/**
 * Tells each of those who waited together, in their order, a few a turn of the event loop: all at once, hundreds would go on in one stretch.
 * Those few are told at once.
 * @param tell does not throw
 */
export async function tellInTurns<One>(all: readonly One[], tell: (one: One) => void): Promise<void> {
  for (let from = 0; from < all.length; from += told_at_once) {
    if (from > 0) await nextTurn();
    for (const one of all.slice(from, from + told_at_once)) tell(one);
  }
}

/**
 * Lets so many of those who come in one turn of the event loop go on at once, and the others in the next turns, in their
 * order: however many sockets have something to read, Node reads them in one turn.
 */
export function someATurn(most: number): (go: () => void) => void {
  const waiting: (() => void)[] = [];
  // In this turn; above nought the next turn counts anew.
  let gone = 0;

  function countAnew(): void {
    gone = 0;
    for (const go of waiting.splice(0, most)) begin(go);
  }

  function begin(go: () => void): void {
    if (gone === 0) setImmediate(countAnew);
    gone += 1;
    go();
  }

  return (go) => {
    if (gone >= most || waiting.length > 0) waiting.push(go);
    else begin(go);
  };
}
