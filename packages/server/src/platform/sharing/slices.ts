import { setImmediate as nextTurn } from "node:timers/promises";

/** No stretch of work is longer, so that requests beside it hardly wait. */
const slice_ms = 4;

/**
 * Cuts long work into slices: await what it answers after each small piece. Undefined, and nothing to wait for, until the
 * slice is used up.
 */
export function slices(): () => Promise<void> | undefined {
  let begun = performance.now();
  return () => {
    if (performance.now() - begun < slice_ms) return undefined;
    return nextTurn().then(() => {
      begun = performance.now();
    });
  };
}
