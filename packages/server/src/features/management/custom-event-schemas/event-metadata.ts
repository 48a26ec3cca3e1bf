import { instantFrom, isDay } from "../../../platform/http/dates.js";
import { refusals } from "../../../terms/index.js";
import type { CustomEventSchema, PropertyDefinition } from "./custom-event-schema.js";

const accepts: Record<PropertyDefinition["type"], (value: unknown) => boolean> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  date: (value) => typeof value === "string" && isDay(value),
  datetime: (value) => typeof value === "string" && instantFrom(value) !== null,
};

const shown_length_max = 255;

/**
 * Refuses metadata that breaks the event's schema; keys that it does not define are kept (rules.md §16). Says every
 * requirement of a broken definition, met or not, as the reference does.
 */
export function assertEventMetadata({ properties }: CustomEventSchema, metadata: Record<string, unknown>): void {
  const broken = Object.entries(properties).flatMap(([name, definition]) => {
    const value = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
    return fits(definition, value) ? [] : `${name}: ${requirements(definition)} (actual value is '${shown(value)}')`;
  });
  if (broken.length > 0) throw refusals.invalidMetadata(broken.join("; "));
}

function fits({ type, optional, deleted }: PropertyDefinition, value: unknown): boolean {
  if (deleted) return true;
  return value === undefined || value === null ? optional : accepts[type](value);
}

const requirements = ({ type, optional }: PropertyDefinition) =>
  `must be a ${type}${optional ? "" : ", property is required"}`;

function shown(value: unknown): string {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.length > shown_length_max ? `${text.slice(0, shown_length_max)}…` : text;
}
