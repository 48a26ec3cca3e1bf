import { type Instant, isoOf } from "../platform/clock.js";
import type { Queries, Tx } from "../platform/db/database.js";
import type { Ended } from "../platform/db/purge.js";
import { column, sql } from "../platform/db/sql.js";

type SessionName = Pick<VoucherSession, "voucher_id" | "session_key">;

/** A lock on a voucher: one redemption, and of a card the credits or points that it would spend (redemption.md §12). */
export interface VoucherSession {
  voucher_id: string;
  session_key: string;
  credits: number;
}

export const isSessionLive = async (
  db: Queries,
  project_id: string,
  { voucher_id, session_key }: SessionName,
  now: string,
) =>
  (await db.maybe(sql`
    select voucher_sessions.session_key from voucher_sessions
     where voucher_sessions.project_id = ${project_id} and voucher_sessions.voucher_id = ${voucher_id}
       and voucher_sessions.session_key = ${session_key} and voucher_sessions.expires_at > ${now}`)) !== undefined;

export interface LiveSession extends Omit<VoucherSession, "voucher_id"> {
  expires_at: Instant;
}

/** Live locks of a voucher, those that run out first before the others. */
export const listLiveSessions = (
  db: Queries,
  project_id: string,
  voucher_id: string,
  now: string,
  { limit, offset }: { limit: number; offset: number },
) =>
  db.many<LiveSession>(sql`
    select voucher_sessions.session_key, voucher_sessions.credits, voucher_sessions.expires_at
      from voucher_sessions
     where voucher_sessions.project_id = ${project_id} and voucher_sessions.voucher_id = ${voucher_id}
       and voucher_sessions.expires_at > ${now}
     order by voucher_sessions.expires_at, voucher_sessions.session_key
     limit ${limit} offset ${offset}`);

/** How many live locks a voucher has. */
export const countLiveSessions = async (db: Queries, project_id: string, voucher_id: string, now: string) =>
  (
    await db.one<{ total: number }>(sql`
      select count(*) as total from voucher_sessions
       where voucher_sessions.project_id = ${project_id} and voucher_sessions.voucher_id = ${voucher_id}
         and voucher_sessions.expires_at > ${now}`)
  ).total;

export interface OpenSession extends VoucherSession {
  expires_at: string;
}

/** One that has been redeemed or given up. */
export interface EndedSession extends SessionName {
  expires_at: null;
}

export const nameOfSession = ({ voucher_id, session_key }: SessionName) => `${voucher_id} ${session_key}`;

/** Opens and ends locks; of one that was opened and ended in the same change only the last counts. */
export async function writeSessions(
  tx: Tx,
  project_id: string,
  sessions: readonly (OpenSession | EndedSession)[],
): Promise<void> {
  await Promise.all([
    dropSessions(
      tx,
      project_id,
      sessions.filter(({ expires_at }) => expires_at === null),
    ),
    saveSessions(
      tx,
      project_id,
      sessions.filter((session): session is OpenSession => session.expires_at !== null),
    ),
  ]);
}

async function saveSessions(tx: Tx, project_id: string, sessions: readonly OpenSession[]): Promise<void> {
  if (sessions.length === 0) return;
  await tx.run(sql`
    insert into voucher_sessions (project_id, voucher_id, session_key, credits, expires_at)
    select ${project_id}, session.*
      from unnest(${column(sessions, "voucher_id")}::text[], ${column(sessions, "session_key")}::text[],
                  ${column(sessions, "credits")}::bigint[], ${column(sessions, "expires_at")}::timestamptz[]) as session
    on conflict (project_id, voucher_id, session_key) do update
       set credits = excluded.credits, expires_at = excluded.expires_at`);
}

async function dropSessions(tx: Tx, project_id: string, sessions: readonly SessionName[]): Promise<number> {
  if (sessions.length === 0) return 0;
  return tx.run(sql`
    delete from voucher_sessions
     using unnest(${column(sessions, "voucher_id")}::text[], ${column(sessions, "session_key")}::text[])
             as dropped (voucher_id, session_key)
     where voucher_sessions.project_id = ${project_id}
       and voucher_sessions.voucher_id = dropped.voucher_id
       and voucher_sessions.session_key = dropped.session_key`);
}

/** Deletes locks that have expired; they have counted for nobody since. Answers how many. */
export const purgeSessions = (db: Queries, { instant, project_ids, rows_max }: Ended) =>
  db.run(sql`-- every project: purges serve them all
    with expired as materialized (
      select voucher_sessions.project_id, voucher_sessions.voucher_id, voucher_sessions.session_key
        from voucher_sessions
       where voucher_sessions.expires_at <= ${isoOf(instant)}
         and (${project_ids}::text[] is null or voucher_sessions.project_id = any(${project_ids}::text[]))
       limit ${rows_max}
         for update skip locked
    )
    delete from voucher_sessions using expired
     where voucher_sessions.project_id = expired.project_id and voucher_sessions.voucher_id = expired.voucher_id
       and voucher_sessions.session_key = expired.session_key`);
