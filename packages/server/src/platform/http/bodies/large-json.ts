import { isUtf8 } from "node:buffer";
import { slices } from "../../sharing/slices.js";
import { depth_max, faultOf, parseJson, tooDeep, tooMany } from "../door.js";
import { problems } from "../problems.js";

/** Bytes that are parsed at once: well below a millisecond. */
const piece_bytes = 32_768;

/**
 * Of a body, objects and lists counted twice. Three and a half million objects find room in the bytes that a body may have, and
 * as objects of the heap they take many times as many.
 */
const values_max = 1_000_000;

/** Of one object: more than the largest metadata can have. To ask one of 150,000 for its keys takes 60 ms. */
const properties_max = 20_000;

/**
 * Reads JSON as `readJson` does, and lets others go on meanwhile: ten megabytes of it take the thread for 60 ms in one stretch. Lists and
 * objects that are larger than a piece are read member by member, those within them by `JSON.parse`.
 * @param turn how a reading waits for its next slice
 * @param size bytes of a piece
 */
export async function readLargeJson(
  bytes: Buffer,
  turn?: () => Promise<unknown>,
  size = piece_bytes,
): Promise<unknown> {
  if (!isUtf8(bytes)) throw problems.malformedJson();
  const reading: Reading = { bytes, size, pause: slices(turn), ends: new Map(), fault: null };
  await findLargeOnes(reading);
  const begin = afterSpace(bytes, 0);
  const end = reading.ends.get(begin);
  const value =
    end === undefined ? parsed(bytes, 0, bytes.length, "", "") : await readMembers(reading, begin, end, "", 0);
  if (end === undefined) reading.fault ??= faultOf(value, "", 0);
  else assertSpace(bytes, end + 1, bytes.length);
  if (reading.fault) throw problems.invalidPayload(reading.fault);
  return value;
}

interface Reading {
  bytes: Buffer;
  size: number;
  pause: () => Promise<void> | undefined;
  /** Where lists and objects that are larger than a piece begin, and where they end. */
  ends: Map<number, number>;
  /** What is wrong with the first value that cannot be kept. */
  fault: string | null;
}

/** Counts the values besides: each begins with a bracket of its own or behind a comma or bracket. */
async function findLargeOnes({ bytes, size, pause, ends }: Reading): Promise<void> {
  const open: number[] = [];
  let values = 1;
  let looked = 0;
  for (let i = 0; i < bytes.length; i += 1) {
    const sign = bytes[i];
    if (sign === signs.quote) i = endOfString(bytes, i);
    else if (sign === signs.comma) values += 1;
    else if (sign === signs.brace || sign === signs.bracket) {
      values += 1;
      open.push(i);
    } else if (sign === signs.end_of_brace || sign === signs.end_of_bracket) {
      const begin = open.pop();
      // Of smaller ones the parser sees it.
      if (begin === undefined || closing(bytes[begin]) !== sign) throw problems.malformedJson();
      if (i - begin >= size) ends.set(begin, i);
    }
    if (i - looked >= size) {
      looked = i;
      await pause();
    }
  }
  if (values > values_max) throw problems.invalidPayload(`Payload must not have more than ${values_max} values`);
  if (open.length > 0) throw problems.malformedJson();
}

const closing = (sign: number | undefined) => (sign === signs.brace ? signs.end_of_brace : signs.end_of_bracket);

async function readMembers(reading: Reading, begin: number, end: number, path: string, depth: number) {
  const { bytes, size, pause, ends } = reading;
  if (depth === depth_max) {
    reading.fault ??= tooDeep(path);
    return null;
  }
  const into = bytes[begin] === signs.bracket ? aList(reading, path, depth) : anObject(reading, path, depth);
  /** Where what is not read yet begins, and where its last member does. */
  let unread = begin + 1;
  let member = unread;
  let levels = 0;
  for (let i = begin + 1; i <= end; i += 1) {
    const sign = bytes[i];
    const large_end = levels === 0 ? ends.get(i) : undefined;
    if (sign === signs.quote) i = endOfString(bytes, i);
    else if (large_end !== undefined) {
      if (unread < member) into.addAll(unread, member - 1, false);
      await into.addLarge(member, i, large_end);
      const behind = afterSpace(bytes, large_end + 1);
      if (behind !== end && bytes[behind] !== signs.comma) throw problems.malformedJson();
      i = behind;
      unread = member = behind + 1;
    } else if (sign === signs.brace || sign === signs.bracket) levels += 1;
    else if (i === end || (sign === signs.comma && levels === 0)) {
      member = i + 1;
      if (i < end && i - unread < size) continue;
      into.addAll(unread, i, unread === begin + 1 && i === end);
      unread = member;
      await pause();
    } else if (sign === signs.end_of_brace || sign === signs.end_of_bracket) levels -= 1;
  }
  return into.value;
}

