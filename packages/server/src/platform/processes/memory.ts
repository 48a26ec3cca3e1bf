import { totalmem } from "node:os";
import { getHeapStatistics } from "node:v8";

/** What there is for us: in a container its limit counts, not the machine. */
export function memoryBytes(): number {
  // Without a limit the call answers 0 or an absurd number.
  const limit = process.constrainedMemory?.() ?? 0;
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** What Node.js takes by itself for each half of the young objects. */
const half_mb_by_itself = 16;

/**
 * What may stay in this heap, in bytes. V8's limit of it has room for the young objects as well, three of their halves: what stays
 * cannot count on it.
 * @param flags of Node.js, of which the last one of a kind counts
 */
export function heapBytes(
  flags = process.execArgv.join(" "),
  limit_bytes = getHeapStatistics().heap_size_limit,
): number {
  const halves = [...flags.matchAll(/--max[-_]semi[-_]space[-_]size[= ](\d+)/g)].map(([, mb]) => Number(mb));
  return limit_bytes - 3 * (halves.at(-1) ?? half_mb_by_itself) * 2 ** 20;
}
