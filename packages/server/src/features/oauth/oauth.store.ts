import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import type { Ended } from "../../platform/db/purge.js";
import { sql } from "../../platform/db/sql.js";
import { isAmong } from "../../platform/jobs/served.js";
import type { Token } from "./token.js";

/** A token with the project that it belongs to, and the version that project's catalogue has now. */
export interface OwnedToken extends Token {
  token_hash: Buffer;
  project_id: string;
  version: number;
}

/** Stores a token for a key that may have one. Answers 0 when the key was blocked or deleted meanwhile. */
export const insertToken = (tx: Tx, project_id: string, token_hash: Buffer, made: Token & { created_at: Instant }) =>
  tx.run(sql`
    insert into oauth_tokens (project_id, token_hash, api_key_id, scopes, created_at, expires_at)
    select api_keys.project_id, ${token_hash}, api_keys.id, ${made.scopes}::text[], ${isoOf(made.created_at)},
           ${isoOf(made.expires_at)}
      from api_keys
     where api_keys.project_id = ${project_id} and api_keys.id = ${made.api_key_id} and not api_keys.blocked
       for key share`);

/** Deletes expired tokens, passing over those that somebody else is deleting. Answers how many. */
export const purgeTokens = (db: Queries, { instant, project_ids, rows_max }: Ended) =>
  db.run(sql`-- every project: purges serve them all
    with expired as materialized (
      select oauth_tokens.project_id, oauth_tokens.token_hash from oauth_tokens
       where oauth_tokens.expires_at <= ${isoOf(instant)}
         and ${isAmong(sql`oauth_tokens.project_id`, project_ids)}
       limit ${rows_max}
         for update skip locked
    )
    delete from oauth_tokens using expired
     where oauth_tokens.project_id = expired.project_id and oauth_tokens.token_hash = expired.token_hash`);

/** A token that works: neither expired nor minted by a key that is blocked now. */
export const findWorkingToken = (db: Queries, project_id: string, token_hash: Buffer, instant: Instant) =>
  db.maybe<Token>(sql`
    select oauth_tokens.api_key_id, oauth_tokens.scopes, oauth_tokens.expires_at
      from oauth_tokens
      join api_keys on api_keys.project_id = oauth_tokens.project_id and api_keys.id = oauth_tokens.api_key_id
     where oauth_tokens.project_id = ${project_id}
       and oauth_tokens.token_hash = ${token_hash}
       and oauth_tokens.expires_at > ${isoOf(instant)}
       and not api_keys.blocked`);

/** Deletes a token; answers 0 when there is none or it has expired. */
export const deleteToken = (db: Queries, project_id: string, token_hash: Buffer, instant: Instant) =>
  // A blocked key's token can be revoked, since it would work again once the key does.
  db.run(sql`
    delete from oauth_tokens
     where oauth_tokens.project_id = ${project_id}
       and oauth_tokens.token_hash = ${token_hash}
       and oauth_tokens.expires_at > ${isoOf(instant)}`);

export const findTokens = (db: Queries, hashes: readonly Buffer[]) =>
  db.many<OwnedToken>(sql`-- every project: the token is what names the project
    select oauth_tokens.token_hash, oauth_tokens.project_id, oauth_tokens.api_key_id, oauth_tokens.scopes,
           oauth_tokens.expires_at, project_versions.version
      from oauth_tokens
      join project_versions on project_versions.project_id = oauth_tokens.project_id
     where oauth_tokens.token_hash = any(${hashes}::bytea[])`);
