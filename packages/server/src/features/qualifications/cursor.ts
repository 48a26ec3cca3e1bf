import type { Instant } from "../../platform/clock.js";
import { isoOf } from "../../platform/clock.js";
import { instantFrom } from "../../platform/http/dates.js";
import { problems } from "../../platform/http/problems.js";

/**
 * Where the next page begins: behind so many of the entries that were made at that instant. Many may be, such as the tiers
 * of a campaign, while a cursor is a date-time; so what was passed of them stands in digits behind its milliseconds.
 */
export interface Cursor {
  created_at: Instant;
  /** Null: behind all of them. */
  passed: number | null;
}

const digits = 6;
const passed_max = 10 ** digits - 1;

/** What `starting_after` says; null for the beginning, which clients write in several ways. */
export function cursorFrom(text: string | null | undefined): Cursor | null {
  if (text === null || text === undefined || text === "" || text === "null") return null;
  const created_at = instantFrom(text);
  if (created_at === null) {
    const details = "Property .options.starting_after cannot be recognized as a ISO-8601 compliant date";
    throw problems.invalidPayload(details, "options.starting_after");
  }
  const passed = Number(/\.\d{3}(\d{6})(?:Z|[+-]|$)/.exec(text)?.[1] ?? 0);
  return { created_at, passed: passed === 0 ? null : passed };
}

export function cursorText({ created_at, passed }: Cursor): string {
  const text = isoOf(created_at);
  return passed === null || passed > passed_max ? text : text.replace("Z", `${String(passed).padStart(digits, "0")}Z`);
}
