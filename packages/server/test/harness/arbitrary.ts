import fc from "fast-check";
import type { JsonSchema, Operation } from "./document.js";
import { exampleOf } from "./schema-values.js";

/** A request to one operation, as data: what fast-check makes, shrinks and prints. */
export interface RandomRequest {
  path: Record<string, string>;
  /** Percent-encoded, without the question mark. */
  query: string;
  body: unknown;
}

/** Stands in JSON for a number that JavaScript cannot say. */
const huge_number = "@huge@";
/** Stands in JSON for a value nested deeper than anybody needs, and one just as deep as is taken. */
const deep_value = "@deep@";
const deepest_value = "@deepest@";
/** Stand in JSON for much of one thing: they are printed when a request fails, and shrunk. */
const long_text = "@long@";
const long_list = "@list@";
const wide_object = "@wide@";
/** As a key, stands in JSON for the first key of its object once more. */
const key_again = "@again@";

const many = (count: number, one: (i: number) => string) => Array.from({ length: count }, (_, i) => one(i)).join(",");

/** The body as JSON text, with the stand-ins replaced. */
export function jsonText(body: unknown): string {
  const text = JSON.stringify(body) ?? "null";
  const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
  return text
    .replaceAll(`"${huge_number}"`, "1e999")
    .replaceAll(`"${deep_value}"`, deep(20_000))
    .replaceAll(`"${deepest_value}"`, deep(55))
    .replaceAll(`"${long_text}"`, () => `"${"łx".repeat(100_000)}"`)
    .replaceAll(`"${long_list}"`, () => `[${many(3_000, String)}]`)
    .replaceAll(`"${wide_object}"`, () => `{${many(2_000, (i) => `"key ${i}":${i}`)}}`)
    .replaceAll(`"${key_again}"`, JSON.stringify(isObject(body) ? (Object.keys(body)[0] ?? "") : ""));
}

/** A value as a query carries it; an object of no prototype has no text of its own. */
const queryText = (value: unknown) => (typeof value === "object" ? (JSON.stringify(value) ?? "") : String(value));

/** Texts that have broken services before. */
const nastyText = fc.constantFrom(
  "",
  " ",
  "a\u0000b",
  "\ud800",
  "\udc00x",
  "x".repeat(255),
  "x".repeat(256),
  "x".repeat(9_000),
  "🙂".repeat(255),
  "\u202e\u0301\ufeff",
  "İ",
  "ß",
  "null",
  "__proto__",
  "constructor",
  "' or 1=1 --",
  "$1",
  "%",
  "%00",
  "\\",
  "9007199254740993",
  "1e999",
  "NaN",
  "0000-01-01",
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999+14:00",
  "+275760-09-13T00:00:00.000Z",
  "2026-02-29",
  "2026-03-29T02:30:00",
  "P1Y",
  "P99999999999Y",
  "PT0S",
  "24:00",
  "99:99",
);
const nastyNumber = fc.constantFrom(
  0,
  -0,
  -1,
  1,
  0.1,
  1.005,
  100.01,
  2 ** 31,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
  1e15,
  1e21,
  1e308,
  5e-324,
);
/** A value that has nothing to do with any schema. */
const nastyValue: fc.Arbitrary<unknown> = fc.oneof(
  nastyText,
  nastyNumber,
  fc.constantFrom<unknown>(null, true, false, [], {}, [null], { id: null }, huge_number, deep_value, deepest_value),
  fc.constantFrom(long_text, long_list, wide_object),
  fc.jsonValue({ maxDepth: 3 }),
  fc.jsonValue({ maxDepth: 3, stringUnit: "binary" }),
);

/** Values that mostly satisfy a schema; names that are stored stand where texts do. */
export function valuesOf(schema: JsonSchema, names: readonly string[], depth = 0): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices?.length) return fc.oneof(...choices.map((one) => valuesOf(one, names, depth)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum?.length) return fc.constantFrom(...schema.enum);
  const types = [schema.type ?? (schema.properties ? "object" : [])].flat();
  if (types.length === 0) return fc.jsonValue({ maxDepth: 2 });
  return fc.oneof(...types.map((type) => valueOfType(type, schema, names, depth)));
}

function valueOfType(type: string, schema: JsonSchema, names: readonly string[], depth: number): fc.Arbitrary<unknown> {
  const { minimum = -(2 ** 53 - 1), maximum = 2 ** 53 - 1, minItems = 0, maxItems = 3 } = schema;
  if (type === "null") return fc.constant(null);
  if (type === "boolean") return fc.boolean();
  if (type === "integer") {
    return fc.oneof(
      fc.integer({ min: Math.max(minimum, -10), max: Math.min(maximum, 1_000) }),
      fc.maxSafeInteger(),
      fc.constantFrom(minimum, maximum),
    );
  }
  if (type === "number")
    return fc.oneof(fc.integer({ min: 0, max: 100 }), fc.double({ min: minimum, max: maximum, noNaN: true }));
  if (type === "array")
    return fc.array(valuesOf(schema.items ?? {}, names, depth + 1), {
      minLength: minItems,
      maxLength: Math.min(maxItems, minItems + 3),
    });
  if (type === "object") return objectOf(schema, names, depth);
  return textOf(schema, names);
}

function textOf({ format, pattern, maxLength = 255 }: JsonSchema, names: readonly string[]): fc.Arbitrary<string> {
  if (format === "date-time") {
    const any_date = fc.date({ min: new Date("1970-01-01"), max: new Date("2100-01-01"), noInvalidDate: true });
    return fc.oneof(
      any_date.map((date) => date.toISOString()),
      fc.constantFrom("2026-03-02", "2026-03-02T10:00:00+14:00", "0001-01-01"),
    );
  }
  if (format === "date") return fc.constantFrom("2026-03-02", "1970-01-01", "9999-12-31", "0001-01-01");
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  const plain = fc.string({ maxLength: Math.min(maxLength, 20), unit: "grapheme" });
  return names.length
    ? fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: plain })
    : plain;
}

