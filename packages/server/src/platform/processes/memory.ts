import { totalmem } from "node:os";

/** What there is for us: in a container its limit counts, not the machine. */
export function memoryBytes(): number {
  // Without a limit the call answers 0 or an absurd number.
  const limit = process.constrainedMemory?.() ?? 0;
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
