import { totalmem } from "node:os";
import { getHeapStatistics } from "node:v8";

/** What there is for us: in a container its limit counts, not the machine. */
export function memoryBytes(): number {
  // Without a limit the call answers 0 or an absurd number.
  const limit = process.constrainedMemory?.() ?? 0;
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** What Node.js 20, 22, 24 and 26 take by themselves for each half of the young objects: it is the version of V8 that decides. */
const half_mb_of_v8 = new Map([
  [11, 16],
  [12, 16],
  [13, 64],
  [14, 32],
]);
/** For those that nobody has looked at: too much is better than too little, since what stays is promised by it. */
const half_mb_otherwise = 64;

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
  const by_itself = half_mb_of_v8.get(Number.parseInt(process.versions.v8, 10)) ?? half_mb_otherwise;
  return limit_bytes - 3 * (halves.at(-1) ?? by_itself) * 2 ** 20;
}
