import { type Instant, isoOf } from "../platform/clock.js";
import type { Queries } from "../platform/db/database.js";
import type { Ended } from "../platform/db/purge.js";
import { column, forAny, type Sql, sql } from "../platform/db/sql.js";
import { isAmong } from "../platform/jobs/served.js";

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

/** How long a slot is in which the ends of sessions are summed, ms: ten seconds, and two hours of them. */
const narrow = 10_000;
const wide = 720 * narrow;

/**
 * What is live of a voucher at an instant, `sessions` and `credits`: wide slots that begin later, narrow ones up to there,
 * and one by one what ends in the instant's own. Some 1,000 rows at most beside those: 30 days of the one, two hours of the
 * other. Exact at whatever instant.
 * @param voucher its project and id: columns, or values
 */
export function liveSums(voucher: { project_id: Sql; id: Sql }, instant: Instant): Sql {
  const [in_wide, in_narrow] = [Math.floor(instant / wide), Math.floor(instant / narrow)];
  return sql`
    (select coalesce(sum(found.sessions), 0)::bigint as sessions, coalesce(sum(found.credits), 0)::bigint as credits
       from (
         select sums.sessions, sums.credits from voucher_session_sums as sums
          where sums.project_id = ${voucher.project_id} and sums.voucher_id = ${voucher.id}
            and sums.width = ${wide} and sums.slot > ${in_wide}
         union all
         select sums.sessions, sums.credits from voucher_session_sums as sums
          where sums.project_id = ${voucher.project_id} and sums.voucher_id = ${voucher.id}
            and sums.width = ${narrow} and sums.slot > ${in_narrow} and sums.slot < ${((in_wide + 1) * wide) / narrow}
         union all
         select 1, voucher_sessions.credits from voucher_sessions
          where voucher_sessions.project_id = ${voucher.project_id} and voucher_sessions.voucher_id = ${voucher.id}
            and voucher_sessions.expires_at > ${isoOf(instant)}
            and voucher_sessions.expires_at < ${isoOf((in_narrow + 1) * narrow)}
       ) as found)`;
}

/** How many live locks a voucher has. */
export const countLiveSessions = async (db: Queries, project_id: string, voucher_id: string, instant: Instant) =>
  (
    await db.one<{ total: number }>(sql`-- every project: the sums below name theirs
      select live.sessions as total
        from ${liveSums({ project_id: sql`${project_id}`, id: sql`${voucher_id}` }, instant)} as live`)
  ).total;

export interface OpenSession extends VoucherSession {
  expires_at: string;
}

/** One that has been redeemed or given up. */
export interface EndedSession extends SessionName {
  expires_at: null;
}

export const nameOfSession = ({ voucher_id, session_key }: SessionName) => `${voucher_id} ${session_key}`;

/**
 * Opens and ends locks, under the vouchers' keys; of one that was opened and ended in the same change only the last counts.
 * The sums are moved first, since they ask what was there.
 */
export function writeSessions(project_id: string, sessions: readonly (OpenSession | EndedSession)[]): readonly Sql[] {
  const ended = sessions.filter(({ expires_at }) => expires_at === null);
  const opened = sessions.filter((session): session is OpenSession => session.expires_at !== null);
  return [
    moveSums(project_id, sessions, opened),
    ...forAny(ended, (rows) => dropSessions(project_id, rows)),
    ...forAny(opened, (rows) => saveSessions(project_id, rows)),
  ];
}

