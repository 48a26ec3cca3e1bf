import { instantFrom, isDay } from "../../platform/http/dates.js";
import type { MetadataDefinition, MetadataType } from "./definition.js";

/** A definition as values are held against it. */
export interface CompiledDefinition {
  readonly type: MetadataType;
  readonly is_required: boolean;
  /** The nested schema that its objects follow; null: none. */
  readonly object_type: string | null;
  readonly is_array: boolean;
  /** Whether a value that is not null is of the type and within the options; a nested schema is asked by itself. */
  fits(value: unknown): boolean;
  /** Every requirement, met or not, as the reference tells them (rules.md §16). */
  readonly requirements: string;
}

/** Of the values of a closed list, in the text of a refusal. */
const listed_length_max = 1_000;

const numeral = String.raw`[+-]?\d{1,3}(?:\.\d{1,15})?`;
const place = new RegExp(`^(?:geo:)?(${numeral}), ?(${numeral})$`);

function isGeopoint(value: unknown): boolean {
  const [, latitude, longitude] = (typeof value === "string" && place.exec(value)) || [];
  return latitude !== undefined && Math.abs(Number(latitude)) <= 90 && Math.abs(Number(longitude)) <= 180;
}

const isImageUrl = (value: unknown) =>
  typeof value === "string" && URL.canParse(value) && /^https?:.*\.(jpe?g|png)$/is.test(value);

const types: Record<MetadataType, { accepts: (value: unknown) => boolean; words: string }> = {
  string: { accepts: (value) => typeof value === "string", words: "must be a string" },
  number: { accepts: (value) => typeof value === "number", words: "must be a number" },
  boolean: { accepts: (value) => typeof value === "boolean", words: "must be a boolean" },
  date: { accepts: (value) => typeof value === "string" && isDay(value), words: "must be a date" },
  datetime: {
    accepts: (value) => typeof value === "string" && instantFrom(value) !== null,
    words: "must be a datetime",
  },
  geopoint: { accepts: isGeopoint, words: "must be a geopoint" },
  image_url: { accepts: isImageUrl, words: "must be a URL pointing to JPG/JPEG or PNG resource" },
  object: {
    accepts: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    words: "must be an object",
  },
};

type Requirement = readonly [words: string, isMet: (value: never) => boolean];

export function compileDefinition(definition: MetadataDefinition): CompiledDefinition {
  const { type, array, optional, object_type } = definition;
  const { accepts, words } = types[type];
  const options = optionsOf(definition);
  const fitsOne = (value: unknown) => accepts(value) && options.every(([, isMet]) => isMet(value as never));
  const required = optional ? [] : ["property is required"];
  const said = [words, ...options.map(([option]) => option)];
  const [first = "", ...rest] = said;
  const requirements = array
    ? ["must be an array", ...required, `and every element: ${said.join(", ")}`]
    : [first, ...required, ...rest];
  return {
    type,
    is_required: !optional,
    object_type: object_type ?? null,
    is_array: array,
    fits: array ? (value) => Array.isArray(value) && value.every(fitsOne) : fitsOne,
    requirements: requirements.join(", "),
  };
}

/** In the order in which they are told. */
function optionsOf(definition: MetadataDefinition): Requirement[] {
  const { eq, ne, lt, lte, gt, gte, min_length, max_length, exact_length } = definition;
  const [allowed, forbidden] = [new Set<unknown>(eq), new Set<unknown>(ne)];
  const options: (Requirement | undefined)[] = [
    eq && [`must be equal to one of ${listed(eq)}`, (value) => allowed.has(value)],
    ne && [`must not be equal to any of ${listed(ne)}`, (value) => !forbidden.has(value)],
    whenSaid(lt, (most) => [`must be less than ${most}`, (value: number) => value < most]),
    whenSaid(lte, (most) => [`must be less than or equal to ${most}`, (value: number) => value <= most]),
    whenSaid(gt, (least) => [`must be greater than ${least}`, (value: number) => value > least]),
    whenSaid(gte, (least) => [`must be greater than or equal to ${least}`, (value: number) => value >= least]),
    whenSaid(min_length, (least) => [
      `must have at least ${least} characters`,
      (value: string) => lengthOf(value) >= least,
    ]),
    whenSaid(max_length, (most) => [
      `must have at most ${most} characters`,
      (value: string) => lengthOf(value) <= most,
    ]),
    whenSaid(exact_length, (length) => [
      `must have exactly ${length} characters`,
      (value: string) => lengthOf(value) === length,
    ]),
  ];
  return options.filter((option) => option !== undefined);
}

const whenSaid = (bound: number | undefined, requirement: (bound: number) => Requirement) =>
  bound === undefined ? undefined : requirement(bound);

const lengthOf = (text: string) => [...text].length;

function listed(values: readonly (string | number)[]): string {
  const text = values.join(",");
  return text.length > listed_length_max ? `${text.slice(0, listed_length_max)}…` : text;
}
