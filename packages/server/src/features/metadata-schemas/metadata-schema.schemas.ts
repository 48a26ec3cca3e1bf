import Type, { type Static } from "typebox";
import { dateTime, listOf, named, nullable, oneOf, text } from "../../platform/http/schema.js";
import { metadata_types } from "../../terms/index.js";

const count = () => Type.Optional(Type.Integer());
const bound = () => Type.Optional(Type.Number());

/** A definition as the project's own keys see it: its options have their older names. */
const Definition = named(
  "MetadataDefinitionOfProject",
  Type.Object({
    type: oneOf(metadata_types),
    optional: Type.Boolean(),
    array: Type.Boolean(),
    deleted: Type.Optional(Type.Boolean()),
    objectType: Type.Optional(nullable(Type.String())),
    minLength: count(),
    maxLength: count(),
    exactLength: count(),
    eq: Type.Optional(Type.Array(Type.Unsafe<string | number>({}))),
    ne: Type.Optional(Type.Array(Type.Number())),
    lt: bound(),
    lte: bound(),
    gt: bound(),
    gte: bound(),
  }),
);
export type DefinitionOfProject = Static<typeof Definition>;

export const MetadataSchemaOfProject = named(
  "MetadataSchemaOfProject",
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
export type MetadataSchemaOfProject = Static<typeof MetadataSchemaOfProject>;

const { properties } = listOf("schemas", MetadataSchemaOfProject);
/** `data_ref` names `schemas`; the contract's shape requires `data` besides, so that clients made from it look there. */
export const MetadataSchemasOfProject = named(
  "MetadataSchemasOfProject",
  Type.Object({ ...properties, data: Type.Array(MetadataSchemaOfProject) }),
);

export const MetadataSchemaParams = Type.Object({ resource: text() });