function objectOf(schema: JsonSchema, names: readonly string[], depth: number): fc.Arbitrary<unknown> {
  const { properties = {}, required = [] } = schema;
  if (Object.keys(properties).length === 0)
    return fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
  // Deep down only what must be there, lest a value of a large schema has no end.
  const kept = Object.entries(properties).filter(([name]) => depth < 5 || required.includes(name));
  const values = Object.fromEntries(kept.map(([name, property]) => [name, valuesOf(property, names, depth + 1)]));
  return fc.record(values, { requiredKeys: required.filter((name) => name in values) });
}

/** The value with whatever stands at one place replaced, or left out. */
function mutated(value: unknown, places: readonly number[], nasty: unknown, left_out: boolean): unknown {
  const [place = 0, ...deeper] = places;
  if (typeof value !== "object" || value === null || deeper.length === 0) return nasty;
  const keys = Object.keys(value);
  const key = keys[place % Math.max(1, keys.length)];
  if (key === undefined) return nasty;
  if (Array.isArray(value))
    return value.map((item, i) => (String(i) === key ? mutated(item, deeper, nasty, left_out) : item));
  const copy: Record<string, unknown> = { ...(value as Record<string, unknown>) };
  if (left_out && deeper.length === 1) delete copy[key];
  else copy[key] = mutated(copy[key], deeper, nasty, left_out);
  return copy;
}

function bodyOf(
  schema: JsonSchema,
  names: readonly string[],
  { base, accepted }: Pick<Known, "base" | "accepted">,
): fc.Arbitrary<unknown> {
  const generated = valuesOf(schema, names).map((value) => (isObject(value) ? { ...base, ...value } : value));
  const acceptable = fc.oneof(
    generated,
    fc.constant({ ...base, ...(exampleOf(schema) as object) }),
    ...(accepted.length > 0 ? [fc.constantFrom(...accepted)] : []),
  );
  const said_twice = fc
    .tuple(acceptable, nastyValue)
    .map(([value, nasty]) => ({ ...Object(value), [key_again]: nasty }));
  const one_thing_wrong = fc
    .tuple(acceptable, fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 6 }), nastyValue, fc.boolean())
    .map(([value, places, nasty, left_out]) => mutated(value, places, nasty, left_out));
  return fc.oneof(
    { weight: 3, arbitrary: acceptable },
    { weight: 5, arbitrary: one_thing_wrong },
    { weight: 1, arbitrary: nastyValue },
    { weight: 1, arbitrary: said_twice },
  );
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Percent-encodes any text, halves of characters included, which encodeURIComponent throws at. */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed());

/** A value as `name[key][key]=…`, however deep it is; a list is its key repeated. */
function pairsOf(name: string, value: unknown): string[] {
  if (isObject(value))
    return Object.entries(value).flatMap(([key, inner]) => pairsOf(`${name}[${encoded(key)}]`, inner));
  return [value].flat().map((one) => `${name}=${encoded(queryText(one))}`);
}

function queryOf({ parameters }: Operation, names: readonly string[]): fc.Arbitrary<string> {
  const known = parameters.filter((one) => one.in === "query");
  const values = fc.oneof(nastyText, nastyNumber.map(String), fc.string({ maxLength: 10 }));
  const pairs = known.map(({ name, schema }) => {
    const flat = valuesOf(schema, names).map((value) => pairsOf(name, value).join("&"));
    const shapes = fc.constantFrom(
      name,
      `${name}[]`,
      `${name}[a]`,
      `${name}[before]`,
      `[${name}][after]`,
      `${name}[__proto__]`,
      `${name}[a][b][c]`,
    );
    const wrong = fc.tuple(shapes, values).map(([shape, value]) => `${shape}=${encoded(value)}`);
    return fc.oneof(fc.constant(""), flat, wrong);
  });
  const strange = fc.oneof(
    fc.constant(""),
    fc.constant(""),
    fc.constantFrom("=", "&&", "a[[]]=1", "[]=1", "%5B%5D", "filters[x][conditions][$is]=1", "a=%ff", "__proto__[a]=1"),
  );
  return fc.tuple(...pairs, strange).map((parts) => parts.filter((part) => part !== "").join("&"));
}

/** What is stored and may be asked for: everything, and what a place of the path should name. */
export interface StoredNames {
  all: readonly string[];
  inPath(parameter: string): readonly string[];
}

/** What is known of an operation's bodies beside their schema. */
export interface Known {
  names: StoredNames;
  /** Fields that make a body go further than its schema alone would. */
  base: Record<string, unknown>;
  /** Bodies that were taken. */
  accepted: readonly unknown[];
}

/** Requests to an operation: valid ones, valid ones with one thing wrong, and nonsense. */
export function requestsTo(operation: Operation, known: Known): fc.Arbitrary<RandomRequest> {
  const { names } = known;
  const in_path = operation.parameters
    .filter((one) => one.in === "path")
    .map(({ name }) => {
      const right = names.inPath(name);
      const any = fc.oneof(fc.constantFrom(...names.all), nastyText, fc.string());
      return [name, right.length ? fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...right) }, any) : any] as const;
    });
  return fc.record({
    path: fc.record(Object.fromEntries(in_path)),
    query: queryOf(operation, names.all),
    body: operation.body ? bodyOf(operation.body, names.all, known) : fc.constant(undefined),
  });
}
