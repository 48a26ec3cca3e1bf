import pg from "pg";

const oid = { int8: 20, numeric: 1700, date: 1082, timestamptz: 1184 };

/** How values arrive: times as {@link Instant}s, `bigint`s and sums as numbers, `date`s as texts. */
export function getTypeParser(type: number, format?: "text" | "binary") {
  if (type === oid.int8) return integerOf;
  if (type === oid.numeric) return sumOf;
  if (type === oid.date) return (text: string) => text;
  if (type === oid.timestamptz) return instantOf;
  return pg.types.getTypeParser(type, format as "text");
}

function integerOf(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`the integer ${text} is beyond 2^53 - 1`);
  return value;
}

/** What adds up has no bound, what JSON can say has: many orders at the limit must not make an answer impossible. */
const sumOf = (text: string): number => Math.min(Number(text), Number.MAX_SAFE_INTEGER);

function instantOf(text: string): number {
  // "2025-03-03 08:00:00.123+00": ISO once the blank is a T and the offset has minutes.
  const iso = text.replace(" ", "T");
  return Date.parse(/[+-]\d\d$/.test(iso) ? `${iso}:00` : iso);
}