const moveSums = (project_id: string, sessions: readonly SessionName[], opened: readonly OpenSession[]): Sql => sql`
    insert into voucher_session_sums (project_id, voucher_id, width, slot, ends_at, sessions, credits)
    select ${project_id}, moved.voucher_id, slots.width, moved.at / slots.width,
           timestamptz 'epoch' + (moved.at / slots.width + 1) * slots.width * interval '1 ms',
           sum(moved.sessions), sum(moved.credits)
      from (
        select voucher_sessions.voucher_id, (extract(epoch from voucher_sessions.expires_at) * 1000)::bigint as at,
               -1 as sessions, -voucher_sessions.credits as credits
          from unnest(${column(sessions, "voucher_id")}::text[], ${column(sessions, "session_key")}::text[])
                 as named (voucher_id, session_key)
          join voucher_sessions on voucher_sessions.project_id = ${project_id}
           and voucher_sessions.voucher_id = named.voucher_id and voucher_sessions.session_key = named.session_key
        union all
        select opened.voucher_id, (extract(epoch from opened.expires_at) * 1000)::bigint, 1, opened.credits
          from unnest(${column(opened, "voucher_id")}::text[], ${column(opened, "credits")}::bigint[],
                      ${column(opened, "expires_at")}::timestamptz[]) as opened (voucher_id, credits, expires_at)
      ) as moved
     cross join (values (${narrow}::bigint), (${wide}::bigint)) as slots (width)
     group by moved.voucher_id, slots.width, moved.at / slots.width
     order by moved.voucher_id, slots.width, moved.at / slots.width
    on conflict (project_id, voucher_id, width, slot) do update
       set sessions = voucher_session_sums.sessions + excluded.sessions,
           credits = voucher_session_sums.credits + excluded.credits`;

const saveSessions = (project_id: string, sessions: readonly OpenSession[]): Sql => sql`
    insert into voucher_sessions (project_id, voucher_id, session_key, credits, expires_at)
    select ${project_id}, session.*
      from unnest(${column(sessions, "voucher_id")}::text[], ${column(sessions, "session_key")}::text[],
                  ${column(sessions, "credits")}::bigint[], ${column(sessions, "expires_at")}::timestamptz[]) as session
    on conflict (project_id, voucher_id, session_key) do update
       set credits = excluded.credits, expires_at = excluded.expires_at`;

const dropSessions = (project_id: string, sessions: readonly SessionName[]): Sql => sql`
    delete from voucher_sessions
     using unnest(${column(sessions, "voucher_id")}::text[], ${column(sessions, "session_key")}::text[])
             as dropped (voucher_id, session_key)
     where voucher_sessions.project_id = ${project_id}
       and voucher_sessions.voucher_id = dropped.voucher_id
       and voucher_sessions.session_key = dropped.session_key`;

/** Deletes locks that have expired; they have counted for nobody since. Answers how many. */
export const purgeSessions = (db: Queries, { instant, project_ids, rows_max }: Ended) =>
  db.run(sql`-- every project: purges serve them all
    with expired as materialized (
      select voucher_sessions.project_id, voucher_sessions.voucher_id, voucher_sessions.session_key
        from voucher_sessions
       where voucher_sessions.expires_at <= ${isoOf(instant)}
         and ${isAmong(sql`voucher_sessions.project_id`, project_ids)}
       limit ${rows_max}
         for update skip locked
    )
    delete from voucher_sessions using expired
     where voucher_sessions.project_id = expired.project_id and voucher_sessions.voucher_id = expired.voucher_id
       and voucher_sessions.session_key = expired.session_key`);

/** Deletes sums that have ended; nobody reads them since. Answers how many. */
export const purgeSessionSums = (db: Queries, { instant, project_ids, rows_max }: Ended) =>
  db.run(sql`-- every project: purges serve them all
    with ended as materialized (
      select sums.project_id, sums.voucher_id, sums.width, sums.slot from voucher_session_sums as sums
       where sums.ends_at <= ${isoOf(instant)}
         and ${isAmong(sql`sums.project_id`, project_ids)}
       limit ${rows_max}
         for update skip locked
    )
    delete from voucher_session_sums using ended
     where voucher_session_sums.project_id = ended.project_id and voucher_session_sums.voucher_id = ended.voucher_id
       and voucher_session_sums.width = ended.width and voucher_session_sums.slot = ended.slot`);
