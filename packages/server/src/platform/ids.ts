import { randomBytes } from "node:crypto";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const microseconds_digits = 11;
const random_digits = 16;
let last_microseconds = 0n;

/**
 * A new id: the reference's prefix, 55 bits of time in microseconds, 80 random bits. Ids made by one
 * process sort in the order they were made (platform.md §11.6), and nobody can guess the next one.
 */
export function newId(prefix: string): string {
  const measured = BigInt(Date.now()) * 1000n;
  last_microseconds = measured > last_microseconds ? measured : last_microseconds + 1n;
  return `${prefix}_${digits(last_microseconds, microseconds_digits)}${randomDigits(random_digits)}`;
}

/** `v-` and 18 hexadecimal digits: names one request in errors, events and logs (platform.md §14). */
export function newRequestId(): string {
  return `v-${randomBytes(9).toString("hex")}`;
}

function digits(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest >>= 5n) text = alphabet[Number(rest & 31n)] + text;
  return text;
}

function randomDigits(length: number): string {
  let text = "";
  for (const byte of randomBytes(length)) text += alphabet[byte & 31];
  return text;
}
