import Type, { type Static } from "typebox";
import { dateTime, integer, listOf, named, nullable, oneOf, text } from "../../../platform/http/schema.js";
import { metadata_types } from "../../../terms/index.js";

/** Definitions that one schema may hold, removed ones included (platform.md §13). */
export const definitions_max = 1000;

const length = () => Type.Optional(integer({ minimum: 0 }));
const bound = () => Type.Optional(Type.Number());

const Definition = named(
  "MetadataDefinition",
  Type.Object({
    type: oneOf(metadata_types),
    optional: Type.Boolean({ description: "Whether what is made may go without it." }),
    array: Type.Boolean({ description: "A list, of which the rest is said of each element." }),
    deleted: Type.Optional(Type.Boolean({ description: "Kept, and checked no more." })),
    object_type: Type.Optional(nullable(text({ description: "The nested schema of an object; null: any object." }))),
    min_length: length(),
    max_length: length(),
    exact_length: length(),
    eq: Type.Optional(
      // Texts or numbers: which of them, the type says; `assertDefinitions` looks.
      Type.Unsafe<(string | number)[]>({
        type: "array",
        minItems: 1,
        description: "The values that there may be: texts, or numbers.",
      }),
    ),
    ne: Type.Optional(
      Type.Unsafe<number[]>({ type: "array", minItems: 1, description: "Numbers that it must not be." }),
    ),
    lt: bound(),
    lte: bound(),
    gt: bound(),
    gte: bound(),
  }),
);

const Definitions = Type.Record(Type.String(), Definition, { maxProperties: definitions_max });

/** Body of `POST …/metadata-schemas`. */
export const MetadataSchemaCreate = named(
  "MetadataSchemaCreate",
  Type.Object({
    related_object: text({
      minLength: 1,
      description: "What it is the metadata of; any other name is that of a nested schema.",
    }),
    properties: Definitions,
    allow_defined_only: Type.Optional(nullable(Type.Boolean({ description: "Refuses keys without a definition." }))),
  }),
);
export type MetadataSchemaCreate = Static<typeof MetadataSchemaCreate>;

/** Body of `PUT …/metadata-schemas/:metadataSchemaId`; the object stays. */
export const MetadataSchemaUpdate = named(
  "MetadataSchemaUpdate",
  Type.Object({
    properties: Definitions,
    allow_defined_only: Type.Optional(nullable(Type.Boolean())),
  }),
);
export type MetadataSchemaUpdate = Static<typeof MetadataSchemaUpdate>;

export const MetadataSchemaBody = named(
  "MetadataSchema",
  Type.Object({
    id: Type.String(),
    related_object: Type.String(),
    properties: Type.Record(Type.String(), Definition),
    allow_defined_only: Type.Boolean(),
    created_at: dateTime(),
    updated_at: nullable(dateTime()),
    object: Type.Literal("metadata_schema"),
  }),
);
export type MetadataSchemaBody = Static<typeof MetadataSchemaBody>;

export const MetadataSchemaList = named("MetadataSchemaList", listOf("data", MetadataSchemaBody));

export const MetadataSchemaParams = Type.Object({ projectId: text(), metadataSchemaId: text() });
