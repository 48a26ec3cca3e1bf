import { randomFillSync } from "node:crypto";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const microseconds_digits = 11;
const random_digits = 16;
let last_microseconds = 0;

/**
 * A new id: the reference's prefix, 55 bits of time in microseconds, 80 random bits. Ids made by one
 * process sort in the order they were made (platform.md §11.6), and nobody can guess the next one.
 */
export function newId(prefix: string): string {
  // A plain number holds microseconds exactly until the year 2255.
  last_microseconds = Math.max(Date.now() * 1000, last_microseconds + 1);
  const opening = spell(`${prefix}_`, last_microseconds);
  const start = taken(random_digits);
  for (let i = 0; i < random_digits; i += 1) spelt[opening + i] = codeOf((pool[start + i] as number) & 31);
  return spelt.toString("latin1", 0, opening + random_digits);
}

/** What every id made at that instant or later sorts behind, and every earlier one before. */
export const firstIdAt = (prefix: string, instant: number): string =>
  spelt.toString("latin1", 0, spell(`${prefix}_`, Math.max(0, instant) * 1000));

/** `v-` and 18 hexadecimal digits: names one request in errors, events and logs (platform.md §14). One of our own pages has `w-`. */
export function newRequestId(prefix: "v" | "w" = "v"): string {
  const start = taken(9);
  return `${prefix}-${pool.toString("hex", start, start + 9)}`;
}

// A redemption makes more than a dozen ids. With random bytes of its own and big integers an id took 2.8 µs, a request id
// 2.6 µs; from a pool, with plain numbers, and spelt as bytes 0.2 and 0.1 (CPU time, Node 20).
const pool = Buffer.alloc(4096);
let pool_used = pool.length;

/** Where in the pool so many bytes stand that nobody else gets. */
function taken(bytes: number): number {
  if (pool_used + bytes > pool.length) {
    randomFillSync(pool);
    pool_used = 0;
  }
  pool_used += bytes;
  return pool_used - bytes;
}

/** Where an id is spelt. Put together of texts it is copied sign by sign, and again by whoever writes it. */
const spelt = Buffer.alloc(64);
const codes = Buffer.from(alphabet);
const codeOf = (digit: number) => codes[digit] as number;

/** Spells how an id begins; answers where it goes on. */
function spell(name: string, microseconds: number): number {
  for (let i = 0; i < name.length; i += 1) spelt[i] = name.charCodeAt(i);
  const end = name.length + microseconds_digits;
  let rest = microseconds;
  for (let at = end - 1; at >= end - microseconds_digits; at -= 1) {
    // The remainder of numbers this large takes so long that an id took twice the time.
    const higher = Math.floor(rest / 32);
    spelt[at] = codeOf(rest - higher * 32);
    rest = higher;
  }
  return end;
}
