import qs from "qs";
import { problems } from "./problems.js";

/** A filter with some hundred values, spelt out, takes more than the 16 KiB that Node.js allows for a url and its headers. */
export const header_bytes_max = 65_536;
/** What is over it would be dropped in silence, and with it a part of a filter. */
const parameters_max = 5000;

const unread = Symbol("unread");

/** Nested parameters, arrays as `a[0]=x`, `a[]=x` and repeated keys (platform.md §11.6). Cannot throw: the router calls it. */
export function parseQuery(text: string): Record<string, string> {
  if (text.split("&", parameters_max + 1).length > parameters_max) return { [unread]: "" } as Record<string, string>;
  const read = qs.parse(text, { depth: 8, arrayLimit: parameters_max, parameterLimit: parameters_max });
  return read as Record<string, string>;
}

export function assertRead(query: unknown): void {
  if (typeof query !== "object" || query === null || !(unread in query)) return;
  throw problems.invalidQuery(`Query must not have more than ${parameters_max} parameters`);
}
