import type { TSchema } from "typebox";

/** What bounds one value, and says nothing of its type nor of how much comes: depth, lists and documents stay bounded. */
const bounds_of_values = new Set([
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ...["minLength", "maxLength", "pattern", "format", "enum", "required"],
]);

/** Of a text whose own bound is looked at later: the door is still a wall. */
const text_length_max = 65_536;

/**
 * The shape as a door lets it in whose rows are looked at one by one behind the answer: with the types of its values, and no bounds of
 * them. Whoever takes a row up holds it against the shape itself (`shapeCheck`), so that a row that is off it leaves the others.
 */
export function typesAlone<Schema extends TSchema>(shape: Schema): Schema {
  return loosened(shape) as Schema;
}

function loosened(node: unknown): unknown {
  if (typeof node !== "object" || node === null) return node;
  if (Array.isArray(node)) return node.map(loosened);
  const { $id: _, properties, enum: values, ...around } = node as Record<string, unknown>;
  const kept = Object.entries(around).filter(([keyword]) => !bounds_of_values.has(keyword));
  // Names of fields are no keywords: one may be called `format`.
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, loosened(field)]);
  return {
    ...Object.fromEntries(kept.map(([keyword, value]) => [keyword, loosened(value)])),
    ...(properties ? { properties: Object.fromEntries(fields) } : {}),
    ...([around.type].flat().includes("string") ? { maxLength: text_length_max } : {}),
    ...(values ? wordsOf(values as unknown[], around) : {}),
  };
}

/** Whoever reads the document still finds what the row is held against. */
function wordsOf(values: unknown[], { description }: Record<string, unknown>) {
  const words = `One of ${values.filter((value) => value !== null).join(", ")}.`;
  return { description: description ? `${description} ${words}` : words };
}
