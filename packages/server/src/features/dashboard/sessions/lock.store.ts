import { type Instant, isoOf } from "../../../platform/clock.js";
import type { Queries } from "../../../platform/db/database.js";
import { plannedEachTime, sql } from "../../../platform/db/sql.js";

/** A live lock, and the code that it is on. */
export interface CodeLock {
  key: string;
  voucher_id: string;
  code: string;
  credits: number;
  expires_at: Instant;
}

/** Live locks of a project, from the end of an index by when they run out. */
export const listLocks = (db: Pick<Queries, "many">, project_id: string, now: Instant, rows_max: number) =>
  db.many<CodeLock>(
    plannedEachTime(sql`
      select locks.session_key as key, locks.voucher_id, vouchers.code, locks.credits, locks.expires_at
        from (select voucher_sessions.session_key, voucher_sessions.voucher_id, voucher_sessions.credits,
                     voucher_sessions.expires_at
                from voucher_sessions
               where voucher_sessions.project_id = ${project_id} and voucher_sessions.expires_at > ${isoOf(now)}
               order by voucher_sessions.expires_at desc limit ${rows_max}) as locks
        join vouchers on vouchers.project_id = ${project_id} and vouchers.id = locks.voucher_id
       order by locks.expires_at desc, vouchers.code, locks.session_key`),
  );
