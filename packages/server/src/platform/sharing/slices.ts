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
