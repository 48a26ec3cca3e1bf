import { isObject, PATH_LENGTH_MAX, readProperty, workOfPath } from "../properties.js";
import { quoted } from "../source.js";
import type { Filter, FilterClock, FilterFault, FilterField, FilterFields } from "./contract.js";
import { compileFilterOperator, FILTER_OPERATORS, filterOperandProblem } from "./operators.js";

const fault = (path: string, details: string): { fault: FilterFault } => ({
  fault: { key: "invalid_payload", path, details },
});

const fieldFault = (path: string, problem: string) => fault(path, `Property .${path} ${problem}`);

const WRONG_JUNCTION = "Property .filter has wrong `junction` property. It must be one of: and, or";

/**
 * Compiles `{ junction, "<field>": { conditions } }`. Conditions of a field are joined with AND, fields
 * with the junction; without any field everything matches.
 */
export function compileFilter(source: unknown, fields: FilterFields): { filter: Filter } | { fault: FilterFault } {
  if (!isObject(source)) return fieldFault("filter", "must be object");
  const { junction: written, ...conditions_by_field } = source;
  const junction = junctionOf(written);
  if (junction === null) return fault("filter.junction", WRONG_JUNCTION);
  const tests: Filter[] = [];
  for (const [path, definition] of Object.entries(conditions_by_field)) {
    if (path.length > PATH_LENGTH_MAX) {
      return fieldFault(`filter.${quoted(path)}`, `must not be longer than ${PATH_LENGTH_MAX} characters`);
    }
    const field = fields(path);
    if (field === null) return fieldFault(`filter.${quoted(path)}`, "is not a field that can be filtered by");
    const compiled = compileField(field, definition, `filter.${quoted(path)}`);
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

function compileField(
  field: FilterField,
  definition: unknown,
  path: string,
): { filter: Filter } | { fault: FilterFault } {
  if (!isObject(definition)) return fieldFault(path, "must be an object with 'conditions'");
  const conditions = definition.conditions ?? definition;
  if (!isObject(conditions)) return fieldFault(`${path}.conditions`, "must be an object");
  const tests: ((value: unknown, at: FilterClock) => boolean)[] = [];
  for (const [operator, operands] of Object.entries(conditions)) {
    const at = `${path}.conditions.${quoted(operator)}`;
    const list = Array.isArray(operands) ? operands : [operands];
    const test = compileFilterOperator(operator, list, field);
    if (test === null) {
      return fault(at, `Property .parameters.filters should match either ${FILTER_OPERATORS.join(", ")}`);
    }
    const problems = list.map((operand) => filterOperandProblem(operator, operand, field));
    const wrong = problems.findIndex((problem) => problem !== null);
    if (wrong >= 0) return fieldFault(`${at}[${wrong}]`, problems[wrong] ?? "");
    tests.push(test);
  }
  const work = 2 * tests.length + workOfPath(path);
  return {
    filter: (subject, at) => {
      at.work?.spend(work);
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
