import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import type { Ended } from "../../platform/db/purge.js";
import { sql } from "../../platform/db/sql.js";
import { idle_ms, kept_attempts_ms, session_ms } from "./sign-in.js";

export const findPassword = async (db: Queries, user_id: string): Promise<string | undefined> =>
  (
    await db.maybe<{ password_hash: string }>(sql`-- every project: people belong to the organization
      select user_passwords.password_hash from user_passwords where user_passwords.user_id = ${user_id}`)
  )?.password_hash;

export const putPassword = (tx: Tx, user_id: string, password_hash: string, instant: Instant) =>
  tx.run(sql`-- every project: people belong to the organization
    insert into user_passwords (user_id, password_hash, changed_at) values (${user_id}, ${password_hash}, ${isoOf(instant)})
    on conflict (user_id) do update set password_hash = excluded.password_hash, changed_at = excluded.changed_at`);

/** Which of these people can sign in. */
export const findWithPassword = async (db: Queries, user_ids: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await db.many<{ user_id: string }>(sql`-- every project: people belong to the organization
        select user_passwords.user_id from user_passwords where user_passwords.user_id = any(${user_ids}::text[])`)
    ).map(({ user_id }) => user_id),
  );

/** An owner who can sign in, if there is one. */
export const findOwnerWithPassword = (db: Queries) =>
  db.maybe<{ id: string }>(sql`-- every project: the organization has owners
    select users.id from users join user_passwords on user_passwords.user_id = users.id
     where users.is_owner order by users.created_at, users.id limit 1`);

// Links.

export const insertLink = (
  tx: Queries,
  link: { token_hash: Buffer; user_id: string; created_at: Instant; expires_at: Instant },
) =>
  tx.run(sql`-- every project: people belong to the organization
    insert into user_links (token_hash, user_id, created_at, expires_at)
    values (${link.token_hash}, ${link.user_id}, ${isoOf(link.created_at)}, ${isoOf(link.expires_at)})`);

/** Leaves somebody their newest links. */
export const deleteOlderLinks = (tx: Queries, user_id: string, links_max: number) =>
  tx.run(sql`-- every project: people belong to the organization
    delete from user_links
     where user_links.token_hash in (
             select older.token_hash from user_links as older
              where older.user_id = ${user_id} order by older.created_at desc, older.token_hash offset ${links_max})`);

export const findLink = (db: Queries, token_hash: Buffer, instant: Instant) =>
  db.maybe<{ user_id: string; expires_at: Instant }>(sql`-- every project: people belong to the organization
    select user_links.user_id, user_links.expires_at from user_links
     where user_links.token_hash = ${token_hash} and user_links.expires_at > ${isoOf(instant)}`);

/** Uses a link up; answers whose it was, once. */
export const takeLink = (tx: Tx, token_hash: Buffer, instant: Instant) =>
  tx.maybe<{ user_id: string }>(sql`-- every project: people belong to the organization
    delete from user_links
     where user_links.token_hash = ${token_hash} and user_links.expires_at > ${isoOf(instant)}
    returning user_links.user_id`);

export const deleteLinksOf = (tx: Tx, user_id: string) =>
  tx.run(sql`-- every project: people belong to the organization
    delete from user_links where user_links.user_id = ${user_id}`);

/** Those that have ended, of all people: they belong to no project that a test could keep to. */
export const purgeLinks = (db: Queries, { instant, rows_max }: Pick<Ended, "instant" | "rows_max">) =>
  db.run(sql`-- every project: people belong to the organization
    delete from user_links
     where user_links.ctid = any(array(
             select user_links.ctid from user_links where user_links.expires_at <= ${isoOf(instant)} limit ${rows_max}))`);

// Sessions.

export interface FoundSession {
  user_id: string;
  created_at: Instant;
  seen_at: Instant;
}

export const findSession = (db: Queries, token_hash: Buffer, instant: Instant) =>
  db.maybe<FoundSession>(sql`-- every project: a session is a person's
    select user_sessions.user_id, user_sessions.created_at, user_sessions.seen_at
      from user_sessions
     where user_sessions.token_hash = ${token_hash}
       and user_sessions.created_at > ${isoOf(instant - session_ms)} and user_sessions.seen_at > ${isoOf(instant - idle_ms)}`);

