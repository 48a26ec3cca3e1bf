import { prepareValue } from "pg/lib/utils.js";

/** A parameter as it goes to the server: bytes as they are, all else as text. */
export const parameterOf = (value: unknown): Buffer | string | null =>
  (Array.isArray(value) ? arrayOf(value) : undefined) ?? prepareValue(value);

/**
 * A list of texts and numbers, as most lists are: what the driver would make of it, without looking twice through each element for
 * what must be escaped in few. Undefined of any other.
 */
function arrayOf(values: readonly unknown[]): string | undefined {
  let text = "{";
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i];
    if (i > 0) text += ",";
    if (typeof value === "string") text += `"${special.test(value) ? value.replace(/["\\]/g, "\\$&") : value}"`;
    else if (typeof value === "number") text += `"${value}"`;
    else if (value === null || value === undefined) text += "NULL";
    else return undefined;
  }
  return `${text}}`;
}

const special = /["\\]/;
