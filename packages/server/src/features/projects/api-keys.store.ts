import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { column, jsonOf, sql } from "../../platform/db/sql.js";
import type { ApiKey } from "./project.js";

/** A key as its project's people see it. */
export interface ShownKey extends Omit<ApiKey, "token_hash"> {
  created_at: Instant;
  /** To the minute; null: never. */
  last_used_at: Instant | null;
}

const fields = sql`
  api_keys.id, api_keys.kind, api_keys.name, api_keys.role, api_keys.blocked, api_keys.is_integration,
  api_keys.allowed_addresses, api_keys.created_at, api_keys.last_used_at`;

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
  {
    id,
    name,
    role,
    blocked,
    allowed_addresses,
  }: Pick<ShownKey, "id" | "name" | "role" | "blocked" | "allowed_addresses">,
) =>
  tx.run(sql`
    update api_keys set name = ${name}, role = ${role}, blocked = ${blocked},
           allowed_addresses = ${jsonOf(allowed_addresses)}
     where api_keys.project_id = ${project_id} and api_keys.id = ${id}`);

export const putKeyToken = (tx: Tx, project_id: string, id: string, token_hash: Buffer) =>
  tx.run(sql`
    update api_keys set token_hash = ${token_hash} where api_keys.project_id = ${project_id} and api_keys.id = ${id}`);

/** With the tokens that it minted. */
export const deleteKey = (tx: Tx, project_id: string, id: string) =>
  tx.run(sql`delete from api_keys where api_keys.project_id = ${project_id} and api_keys.id = ${id}`);

/** Says when keys were used, unless that is known already or another process is just saying it. */
export const markKeysUsed = (db: Queries, uses: readonly { project_id: string; id: string; used_at: Instant }[]) =>
  db.run(sql`-- every project: a process notes the keys of all
    with used as (
      select api_keys.project_id, api_keys.id, used.used_at
        from unnest(${column(uses, "project_id")}::text[], ${column(uses, "id")}::text[],
                    ${uses.map(({ used_at }) => isoOf(used_at))}::timestamptz[]) as used (project_id, id, used_at)
        join api_keys on api_keys.project_id = used.project_id and api_keys.id = used.id
       where api_keys.last_used_at is null or api_keys.last_used_at < used.used_at
         for update of api_keys skip locked
    )
    update api_keys set last_used_at = used.used_at from used
     where api_keys.project_id = used.project_id and api_keys.id = used.id`);
