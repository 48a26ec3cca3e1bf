import { isUtf8 } from "node:buffer";
import { problems } from "./problems.js";

/** Largest JSON body, inclusive (platform.md §11.4). */
export const body_bytes_max = 10_485_760;

export const depth_max = 64;

/**
 * Reads a JSON body and refuses what no schema could name well (architecture.md §7): text that is not UTF-8 or not
 * JSON, strings and keys that PostgreSQL cannot hold, nesting without end, numbers that are not finite.
 */
export function readJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw problems.malformedJson();
  const text = bytes.toString("utf8");
  const value = parseJson(text);
  // Of UTF-8 there is nothing that cannot be stored but by an escape.
  const fault = faultIn(value, 0, text.includes("\\u"));
  if (fault) throw problems.invalidPayload(told("", fault));
  return value;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw problems.malformedJson();
  }
}

/** The same checks for a parsed query string or path parameters. */
export function assertStorable(value: unknown, refuse: (details: string) => Error): void {
  const fault = faultOf(value, "", 0);
  if (fault) throw refuse(fault);
}

/** What is wrong with the first value, at a path and so deep within a body, that cannot be kept; null: nothing. */
export function faultOf(value: unknown, path: string, depth: number): string | null {
  const fault = faultIn(value, depth, true);
  return fault && told(path, fault);
}

/** What is wrong, and with what: how it is come to from the value that was looked at. */
interface Fault {
  readonly path: string;
  readonly says: string;
}

/**
 * The path is told on the way back, since few have a fault.
 * @param looks whether there may be texts and names that cannot be stored
 */
function faultIn(value: unknown, depth: number, looks: boolean): Fault | null {
  if (typeof value === "string")
    return !looks || isStorable(value) ? null : here("contains characters that cannot be stored");
  if (typeof value === "number") return Number.isFinite(value) ? null : here("must be a finite number");
  if (typeof value !== "object" || value === null) return null;
  if (depth === depth_max) return here(too_deep);
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1) {
      const fault = faultIn(value[i], depth + 1, looks);
      if (fault) return { ...fault, path: `[${i}]${fault.path}` };
    }
    return null;
  }
  for (const key of Object.keys(value)) {
    // An own key of this name would change the prototype of whatever object it is assigned to.
    if (key === "__proto__") return here("must not have the property '__proto__'");
    if (looks && !isStorable(key)) return here("has a property whose name cannot be stored");
    const fault = faultIn((value as Record<string, unknown>)[key], depth + 1, looks);
    if (fault) return { ...fault, path: `.${key}${fault.path}` };
  }
  return null;
}

const here = (says: string): Fault => ({ path: "", says });
const told = (path: string, fault: Fault) => `${named(path + fault.path)} ${fault.says}`;

const too_deep = `is nested deeper than ${depth_max} levels`;

export const tooDeep = (path: string): string => `${named(path)} ${too_deep}`;

export const tooMany = (path: string, most: number): string =>
  `${named(path)} must not have more than ${most} properties`;

function isStorable(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}

function named(path: string): string {
  return path === "" ? "Payload" : `Property ${path}`;
}
