import type { Queries, Tx } from "../../platform/db/database.js";
import { sql } from "../../platform/db/sql.js";
import { bool, insertInto, json, sets, table, text, timestamptz } from "../../platform/db/table.js";
import { type MetadataSchema, MetadataSchemas } from "../../terms/index.js";

const metadata_schemas = table<MetadataSchema>("metadata_schemas", {
  id: text,
  related_object: text,
  properties: json,
  allow_defined_only: bool,
  created_at: timestamptz,
  updated_at: timestamptz,
});

/** All of a project, oldest first: they are few, and small together. */
export const listMetadataSchemas = (db: Queries, project_id: string) =>
  db.many<MetadataSchema>(sql`
    select ${metadata_schemas.fields} from metadata_schemas
     where metadata_schemas.project_id = ${project_id}
     order by metadata_schemas.created_at, metadata_schemas.id`);

/** The same, compiled: for work that no request has brought them for. */
export const readMetadataSchemas = async (db: Queries, project_id: string) =>
  new MetadataSchemas(await listMetadataSchemas(db, project_id));

/** Whether a key of an object's metadata has no definition that counts. */
export async function isRemovedKey(db: Queries, project_id: string, object: string, key: string): Promise<boolean> {
  const schemas = await listMetadataSchemas(db, project_id);
  const { properties = {} } = schemas.find(({ related_object }) => related_object === object) ?? {};
  return !Object.hasOwn(properties, key) || properties[key]?.deleted === true;
}

export const insertMetadataSchema = (tx: Tx, project_id: string, schema: MetadataSchema) =>
  tx.run(insertInto(metadata_schemas, project_id, [schema]));

export const updateMetadataSchema = (tx: Tx, project_id: string, schema: MetadataSchema) =>
  tx.run(sql`
    update metadata_schemas
       set ${sets(metadata_schemas, schema, ["properties", "allow_defined_only", "updated_at"])}
     where metadata_schemas.project_id = ${project_id} and metadata_schemas.id = ${schema.id}`);

export const deleteMetadataSchema = (tx: Tx, project_id: string, id: string) =>
  tx.run(sql`
    delete from metadata_schemas
     where metadata_schemas.project_id = ${project_id} and metadata_schemas.id = ${id}`);
