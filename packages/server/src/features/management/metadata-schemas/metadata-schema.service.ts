import { isNoLarger } from "../../../platform/bounds.js";
import { isoOf } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import type { Queries } from "../../../platform/db/database.js";
import { listBody } from "../../../platform/http/lists.js";
import { problems } from "../../../platform/http/problems.js";
import { newId } from "../../../platform/ids.js";
import { type Change, change, type Requested } from "../../../recording/index.js";
import { type MetadataSchema, MetadataSchemas } from "../../../terms/index.js";
import {
  deleteMetadataSchema,
  insertMetadataSchema,
  knownProject,
  listMetadataSchemas,
  underProjectKey,
  updateMetadataSchema,
} from "../../projects/index.js";
import { lookAgain, pathsOf } from "../../segments/index.js";
import { definitionsOf } from "./definitions.js";
import {
  definitions_max,
  type MetadataSchemaBody,
  type MetadataSchemaCreate,
  type MetadataSchemaUpdate,
} from "./metadata-schema.schemas.js";

/** Schemas of a project, and the bytes of all their definitions: every process keeps them at hand, compiled. */
const schemas_max = 100;
const schemas_bytes_max = 1_048_576;

const shown_type = "metadata schema";

/** `POST …/metadata-schemas`: one an object (platform.md §9.2). */
export async function createMetadataSchema(
  context: Context,
  cause: Requested,
  { related_object, properties, allow_defined_only }: MetadataSchemaCreate,
): Promise<MetadataSchemaBody> {
  const made: MetadataSchema = {
    id: newId("ms"),
    related_object,
    properties: definitionsOf(related_object, properties),
    allow_defined_only: allow_defined_only ?? false,
    created_at: cause.instant,
    updated_at: null,
  };
  return edit(context, cause, async ({ tx }, stored) => {
    if (stored.some((schema) => schema.related_object === related_object))
      throw problems.duplicate(shown_type, related_object, "related_object");
    assertRoom([...stored, made]);
    await insertMetadataSchema(tx, cause.project_id, made);
    return toBody(made);
  });
}

/** `PUT …/metadata-schemas/:metadataSchemaId`: what is listed is laid down whole, other definitions stay. */
export async function changeMetadataSchema(
  context: Context,
  cause: Requested,
  id: string,
  { properties, allow_defined_only }: MetadataSchemaUpdate,
): Promise<MetadataSchemaBody> {
  return edit(context, cause, async ({ tx }, stored) => {
    const schema = knownSchema(stored, id);
    const sent = definitionsOf(schema.related_object, properties);
    for (const [name, { type }] of Object.entries(sent)) {
      const before = Object.hasOwn(schema.properties, name) ? schema.properties[name]?.type : undefined;
      if (before && before !== type)
        throw problems.invalidPayload(`Property .properties.${name}.type cannot be changed from ${before}`);
    }
    const changed: MetadataSchema = {
      ...schema,
      properties: { ...schema.properties, ...sent },
      allow_defined_only: allow_defined_only ?? schema.allow_defined_only,
      updated_at: cause.instant,
    };
    assertRoom(stored.map((other) => (other.id === id ? changed : other)));
    await updateMetadataSchema(tx, cause.project_id, changed);
    return toBody(changed);
  });
}

/** `DELETE …/metadata-schemas/:metadataSchemaId`: metadata that is stored stays as it is. */
export async function removeMetadataSchema(context: Context, cause: Requested, id: string): Promise<void> {
  await edit(context, cause, async ({ tx }, stored) => {
    knownSchema(stored, id);
    await deleteMetadataSchema(tx, cause.project_id, id);
  });
}

export async function readMetadataSchemas({ db }: Context, project_id: string) {
  const schemas = await storedSchemas(db, project_id);
  return listBody("data", schemas.map(toBody), schemas.length);
}

export async function readMetadataSchema({ db }: Context, project_id: string, id: string): Promise<MetadataSchemaBody> {
  return toBody(knownSchema(await storedSchemas(db, project_id), id));
}

/** One edit of a project's schemas after the other, each on what the one before left; the next request is held to it. */
const edit = <Answer>(
  context: Context,
  cause: Requested,
  work: (change: Change, stored: readonly MetadataSchema[]) => Promise<Answer>,
) =>
  change(context, cause, async (change) => {
    const { project_id } = cause;
    const stored = await underProjectKey(change, () => listMetadataSchemas(change.tx, project_id));
    change.edited({ kind: "project", id: project_id });
    const answer = await work(change, stored);
    await lookAgainAtTypes(change, stored, await listMetadataSchemas(change.tx, project_id));
    return answer;
  });

/** Who is in a segment hangs on what a filter takes metadata for (rules.md §14.1): those that it takes for something else are looked at again. */
function lookAgainAtTypes(change: Change, before: readonly MetadataSchema[], after: readonly MetadataSchema[]) {
  const [was, is] = [new MetadataSchemas(before), new MetadataSchemas(after)];
  if (was.types_text === is.types_text) return;
  const metadata = "metadata.";
  return lookAgain(change, ({ filter }) =>
    pathsOf(filter).some((path) => {
      const key = path.startsWith(metadata) ? path.slice(metadata.length) : "";
      return was.typeOf("customer", key) !== is.typeOf("customer", key);
    }),
  );
}

async function storedSchemas(db: Queries, project_id: string): Promise<MetadataSchema[]> {
  await knownProject(db, project_id);
  return listMetadataSchemas(db, project_id);
}

function knownSchema(stored: readonly MetadataSchema[], id: string): MetadataSchema {
  const schema = stored.find((one) => one.id === id);
  if (!schema) throw problems.notFound(shown_type, id);
  return schema;
}

function assertRoom(schemas: readonly MetadataSchema[]): void {
  if (schemas.length > schemas_max)
    throw problems.invalidPayload(`There must NOT be more than ${schemas_max} metadata schemas in a project`);
  if (schemas.some(({ properties }) => Object.keys(properties).length > definitions_max))
    throw problems.invalidPayload(`Property .properties must NOT have more than ${definitions_max} properties`);
  const properties = schemas.map((schema) => schema.properties);
  if (!isNoLarger(properties, schemas_bytes_max))
    throw problems.invalidPayload(
      `Property .properties of all schemas together must not be larger than ${schemas_bytes_max} bytes`,
    );
}

const toBody = ({ created_at, updated_at, ...schema }: MetadataSchema): MetadataSchemaBody => ({
  ...schema,
  created_at: isoOf(created_at),
  updated_at: isoOf(updated_at),
  object: "metadata_schema",
});
