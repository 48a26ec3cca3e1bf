/** Types a metadata schema may give a property (rules.md §16), as far as comparing needs them. */
export type ValueType = "string" | "number" | "boolean" | "date" | "datetime" | "image_url" | "geopoint" | "object";

export const isMissing = (value: unknown): value is null | undefined => value === null || value === undefined;

/**
 * A value as text, equal for values that count as equal: 5 and "5", true and "true" (rules.md §5).
 * Objects are compared as wholes, whatever the order of their keys.
 */
export function canonicalText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return String(value);
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

const NUMERIC = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i;

/** A number, or the number that a text spells; null for anything else, a boolean included. */
export function numberOf(value: unknown): number | null {
  if (typeof value === "number") return value;
  return typeof value === "string" && NUMERIC.test(value) ? Number(value) : null;
}

/** The elements of an array or a set, or the value as the only one. */
export const elementsOf = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  return value instanceof Set ? [...value] : [value];
};

/** An operand as the type a metadata schema wants (rules.md §5); what cannot be converted stays as it is. */
export function coerced(operand: unknown, type: ValueType | null): unknown {
  if (type === "number") return numberOf(operand) ?? operand;
  // Other types need no more than the comparison by canonical text does anyway.
  return operand;
}