interface Members {
  value: unknown;
  /** Adds the members between two places. None is fine where these hold all that the list or object has. */
  addAll(from: number, to: number, may_be_none: boolean): void;
  /** Adds a member, which begins at one place and at another the large list or object that it is. */
  addLarge(from: number, begin: number, end: number): Promise<void>;
}

function aList(reading: Reading, path: string, depth: number): Members {
  const { bytes } = reading;
  const value: unknown[] = [];
  return {
    value,
    addAll(from, to, may_be_none) {
      const members = parsed(bytes, from, to, "[", "]") as unknown[];
      if (members.length === 0 && !may_be_none) throw problems.malformedJson();
      for (const member of members) {
        reading.fault ??= faultOf(member, `${path}[${value.length}]`, depth + 1);
        value.push(member);
      }
    },
    async addLarge(from, begin, end) {
      assertSpace(bytes, from, begin);
      value.push(await readMembers(reading, begin, end, `${path}[${value.length}]`, depth + 1));
    },
  };
}

function anObject(reading: Reading, path: string, depth: number): Members {
  const { bytes } = reading;
  const value: Record<string, unknown> = {};
  let properties = 0;
  const count = (more: number) => {
    properties += more;
    if (properties > properties_max) reading.fault ??= tooMany(path, properties_max);
  };
  return {
    value,
    addAll(from, to, may_be_none) {
      const members = parsed(bytes, from, to, "{", "}") as object;
      const entries = Object.entries(members);
      if (entries.length === 0 && !may_be_none) throw problems.malformedJson();
      reading.fault ??= faultOf(members, path, depth);
      count(entries.length);
      // What is wrong may be a key that would change the object itself.
      if (reading.fault === null) for (const [key, member] of entries) value[key] = member;
    },
    async addLarge(from, begin, end) {
      const key = keyBefore(bytes, from, begin);
      reading.fault ??= faultOf({ [key]: null }, path, depth);
      count(1);
      const member = await readMembers(reading, begin, end, `${path}.${key}`, depth + 1);
      if (reading.fault === null) value[key] = member;
    },
  };
}

/** The key that stands between two places with its colon. */
function keyBefore(bytes: Buffer, from: number, to: number): string {
  const begin = afterSpace(bytes, from);
  if (bytes[begin] !== signs.quote) throw problems.malformedJson();
  const end = endOfString(bytes, begin) + 1;
  const colon = afterSpace(bytes, end);
  if (bytes[colon] !== signs.colon) throw problems.malformedJson();
  assertSpace(bytes, colon + 1, to);
  return parsed(bytes, begin, end, "", "") as string;
}

function parsed(bytes: Buffer, from: number, to: number, before: string, behind: string): unknown {
  return parseJson(`${before}${bytes.toString("utf8", from, to)}${behind}`);
}

const signs = {
  quote: 0x22,
  backslash: 0x5c,
  comma: 0x2c,
  colon: 0x3a,
  brace: 0x7b,
  end_of_brace: 0x7d,
  bracket: 0x5b,
  end_of_bracket: 0x5d,
};
const spaces: readonly (number | undefined)[] = [0x20, 0x09, 0x0a, 0x0d];

/** The place of the quote that ends the string which begins at the place. */
function endOfString(bytes: Buffer, begin: number): number {
  let end = begin + 1;
  while (end < bytes.length && bytes[end] !== signs.quote) end += bytes[end] === signs.backslash ? 2 : 1;
  return end;
}

function afterSpace(bytes: Buffer, from: number): number {
  let i = from;
  while (spaces.includes(bytes[i])) i += 1;
  return i;
}

function assertSpace(bytes: Buffer, from: number, to: number): void {
  if (afterSpace(bytes, from) < to) throw problems.malformedJson();
}
