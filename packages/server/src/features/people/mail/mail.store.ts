import { type Instant, isoOf } from "../../../platform/clock.js";
import type { Queries } from "../../../platform/db/database.js";
import { type Sql, sql } from "../../../platform/db/sql.js";
import { isAmong } from "../../../platform/jobs/served.js";

export interface StoredMail {
  project_id: string;
  id: string;
  sealed: Buffer;
  tries: number;
}

interface Due {
  instant: Instant;
  /** Null: every project. */
  project_ids: readonly string[] | null;
}

const isDue = ({ instant, project_ids }: Due): Sql => sql`
  mails.due_at <= ${isoOf(instant)} and ${isAmong(sql`mails.project_id`, project_ids)}`;

export const insertMail = (
  db: Queries,
  project_id: string,
  { id, sealed, instant }: { id: string; sealed: Buffer; instant: Instant },
) =>
  db.run(sql`
    insert into mails (project_id, id, sealed, due_at, created_at)
    values (${project_id}, ${id}, ${sealed}, ${isoOf(instant)}, ${isoOf(instant)})`);

export const someMailDue = (due: Due): Sql => sql`exists (select from mails where ${isDue(due)})`;

/** Takes some that are due, until then; each counts as tried. */
export const leaseMails = (db: Queries, due: Due & { until: Instant; rows_max: number }) =>
  db.many<StoredMail>(sql`-- every project: one work sends them all
    update mails set due_at = ${isoOf(due.until)}, tries = mails.tries + 1
     where (mails.project_id, mails.id) in (
             select mails.project_id, mails.id from mails where ${isDue(due)}
              order by mails.due_at limit ${due.rows_max} for update skip locked)
    returning mails.project_id, mails.id, mails.sealed, mails.tries`);

export const deleteMail = (db: Queries, { project_id, id }: StoredMail) =>
  db.run(sql`delete from mails where mails.project_id = ${project_id} and mails.id = ${id}`);

export const postponeMail = (db: Queries, { project_id, id }: StoredMail, due_at: Instant) =>
  db.run(sql`
    update mails set due_at = ${isoOf(due_at)} where mails.project_id = ${project_id} and mails.id = ${id}`);