export const touchSession = (db: Queries, token_hash: Buffer, instant: Instant) =>
  db.run(sql`-- every project: a session is a person's
    update user_sessions set seen_at = greatest(user_sessions.seen_at, ${isoOf(instant)})
     where user_sessions.token_hash = ${token_hash}`);

/** Begins a session, unless the password is another than the one that was shown. */
export const insertSession = (
  tx: Queries,
  session: { token_hash: Buffer; user_id: string; password_hash: string; instant: Instant },
) =>
  tx.run(sql`-- every project: a session is a person's
    insert into user_sessions (token_hash, user_id, created_at, seen_at)
    select ${session.token_hash}::bytea, user_passwords.user_id, ${isoOf(session.instant)}::timestamptz, ${isoOf(session.instant)}::timestamptz
      from user_passwords
     where user_passwords.user_id = ${session.user_id} and user_passwords.password_hash = ${session.password_hash}`);

/** Leaves somebody their newest sessions; with none left they are signed out everywhere. */
export const deleteOlderSessions = (tx: Queries, user_id: string, sessions_max: number) =>
  tx.run(sql`-- every project: a session is a person's
    delete from user_sessions
     where user_sessions.token_hash in (
             select older.token_hash from user_sessions as older
              where older.user_id = ${user_id} order by older.created_at desc, older.token_hash offset ${sessions_max})`);

export const deleteSession = (db: Queries, token_hash: Buffer) =>
  db.run(sql`-- every project: a session is a person's
    delete from user_sessions where user_sessions.token_hash = ${token_hash}`);

export const purgeSessions = (db: Queries, { instant, rows_max }: Pick<Ended, "instant" | "rows_max">) =>
  db.run(sql`-- every project: a session is a person's
    delete from user_sessions
     where user_sessions.ctid = any(array(
             select user_sessions.ctid from user_sessions
              where user_sessions.seen_at <= ${isoOf(instant - idle_ms)} or user_sessions.created_at <= ${isoOf(instant - session_ms)}
              limit ${rows_max}))`);

// Attempts.

export interface Attempt {
  address: string;
  email_hash: Buffer;
  instant: Instant;
}

/** When the attempts from an address were that count, newest first, and which of them were for this e-mail. */
export const findAttempts = (tx: Tx, { address, email_hash, instant }: Attempt, rows_max: number) =>
  tx.many<{ created_at: Instant; is_same: boolean }>(sql`-- every project: nobody is known yet
    select sign_in_attempts.created_at, sign_in_attempts.email_hash = ${email_hash} as is_same
      from sign_in_attempts
     where sign_in_attempts.address = ${address} and sign_in_attempts.created_at > ${isoOf(instant - kept_attempts_ms)}
     order by sign_in_attempts.created_at desc limit ${rows_max}`);

export const insertAttempt = (tx: Tx, { address, email_hash, instant }: Attempt) =>
  tx.run(sql`-- every project: nobody is known yet
    insert into sign_in_attempts (address, email_hash, created_at) values (${address}, ${email_hash}, ${isoOf(instant)})`);

export const deleteAttempts = (db: Queries, { address, email_hash }: Pick<Attempt, "address" | "email_hash">) =>
  db.run(sql`-- every project: somebody is known by now
    delete from sign_in_attempts
     where sign_in_attempts.address = ${address} and sign_in_attempts.email_hash = ${email_hash}`);

export const purgeAttempts = (db: Queries, { instant, rows_max }: Pick<Ended, "instant" | "rows_max">) =>
  db.run(sql`-- every project: nobody is known yet
    delete from sign_in_attempts
     where sign_in_attempts.ctid = any(array(
             select sign_in_attempts.ctid from sign_in_attempts
              where sign_in_attempts.created_at <= ${isoOf(instant - kept_attempts_ms)} limit ${rows_max}))`);
