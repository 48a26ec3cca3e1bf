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
  return `${prefix}_${digits(last_microseconds, microseconds_digits)}${randomDigits(random_digits)}`;
}

/** What every id made at that instant or later sorts behind, and every earlier one before. */
export const firstIdAt = (prefix: string, instant: number): string =>
  `${prefix}_${digits(Math.max(0, instant) * 1000, microseconds_digits)}`;

/** `v-` and 18 hexadecimal digits: names one request in errors, events and logs (platform.md §14). One of our own pages has `w-`. */
export function newRequestId(prefix: "v" | "w" = "v"): string {
  const start = taken(9);
  return `${prefix}-${pool.toString("hex", start, start + 9)}`;
}

// A redemption makes more than a dozen ids. With random bytes of its own and big integers an id took 2.8 µs, a request id
// 2.6 µs; from a pool and with plain numbers 0.5 and 0.1 (CPU time, Node 20).
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

function digits(value: number, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) text = alphabet.charAt(rest % 32) + text;
  return text;
}

function randomDigits(length: number): string {
  const start = taken(length);
  let text = "";
  for (let i = start; i < start + length; i += 1) text += alphabet.charAt(pool.readUInt8(i) & 31);
  return text;
}
