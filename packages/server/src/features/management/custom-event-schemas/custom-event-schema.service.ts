import { isoOf } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import type { Queries, Tx } from "../../../platform/db/database.js";
import { listBody } from "../../../platform/http/lists.js";
import { problems } from "../../../platform/http/problems.js";
import { newId } from "../../../platform/ids.js";
import { change, type Requested } from "../../../recording/index.js";
import { knownProject, underProjectKey } from "../../projects/index.js";
import type { CustomEventSchema, PropertyDefinition } from "./custom-event-schema.js";
import {
  type CustomEventSchemaBody,
  type CustomEventSchemaCreate,
  type CustomEventSchemaUpdate,
  properties_max,
} from "./custom-event-schema.schemas.js";
import {
  countCustomEventSchemas,
  deleteCustomEventSchema,
  findCustomEventSchema,
  insertCustomEventSchema,
  listCustomEventSchemas,
  mergeProperties,
} from "./custom-event-schema.store.js";

/** Schemas of a project, and the bytes of all their definitions: they are answered in one list. */
const schemas_max = 1_000;
const schemas_bytes_max = 4_194_304;

export async function createCustomEventSchema(
  context: Context,
  cause: Requested,
  { name, schema }: CustomEventSchemaCreate,
): Promise<CustomEventSchemaBody> {
  const { project_id, instant } = cause;
  const made: CustomEventSchema = {
    id: newId("ms"),
    name,
    properties: definitionsOf(schema),
    created_at: instant,
    updated_at: null,
  };
  return change(context, cause, (change) =>
    underProjectKey(change, async () => {
      if ((await insertCustomEventSchema(change.tx, project_id, made)) === 0)
        throw problems.duplicate("custom_event_schema", name, "name");
      await assertRoom(change.tx, project_id);
      return toBody(made);
    }),
  );
}

/** Asked once it is written, under the project's key: what is too much is not kept. */
async function assertRoom(tx: Tx, project_id: string): Promise<void> {
  const { schemas, bytes } = await countCustomEventSchemas(tx, project_id);
  if (schemas > schemas_max)
    throw problems.invalidPayload(
      `There must NOT be more than ${schemas_max} custom event schemas in a project: delete one that is not used`,
    );
  if (bytes > schemas_bytes_max)
    throw problems.invalidPayload(
      `Property .schema.properties of all schemas together must not be larger than ${schemas_bytes_max} bytes`,
    );
}

export async function readCustomEventSchemas({ db }: Context, project_id: string) {
  await knownProject(db, project_id);
  const schemas = await listCustomEventSchemas(db, project_id);
  return listBody("data", schemas.map(toBody), schemas.length);
}

export async function readCustomEventSchema(
  { db }: Context,
  project_id: string,
  id: string,
): Promise<CustomEventSchemaBody> {
  await knownProject(db, project_id);
  return toBody(await knownCustomEventSchema(db, project_id, id));
}

/** Adds the listed properties or overwrites them, their types too; others stay (platform.md §9.5). */
export async function changeCustomEventSchema(
  context: Context,
  cause: Requested,
  id: string,
  { schema }: CustomEventSchemaUpdate,
): Promise<CustomEventSchemaBody> {
  const { project_id, instant } = cause;
  return change(context, cause, (change) =>
    underProjectKey(change, async () => {
      const { tx } = change;
      if (!schema) return toBody(await knownCustomEventSchema(tx, project_id, id));
      const changed = await mergeProperties(tx, project_id, id, definitionsOf(schema), instant);
      if (!changed) throw problems.notFound("custom_event_schema", id);
      if (Object.keys(changed.properties).length > properties_max)
        throw problems.invalidPayload(
          `Property .schema.properties must NOT have more than ${properties_max} properties`,
        );
      await assertRoom(tx, project_id);
      return toBody(changed);
    }),
  );
}

export async function removeCustomEventSchema({ db }: Context, project_id: string, id: string): Promise<void> {
  await knownProject(db, project_id);
  if ((await deleteCustomEventSchema(db, project_id, id)) === 0) throw problems.notFound("custom_event_schema", id);
}

/** The schema with this id; an unknown one is the caller's mistake. */
export async function knownCustomEventSchema(db: Queries, project_id: string, id: string): Promise<CustomEventSchema> {
  const schema = await findCustomEventSchema(db, project_id, id);
  if (!schema) throw problems.notFound("custom_event_schema", id);
  return schema;
}

/** The known fields of each definition; fields that nobody knows are not kept. */
function definitionsOf({ properties }: CustomEventSchemaCreate["schema"]): Record<string, PropertyDefinition> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type, optional, deleted }]) => [
      name,
      { type, optional, ...(deleted === undefined ? {} : { deleted }) },
    ]),
  );
}

function toBody({ id, name, properties, created_at, updated_at }: CustomEventSchema): CustomEventSchemaBody {
  return {
    id,
    name,
    schema: { properties },
    created_at: isoOf(created_at),
    ...(updated_at === null ? {} : { updated_at: isoOf(updated_at) }),
    object: "custom-event-schema",
  };
}
