import type { Instant } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { sql } from "../../platform/db/sql.js";
import type { ApiKey } from "./project.js";

/** A key as its project's people see it. */
export interface ShownKey extends Omit<ApiKey, "token_hash"> {
  created_at: Instant;
}

const fields = sql`
  api_keys.id, api_keys.kind, api_keys.name, api_keys.role, api_keys.blocked, api_keys.is_integration, api_keys.created_at`;

/** Oldest first. */
export const listKeys = (db: Queries, project_id: string) =>
  db.many<ShownKey>(sql`
    select ${fields} from api_keys where api_keys.project_id = ${project_id} order by api_keys.created_at, api_keys.id`);

export const findKey = (db: Queries, project_id: string, id: string) =>
  db.maybe<ShownKey>(sql`
    select ${fields} from api_keys where api_keys.project_id = ${project_id} and api_keys.id = ${id}`);

export const updateKey = (
  tx: Tx,
  project_id: string,
  { id, name, role, blocked }: Omit<ShownKey, "kind" | "is_integration" | "created_at">,
) =>
  tx.run(sql`
    update api_keys set name = ${name}, role = ${role}, blocked = ${blocked}
     where api_keys.project_id = ${project_id} and api_keys.id = ${id}`);

export const putKeyToken = (tx: Tx, project_id: string, id: string, token_hash: Buffer) =>
  tx.run(sql`
    update api_keys set token_hash = ${token_hash} where api_keys.project_id = ${project_id} and api_keys.id = ${id}`);

/** With the tokens that it minted. */
export const deleteKey = (tx: Tx, project_id: string, id: string) =>
  tx.run(sql`delete from api_keys where api_keys.project_id = ${project_id} and api_keys.id = ${id}`);
