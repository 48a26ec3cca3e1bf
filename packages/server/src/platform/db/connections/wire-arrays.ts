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
  const version_bytes = type === "jsonb" ? 1 : 0;
  const lengths = values.map((value) => (value === null || value === undefined ? undefined : Buffer.byteLength(value)));
  let bytes = header_bytes;
  for (const length of lengths) bytes += length_bytes + (length === undefined ? 0 : version_bytes + length);
  const array = Buffer.allocUnsafe(bytes);
  // One dimension (an empty array has none), whether any is null, of what type, how many, counted from 1.
  let at = 0;
  const int = (number: number) => {
    at = array.writeInt32BE(number, at);
  };
  int(values.length === 0 ? 0 : 1);
  int(lengths.includes(undefined) ? 1 : 0);
  int(oids[type]);
  if (values.length === 0) return array.subarray(0, at);
  int(values.length);
  int(1);
  for (const [i, length] of lengths.entries()) {
    int(length === undefined ? null_length : version_bytes + length);
    if (length === undefined) continue;
    if (version_bytes > 0) at = array.writeUInt8(jsonb_version, at);
    at += array.write(values[i] as string, at);
  }
  return array;
}
