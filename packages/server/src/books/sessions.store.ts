import type { Queries, Tx } from "../platform/database.js";
import { column, sql } from "../platform/sql.js";

export type SessionName = Pick<VoucherSession, "voucher_id" | "session_key">;

/** Live locks on vouchers: what keys other than one's own hold (redemption.md §12). */
export interface VoucherSession {
  voucher_id: string;
  session_key: string;
  credits: number;
}

export const findLiveSessions = (db: Queries, project_id: string, voucher_ids: readonly string[], now: string) =>
  db.many<VoucherSession>(sql`
    select voucher_sessions.voucher_id, voucher_sessions.session_key, voucher_sessions.credits
      from voucher_sessions
     where voucher_sessions.project_id = ${project_id}
       and voucher_sessions.voucher_id = any(${voucher_ids}::text[])
       and voucher_sessions.expires_at > ${now}`);

export async function saveSessions(
  tx: Tx,
  project_id: string,
  sessions: readonly (VoucherSession & { expires_at: string })[],
): Promise<void> {
  if (sessions.length === 0) return;
  await tx.run(sql`
    insert into voucher_sessions (project_id, voucher_id, session_key, credits, expires_at)
    select ${project_id}, session.*
      from unnest(${column(sessions, "voucher_id")}::text[], ${column(sessions, "session_key")}::text[],
                  ${column(sessions, "credits")}::bigint[], ${column(sessions, "expires_at")}::timestamptz[]) as session
    on conflict (project_id, voucher_id, session_key) do update
       set credits = excluded.credits, expires_at = excluded.expires_at`);
}

export async function dropSessions(tx: Tx, project_id: string, sessions: readonly SessionName[]): Promise<number> {
  if (sessions.length === 0) return 0;
  return tx.run(sql`
    delete from voucher_sessions
     using unnest(${column(sessions, "voucher_id")}::text[], ${column(sessions, "session_key")}::text[])
             as dropped (voucher_id, session_key)
     where voucher_sessions.project_id = ${project_id}
       and voucher_sessions.voucher_id = dropped.voucher_id
       and voucher_sessions.session_key = dropped.session_key`);
}
