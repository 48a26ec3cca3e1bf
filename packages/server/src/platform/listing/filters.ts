import { joined, type Sql, sql } from "../db/sql.js";
import { type Problem, problems } from "../http/problems.js";
import type { Field, Today } from "./field.js";

/** What the records of a list may be filtered by (rules.md §15). */
export interface Filterable {
  fields: Readonly<Record<string, Field>>;
  /** Makes the field of `<prefix>.<key>`, such as `metadata.colour`. */
  prefixes?: Readonly<Record<string, (key: string) => Field>>;
  /** Named by the contract and not to be had yet: refused, since ignoring one would answer other records than were asked for. */
  not_yet?: readonly string[];
  /** How a field that neither we nor the contract know is refused; where it is not said, it is ignored. */
  unknown?: (details: string) => Problem;
}

/** More than a page of a dashboard asks for, and few enough to plan. */
const fields_max = 50;
const operators_max = 100;
/** A url has 16 KiB at most, so more cannot come; said here for whoever has filters from elsewhere. */
const operands_max = 5000;
const name_length_max = 255;
const operand_length_max = 1024;

/**
 * `{ junction, <field>: { conditions: { <operator>: operand | operands } } }` as one condition: AND inside a field, the
 * junction between fields. Null where nothing is asked.
 */
export function filterCondition(filters: unknown, filterable: Filterable, today: Today): Sql | null {
  const { junction, ...asked } = objectAt(filters, ".filters");
  const names = Object.keys(asked);
  if (names.length > fields_max)
    throw problems.invalidQuery(`Property .filters must not have more than ${fields_max} fields`);
  const bounds = { operators: 0, operands: 0 };
  const by_field = names.flatMap((name) => {
    const field = fieldNamed(name, filterable);
    return field ? fieldCondition(field, asked[name], `.filters.${name}`, today, bounds) : [];
  });
  const between = junctionOf(junction);
  return by_field.length === 0 ? null : sql`(${joined(by_field, between)})`;
}

function fieldNamed(name: string, { fields, prefixes = {}, not_yet = [], unknown }: Filterable): Field | undefined {
  if (name.length > name_length_max) {
    throw problems.invalidQuery(`A field of .filters must not be longer than ${name_length_max} characters`);
  }
  if (Object.hasOwn(fields, name)) return fields[name];
  const dot = name.indexOf(".");
  const [prefix, key] = [name.slice(0, dot), name.slice(dot + 1)];
  if (dot > 0 && key !== "" && Object.hasOwn(prefixes, prefix)) return prefixes[prefix]?.(key);
  const refuse =
    not_yet.includes(name) || (dot > 0 && not_yet.includes(`${prefix}.*`)) ? problems.invalidQuery : unknown;
  if (refuse) throw refuse(`Property .filters.${name} is not supported`);
  return undefined;
}

/** Other spellings (rules.md §4), and one operator that the contract writes without its dollar. */
const aliases: Readonly<Record<string, string>> = {
  before_start: "$before_start",
  $greater_than: "$more_than",
  $greater_than_or_equal: "$more_than_equal",
  $more_than_or_equal: "$more_than_equal",
  $less_than_or_equal: "$less_than_equal",
};

type Bounds = { operators: number; operands: number };

function fieldCondition(field: Field, asked: unknown, at: string, today: Today, bounds: Bounds): Sql[] {
  const entry = objectAt(asked, at);
  // The contract writes some fields without `conditions`.
  const conditions = "conditions" in entry ? objectAt(entry.conditions, `${at}.conditions`) : entry;
  const tests = Object.entries(conditions).map(([written, value]) => {
    const test = field.get(aliases[written] ?? written);
    if (!test) {
      throw problems.invalidPayload(`Property .parameters.filters should match either ${[...field.keys()].join(", ")}`);
    }
    const path = `${at}.conditions.${written}`;
    const operands = operandsOf(value, path);
    bounds.operators += 1;
    bounds.operands += operands.length;
    if (bounds.operators > operators_max || bounds.operands > operands_max) {
      throw problems.invalidQuery(
        `Property .filters must not have more than ${operators_max} operators and ${operands_max} operands`,
      );
    }
    return test({ operands, path, today });
  });
  return tests.length === 0 ? [] : [sql`(${joined(tests, "and")})`];
}

/** Texts, however they were written: one, `[]`, or by number. */
function operandsOf(value: unknown, path: string): string[] {
  const operands = typeof value === "object" && value !== null ? Object.values(value) : [value];
  return operands.map((operand) => {
    // In a query everything is text; a body has numbers and truths too.
    if (typeof operand === "number" || typeof operand === "boolean") return String(operand);
    if (typeof operand !== "string") throw problems.invalidQuery(`Property ${path} must be string or array of strings`);
    if (operand.length > operand_length_max) {
      throw problems.invalidQuery(`Property ${path} must not be longer than ${operand_length_max} characters`);
    }
    return operand;
  });
}

/** What stands between fields, in any letter case; `and` unless said otherwise (rules.md §15). */
export function junctionOf(junction: unknown = "and"): "and" | "or" {
  const word = typeof junction === "string" ? junction.toLowerCase() : "";
  if (word === "and" || word === "or") return word;
  throw problems.invalidPayload("Property .filter has wrong `junction` property. It must be one of: and, or");
}

function objectAt(value: unknown, path: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw problems.invalidQuery(`Property ${path} must be object`);
}
