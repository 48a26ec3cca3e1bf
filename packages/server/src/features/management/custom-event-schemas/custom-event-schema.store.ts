import { type Instant, isoOf } from "../../../platform/clock.js";
import type { Queries, Tx } from "../../../platform/db/database.js";
import { jsonOf, sql } from "../../../platform/db/sql.js";
import { insertInto, jsonb, table, text, timestamptz } from "../../../platform/db/table.js";
import type { CustomEventSchema } from "./custom-event-schema.js";

const custom_event_schemas = table<CustomEventSchema>("custom_event_schemas", {
  id: text,
  name: text,
  properties: jsonb,
  created_at: timestamptz,
  updated_at: timestamptz,
});
const { fields } = custom_event_schemas;

export const findCustomEventSchema = (db: Queries, project_id: string, id: string) =>
  db.maybe<CustomEventSchema>(sql`
    select ${fields} from custom_event_schemas
     where custom_event_schemas.project_id = ${project_id} and custom_event_schemas.id = ${id}`);

export const findCustomEventSchemas = (db: Queries, project_id: string, ids: readonly string[]) =>
  db.many<CustomEventSchema>(sql`
    select ${fields} from custom_event_schemas
     where custom_event_schemas.project_id = ${project_id} and custom_event_schemas.id = any(${ids}::text[])`);

/** The schema of the event that callers know by this name. */
export const findCustomEventSchemaByName = (db: Queries, project_id: string, name: string) =>
  db.maybe<CustomEventSchema>(sql`
    select ${fields} from custom_event_schemas
     where custom_event_schemas.project_id = ${project_id} and custom_event_schemas.name = ${name}`);

export const listCustomEventSchemas = (db: Queries, project_id: string) =>
  db.many<CustomEventSchema>(sql`
    select ${fields} from custom_event_schemas
     where custom_event_schemas.project_id = ${project_id}
     order by custom_event_schemas.created_at, custom_event_schemas.id`);

/** How many a project has, and the bytes of all their definitions. */
export const countCustomEventSchemas = (db: Queries, project_id: string) =>
  db.one<{ schemas: number; bytes: number }>(sql`
    select count(*)::int as schemas, coalesce(sum(octet_length(custom_event_schemas.properties::text)), 0)::int as bytes
      from custom_event_schemas
     where custom_event_schemas.project_id = ${project_id}`);

/** Answers how many rows were written: none where the name is taken. */
export const insertCustomEventSchema = (tx: Tx, project_id: string, schema: CustomEventSchema) =>
  tx.run(sql`
    ${insertInto(custom_event_schemas, project_id, [schema])} on conflict (project_id, name) do nothing`);

/** Lays definitions over the stored ones in one statement, so that two updates at once both count. */
export const mergeProperties = (
  tx: Tx,
  project_id: string,
  id: string,
  properties: CustomEventSchema["properties"],
  instant: Instant,
) =>
  tx.maybe<CustomEventSchema>(sql`
    update custom_event_schemas
       set properties = custom_event_schemas.properties || ${jsonOf(properties)}::jsonb, updated_at = ${isoOf(instant)}
     where custom_event_schemas.project_id = ${project_id} and custom_event_schemas.id = ${id}
    returning ${fields}`);

/** Answers how many there were. */
export const deleteCustomEventSchema = (db: Queries, project_id: string, id: string) =>
  db.run(sql`
    delete from custom_event_schemas
     where custom_event_schemas.project_id = ${project_id} and custom_event_schemas.id = ${id}`);
