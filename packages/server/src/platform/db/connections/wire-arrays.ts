/** Types whose arrays go in PostgreSQL's binary form, with the number that it knows each by. */
const oids = { text: 25, json: 114, jsonb: 3802 };

export type WireType = keyof typeof oids;

export const isWireType = (type: string): type is WireType => type in oids;

const header_bytes = 20;
/** Before each element stands its length; null has none. */
const length_bytes = 4;
const null_length = -1;
/** What the binary form of `jsonb` begins with; the text follows. */
const jsonb_version = 1;

/**
 * An array parameter of texts or documents, to be cast to that type alone. As a text each quote of a document would be
 * escaped here and undone there, which takes longer than all else that is done with it here (ADR 103).
 */
export function wireArray(type: WireType, values: readonly (string | null | undefined)[]): Buffer {
  const array = roomFor(values);
  const has_null = values.some(isMissing);
  let at = writeHeader(array, { oid: oids[type], count: values.length, has_null });
  for (const value of values) {
    const start = at + length_bytes;
    if (isMissing(value)) at = array.writeInt32BE(null_length, at);
    else {
      const text = type === "jsonb" ? array.writeUInt8(jsonb_version, start) : start;
      const end = text + array.write(value, text);
      array.writeInt32BE(end - start, at);
      at = end;
    }
  }
  return array === scratch ? Buffer.from(scratch.subarray(0, at)) : array.subarray(0, at);
}
const isMissing = (value: string | null | undefined) => value === null || value === undefined;

/** Where most arrays are written, before it is known how long they are: to ask each text for its length takes a third of the time. */
const scratch = Buffer.allocUnsafe(65_536);

/** Enough for the values. A sign takes three bytes at most; of very many the bytes are counted. */
function roomFor(values: readonly (string | null | undefined)[]): Buffer {
  let signs = 0;
  for (const value of values) signs += value?.length ?? 0;
  const before = header_bytes + values.length * (length_bytes + 1);
  if (before + 3 * signs <= scratch.length) return scratch;
  return Buffer.allocUnsafe(values.reduce((bytes, value) => bytes + Buffer.byteLength(value ?? ""), before));
}

const timestamptz_oid = 1184;
const instant_bytes = 8;
/** 2000-01-01, from which PostgreSQL counts instants, in microseconds. */
const epoch_ms = Date.UTC(2000, 0, 1);

/**
 * An array parameter of instants in milliseconds, to be cast to `timestamptz` alone: a date is spelt out and read again for ten times as long. Undefined
 * where something is none: PostgreSQL says what it thinks of that.
 */
export function wireInstants(values: readonly unknown[]): Buffer | undefined {
  if (!values.every(isInstantOrNull)) return undefined;
  const nulls = values.filter((value) => value === null).length;
  const bytes = header_bytes + length_bytes * values.length + instant_bytes * (values.length - nulls);
  const array = Buffer.allocUnsafe(bytes);
  let at = writeHeader(array, { oid: timestamptz_oid, count: values.length, has_null: nulls > 0 });
  if (values.length === 0) return array.subarray(0, at);
  for (const value of values) {
    at = array.writeInt32BE(value === null ? null_length : instant_bytes, at);
    if (value !== null) at = array.writeBigInt64BE(BigInt(value - epoch_ms) * 1000n, at);
  }
  return array;
}

const isInstantOrNull = (value: unknown): value is number | null => value === null || Number.isSafeInteger(value);

/** One dimension (an empty array has none), whether any is null, of what type, how many, counted from 1. Answers where the elements begin. */
function writeHeader(
  array: Buffer,
  { oid, count, has_null }: { oid: number; count: number; has_null: boolean },
): number {
  const fields = [count === 0 ? 0 : 1, has_null ? 1 : 0, oid, ...(count === 0 ? [] : [count, 1])];
  return fields.reduce((at, field) => array.writeInt32BE(field, at), 0);
}
