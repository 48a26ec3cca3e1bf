import Type, { type Static } from "typebox";
import { bounded_by, dateTime, listOf, named, oneOf, text } from "../../../platform/http/schema.js";
import { property_types } from "./custom-event-schema.js";

/** Definitions that one schema may hold, deleted ones included (platform.md §13). */
export const properties_max = 1000;

const Definition = Type.Object({
  type: oneOf(property_types),
  optional: Type.Boolean(),
  deleted: Type.Optional(Type.Boolean({ description: "Kept, and checked no more." })),
});
const Properties = Type.Record(Type.String(), Definition, {
  maxProperties: properties_max,
  [bounded_by]: "GUERDON_RULE_BYTES",
});
const Schema = named("CustomEventProperties", Type.Object({ properties: Properties }));

/** Body of `POST …/custom-event-schemas`. */
export const CustomEventSchemaCreate = named(
  "CustomEventSchemaCreate",
  Type.Object({
    name: text({ minLength: 1, maxLength: 300, description: "What `POST /v1/events` names the event by." }),
    schema: Schema,
  }),
);
export type CustomEventSchemaCreate = Static<typeof CustomEventSchemaCreate>;

/** Body of `PUT …/custom-event-schemas/:customEventSchemaId`; the name stays. */
export const CustomEventSchemaUpdate = named("CustomEventSchemaUpdate", Type.Object({ schema: Type.Optional(Schema) }));
export type CustomEventSchemaUpdate = Static<typeof CustomEventSchemaUpdate>;

export const CustomEventSchemaBody = named(
  "CustomEventSchema",
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    schema: Schema,
    created_at: dateTime(),
    updated_at: Type.Optional(dateTime()),
    object: Type.Literal("custom-event-schema"),
  }),
);
export type CustomEventSchemaBody = Static<typeof CustomEventSchemaBody>;

export const CustomEventSchemaList = named("CustomEventSchemaList", listOf("data", CustomEventSchemaBody));

export const CustomEventSchemaParams = Type.Object({ projectId: text(), customEventSchemaId: text() });
