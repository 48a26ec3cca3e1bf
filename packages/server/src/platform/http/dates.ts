import type { Instant } from "../clock.js";

const iso = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2})(?::(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/**
 * Reads an ISO 8601 date or date-time (platform.md §11.5): a date alone is midnight UTC, a time without an offset is
 * UTC. Null when the text is neither, or names a day that does not exist.
 */
export function instantFrom(text: string): Instant | null {
  if (text.length > length_max) return null;
  const read = known.get(text);
  if (read !== undefined) return read;
  const instant = readInstant(text);
  if (known.size >= known_max) known.clear();
  known.set(text, instant);
  return instant;
}

/** What is read is asked for its format, its instant and its window; and most rows of a file begin and end on one day. */
const known = new Map<string, Instant | null>();
const known_max = 64;
/** With nine digits behind the second, and an offset with its minutes. */
const length_max = "2026-01-02T03:04:05.123456789+01:00".length;

function readInstant(text: string): Instant | null {
  const parts = iso.exec(text);
  if (!parts) return null;
  const [, day = "", hour = "00", minute = "00", second = "00", fraction = "0", offset = "Z"] = parts;
  if (!isDay(day) || Number(hour) > 24) return null;
  const ms = fraction.padEnd(3, "0").slice(0, 3);
  const zone = /^z$/i.test(offset)
    ? "Z"
    : offset.includes(":")
      ? offset
      : `${offset.slice(0, 3)}:${offset.slice(3) || "00"}`;
  const instant = Date.parse(`${day}T${hour}:${minute}:${second}.${ms}${zone}`);
  return instant >= first_instant && instant <= last_instant ? instant : null;
}

// An offset may carry a day that exists out of the years that can be stored and written with four digits.
const first_instant = Date.parse("0001-01-01T00:00:00.000Z");
const last_instant = Date.parse("9999-12-31T23:59:59.999Z");

/** Whether the text is a `YYYY-MM-DD` that exists; years before 1 cannot be stored. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith("0000")) return false;
  const instant = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text);
}

/** Reads a value that a schema has already found to be a date-time. */
export function instantOrNull(text: string | null | undefined): Instant | null {
  return text === null || text === undefined ? null : instantFrom(text);
}
