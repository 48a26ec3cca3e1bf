import fc from "fast-check";
import type { JsonSchema } from "./document.js";

const noon = "2026-03-02T12:00:00.000Z";

/**
 * The smallest value that a schema accepts: required properties, first alternatives, lower bounds. With `steps` the
 * property they lead to is there as well, and holds the given value.
 */
export function exampleOf(schema: JsonSchema, steps: readonly string[] = [], value?: unknown): unknown {
  const [step, ...rest] = steps;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return exampleOf(choices.find((one) => leads(one, step)) ?? choices[0] ?? {}, steps, value);
  if (step === "[]") return [exampleOf(schema.items ?? {}, rest, value)];
  if (step === undefined && steps.length === 0 && value !== undefined) return asListed(schema, value);
  const type = [schema.type].flat()[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (type === "object" || schema.properties || step !== undefined) {
    const names = new Set([...(schema.required ?? []), ...(step === undefined ? [] : [step])]);
    return Object.fromEntries(
      [...names].map((name) => {
        const property = schema.properties?.[name] ?? {};
        return [name, name === step ? exampleOf(property, rest, value) : exampleOf(property)];
      }),
    );
  }
  if (type === "array") return Array.from({ length: schema.minItems ?? 0 }, () => exampleOf(schema.items ?? {}));
  if (type === "integer" || type === "number")
    return Math.max(schema.minimum ?? 1, (schema.exclusiveMinimum ?? 0) + 1, 1);
  if (type === "boolean") return true;
  if (type === "null") return null;
  if (schema.format === "date-time") return noon;
  if (schema.format === "date") return noon.slice(0, 10);
  if (schema.pattern !== undefined)
    return fc.sample(fc.stringMatching(new RegExp(schema.pattern)), { seed: 1, numRuns: 1 })[0];
  return "text".padEnd(schema.minLength ?? 0, "x");
}

const leads = (schema: JsonSchema, step: string | undefined) =>
  step === undefined ? false : step === "[]" ? schema.items !== undefined : schema.properties?.[step] !== undefined;

/** The value, as a list where only lists are taken. */
function asListed(schema: JsonSchema, value: unknown): unknown {
  const types = [schema.type].flat();
  return types.includes("array") && !types.includes("string") ? [value] : value;
}
