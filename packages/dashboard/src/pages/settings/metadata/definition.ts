import { fieldPart, type Part } from "../../../parts/editing/clash.js";
import { t } from "../../../text/index.js";
import type { Definition } from "./metadata.queries.js";
import { isObject } from "./objects.js";

const words = t.metadata;
type Type = Definition["type"];

const every_type: readonly Type[] = [
  "string",
  "number",
  "boolean",
  "date",
  "datetime",
  "image_url",
  "geopoint",
  "object",
];
const with_places = ["customer", "product"];

/** What a property of an object may be of: places are of people and goods, and what is nested nests nothing. */
export const typesFor = (object: string): readonly Type[] =>
  every_type.filter((type) =>
    type === "geopoint" ? with_places.includes(object) : type === "object" ? isObject(object) : true,
  );

/** `List of texts`, `Number`. */
export function typeWords({ type, array, object_type }: Definition): string {
  const said = array ? words.lists[type] : words.types[type];
  return object_type ? `${said}: ${object_type}` : said;
}

/** What its values are held to beside their type. */
export function limitWords({ eq, ne, min_length, max_length, exact_length, gt, gte, lt, lte }: Definition): string {
  const { limits } = words;
  const said = (value: number | undefined, say: (value: string) => string) =>
    value === undefined ? [] : [say(String(value))];
  return [
    ...(eq ? [limits.one_of(eq.join(", "))] : []),
    ...(ne ? [limits.not(ne.join(", "))] : []),
    ...said(exact_length, limits.exact_length),
    ...said(min_length, limits.min_length),
    ...said(max_length, limits.max_length),
    ...said(gt, limits.gt),
    ...said(gte, limits.gte),
    ...said(lt, limits.lt),
    ...said(lte, limits.lte),
  ].join(" · ");
}

/** A definition as it is typed. */
export interface Draft {
  name: string;
  type: Type;
  array: boolean;
  required: boolean;
  /** A value a line. */
  values: string;
  /** Of a text the length, of a number itself. */
  min: string;
  max: string;
  nested: string;
  /** Others may remove it while it is edited. */
  deleted: boolean;
}

const typed = (value: number | undefined) => (value === undefined ? "" : String(value));

export function draftOf(name: string, before: Definition | undefined): Draft {
  const { type = "string", array = false, optional = true, eq = [], object_type } = before ?? {};
  const is_text = type === "string";
  return {
    name,
    type,
    array,
    required: !optional,
    values: eq.join("\n"),
    min: typed(is_text ? before?.min_length : before?.gte),
    max: typed(is_text ? before?.max_length : before?.lte),
    nested: object_type ?? "",
    deleted: before?.deleted ?? false,
  };
}

const yesOrNo = (is_so: boolean) => (is_so ? t.editing.yes : t.editing.no);

/** What others may change of it meanwhile. */
export const draftParts = (type: Type): readonly Part<Draft>[] => {
  const { least, most } = words.bounds[type === "number" ? "number" : "string"];
  return [
    fieldPart("type", words.type, (type) => words.types[type]),
    fieldPart("array", words.array, yesOrNo),
    fieldPart("required", words.required, yesOrNo),
    fieldPart("min", least),
    fieldPart("max", most),
    fieldPart("values", words.values),
    fieldPart("nested", words.nested),
    fieldPart("deleted", words.removed, yesOrNo),
  ];
};

const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

const isNumber = (text: string) => text.trim() !== "" && Number.isFinite(Number(text));
const isLimit = (type: Type, text: string) =>
  text.trim() === "" || (type === "string" ? /^\d+$/.test(text.trim()) : isNumber(text));

/** What of it cannot be taken, by its field. */
export function faultsOf({ name, type, values, min, max }: Draft, taken: readonly string[]) {
  const has_limits = type === "string" || type === "number";
  const limit_bad = type === "string" ? words.length_bad : words.number_bad;
  return {
    name: name.trim() === "" ? words.name_missing : taken.includes(name.trim()) ? words.name_taken : undefined,
    values: type === "number" && !linesOf(values).every(isNumber) ? words.numbers_bad : undefined,
    min: has_limits && !isLimit(type, min) ? limit_bad : undefined,
    max: has_limits && !isLimit(type, max) ? limit_bad : undefined,
  };
}

/** The definition as it is laid down; what the form does not show of the one before stays. */
export function definitionOf({ type, array, required, values, min, max, nested, deleted }: Draft, before?: Definition) {
  const { eq: _eq, min_length: _min, max_length: _max, gte: _gte, lte: _lte, ...rest } = before ?? {};
  const lines = linesOf(values);
  const limit = (text: string) => (text.trim() === "" ? undefined : Number(text));
  const [least, most] = [limit(min), limit(max)];
  const of_text = {
    ...(least !== undefined && { min_length: least }),
    ...(most !== undefined && { max_length: most }),
  };
  const of_number = { ...(least !== undefined && { gte: least }), ...(most !== undefined && { lte: most }) };
  const has_values = lines.length > 0 && (type === "string" || type === "number");
  return {
    ...rest,
    type,
    array,
    optional: !required,
    deleted,
    ...(has_values && { eq: type === "number" ? lines.map(Number) : lines }),
    ...(type === "string" && of_text),
    ...(type === "number" && of_number),
    object_type: type === "object" && nested !== "" ? nested : null,
  } satisfies Definition;
}
