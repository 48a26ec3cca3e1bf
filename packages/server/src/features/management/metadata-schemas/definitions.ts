import { problems } from "../../../platform/http/problems.js";
import { isMetadataObject, type MetadataDefinition, type MetadataSchema, optionsOf } from "../../../terms/index.js";

/** What the reference shows of an object that was never linked to a nested schema. */
const unlinked = "unknown";
const with_geopoints = ["customer", "product"];
const every_option = ["min_length", "max_length", "exact_length", "eq", "ne", "lt", "lte", "gt", "gte"] as const;

/**
 * The definitions as they are kept: fields that nobody knows are dropped; an option that says nothing of its type, and a
 * value of the wrong type in one, is refused by its name (platform.md §9.1).
 */
export function definitionsOf(
  related_object: string,
  sent: Readonly<Record<string, MetadataDefinition>>,
): MetadataSchema["properties"] {
  return Object.fromEntries(
    Object.entries(sent).map(([name, definition]) => {
      const path = `.properties.${name}`;
      if (name.length > 255) refuse(".properties", "must NOT have names of more than 255 characters");
      assertPlace(path, related_object, definition);
      assertOptions(path, definition);
      return [name, kept(definition)];
    }),
  );
}

function assertPlace(path: string, related_object: string, { type, object_type }: MetadataDefinition): void {
  if (type === "geopoint" && !with_geopoints.includes(related_object))
    refuse(`${path}.type`, `geopoint is not supported for ${related_object}`);
  if (type !== "object") return;
  if (!isMetadataObject(related_object)) refuse(`${path}.type`, "object is not supported in a nested schema");
  if (object_type && isMetadataObject(object_type))
    refuse(`${path}.object_type`, "must be the name of a nested schema");
}

function assertOptions(path: string, definition: MetadataDefinition): void {
  const { type, eq, ne, object_type } = definition;
  const known = optionsOf(type);
  for (const option of every_option) {
    if (definition[option] !== undefined && !known.includes(option))
      refuse(`${path}.${option}`, `is not supported for type ${type}`);
  }
  if (object_type && type !== "object" && object_type !== unlinked)
    refuse(`${path}.object_type`, `is not supported for type ${type}`);
  assertValues(`${path}.eq`, type === "number" ? "number" : "string", eq);
  assertValues(`${path}.ne`, "number", ne);
}

const isOf = {
  string: (value: unknown) => typeof value === "string",
  number: (value: unknown) => typeof value === "number",
};

function assertValues(path: string, type: keyof typeof isOf, values: readonly unknown[] = []) {
  values.forEach((value, i) => {
    if (!isOf[type](value)) refuse(`${path}.${i}`, `must be ${type}`);
  });
}

function kept({ type, optional, array, deleted, object_type, ...options }: MetadataDefinition): MetadataDefinition {
  const said = every_option.flatMap((option) => (options[option] === undefined ? [] : [[option, options[option]]]));
  const linked = type === "object" && object_type && object_type !== unlinked ? object_type : null;
  return { type, optional, array, deleted: deleted ?? false, object_type: linked, ...Object.fromEntries(said) };
}

function refuse(path: string, what: string): never {
  throw problems.invalidPayload(`Property ${path} ${what}`);
}
