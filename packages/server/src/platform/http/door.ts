import { isUtf8 } from "node:buffer";
import { problems } from "./problems.js";

/** Largest JSON body, inclusive (platform.md §11.4). */
export const body_bytes_max = 10_485_760;

const depth_max = 64;

/**
 * Of a body, objects and lists counted twice. Three and a half million objects find room in the bytes that a body may have, and
 * reading them was one stretch of 1.2 s; so many values of any kind take 0.2 at most.
 */
const values_max = 1_000_000;

/**
 * Reads a JSON body and refuses what no schema could name well (architecture.md §7): text that is not UTF-8 or not
 * JSON, strings and keys that PostgreSQL cannot hold, nesting without end, numbers that are not finite.
 */
export function readJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw problems.malformedJson();
  if (bytes.length > values_max && countValues(bytes) > values_max)
    throw problems.invalidPayload(`Payload must not have more than ${values_max} values`);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    throw problems.malformedJson();
  }
  const fault = faultOf(value, "", 0);
  if (fault) throw problems.invalidPayload(fault);
  return value;
}

/** Counts by signs, without reading what they stand for: each value begins with a bracket of its own or behind a comma or bracket. */
function countValues(bytes: Buffer): number {
  let count = 1;
  for (let i = 0; i < bytes.length; i += 1) {
    const sign = bytes[i];
    if (sign === signs.quote) i = endOfString(bytes, i);
    else if (sign === signs.comma || sign === signs.brace || sign === signs.bracket) count += 1;
  }
  return count;
}

const signs = { quote: 0x22, backslash: 0x5c, comma: 0x2c, brace: 0x7b, bracket: 0x5b };

/** The place of the quote that ends the string which begins at the place. */
function endOfString(bytes: Buffer, begin: number): number {
  let end = begin + 1;
  while (end < bytes.length && bytes[end] !== signs.quote) end += bytes[end] === signs.backslash ? 2 : 1;
  return end;
}

/** The same checks for a parsed query string or path parameters. */
export function assertStorable(value: unknown, refuse: (details: string) => Error): void {
  const fault = faultOf(value, "", 0);
  if (fault) throw refuse(fault);
}

function faultOf(value: unknown, path: string, depth: number): string | null {
  if (typeof value === "string")
    return isStorable(value) ? null : `${named(path)} contains characters that cannot be stored`;
  if (typeof value === "number") return Number.isFinite(value) ? null : `${named(path)} must be a finite number`;
  if (typeof value !== "object" || value === null) return null;
  if (depth === depth_max) return `${named(path)} is nested deeper than ${depth_max} levels`;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1) {
      const fault = faultOf(value[i], `${path}[${i}]`, depth + 1);
      if (fault) return fault;
    }
    return null;
  }
  for (const key of Object.keys(value)) {
    // An own key of this name would change the prototype of whatever object it is assigned to.
    if (key === "__proto__") return `${named(path)} must not have the property '__proto__'`;
    if (!isStorable(key)) return `${named(path)} has a property whose name cannot be stored`;
    const fault = faultOf((value as Record<string, unknown>)[key], `${path}.${key}`, depth + 1);
    if (fault) return fault;
  }
  return null;
}

function isStorable(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}

function named(path: string): string {
  return path === "" ? "Payload" : `Property ${path}`;
}
