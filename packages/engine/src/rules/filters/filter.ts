import { isObject, readProperty } from "../properties.js";
import type { Filter, FilterClock, FilterFault, FilterField, FilterFields } from "./contract.js";
import { compileFilterOperator, FILTER_OPERATORS } from "./operators.js";

const fault = (details: string): { fault: FilterFault } => ({ fault: { key: "invalid_payload", details } });

const WRONG_JUNCTION = "Property .filter has wrong `junction` property. It must be one of: and, or";

/**
 * Compiles `{ junction, "<field>": { conditions } }`. Conditions of a field are joined with AND, fields
 * with the junction; without any field everything matches.
 */
export function compileFilter(source: unknown, fields: FilterFields): { filter: Filter } | { fault: FilterFault } {
  if (!isObject(source)) return fault("Property .filter must be object");
  const { junction: written, ...conditions_by_field } = source;
  const junction = junctionOf(written);
  if (junction === null) return fault(WRONG_JUNCTION);
  const tests: Filter[] = [];
  for (const [path, definition] of Object.entries(conditions_by_field)) {
    const compiled = compileField(fields(path), definition);
    if ("fault" in compiled) return compiled;
    tests.push(compiled.filter);
  }
  if (tests.length === 0) return { filter: () => true };
  return {
    filter:
      junction === "and"
        ? (subject, at) => tests.every((test) => test(subject, at))
        : (subject, at) => tests.some((test) => test(subject, at)),
  };
}

function junctionOf(written: unknown): "and" | "or" | null {
  if (written === undefined || written === null || written === "") return "and";
  const word = typeof written === "string" ? written.toLowerCase() : "";
  return word === "and" || word === "or" ? word : null;
}

function compileField(field: FilterField, definition: unknown): { filter: Filter } | { fault: FilterFault } {
  const conditions = isObject(definition) ? (definition.conditions ?? definition) : null;
  if (!isObject(conditions)) return fault("Property .filter must have 'conditions' in every field");
  const tests: ((value: unknown, at: FilterClock) => boolean)[] = [];
  for (const [operator, operands] of Object.entries(conditions)) {
    const test = compileFilterOperator(operator, Array.isArray(operands) ? operands : [operands], field);
    if (test === null) {
      return fault(`Property .parameters.filters should match either ${FILTER_OPERATORS.join(", ")}`);
    }
    tests.push(test);
  }
  return {
    filter: (subject, at) => {
      const value = field.read(subject);
      return tests.every((test) => test(value, at));
    },
  };
}

/** A field found by its path; names inside may hold dots and blanks, the longest known one wins. */
export const plainField = (path: string, type: FilterField["type"] = null): FilterField => ({
  type,
  read: (subject) => readProperty(subject, path),
});
