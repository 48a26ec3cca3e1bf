import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { type Sql, sql } from "../../platform/db/sql.js";
import { isAmong } from "../../platform/jobs/served.js";
import type { LeasedShop, SampleShop } from "./sample-shop.js";

const fields = sql`
  sample_projects.project_id, sample_projects.asked_in, sample_projects.asked_at, sample_projects.status, sample_projects.days`;

/** The sample that a project is, or that was asked for in it; one whose project was deleted is none. */
export const findSample = (db: Queries, project_id: string) =>
  db.maybe<SampleShop>(sql`
    select ${fields} from sample_projects
      join projects on projects.id = sample_projects.project_id and projects.deleted_at is null
     where ${project_id} in (sample_projects.project_id, sample_projects.asked_in)
     order by sample_projects.project_id = ${project_id} desc limit 1`);

export const insertSample = (
  tx: Tx,
  {
    project_id,
    asked_in,
    asked_at,
    key_id,
    key_sealed,
  }: Pick<LeasedShop, "project_id" | "asked_in" | "asked_at" | "key_id" | "key_sealed">,
) =>
  tx.run(sql`
    insert into sample_projects (project_id, asked_in, asked_at, status, key_id, key_sealed, due_at)
    values (${project_id}, ${asked_in}, ${isoOf(asked_at)}, 'making', ${key_id}, ${key_sealed}, ${isoOf(asked_at)})`);

/** Whatever was asked for in the project, and is gone or goes. */
export const deleteSampleOf = (tx: Tx, asked_in: string) =>
  tx.run(sql`-- every project: it stands beside the one in which it was asked for
    delete from sample_projects where sample_projects.asked_in = ${asked_in}`);

/** One that has failed is tried again from where it was. */
export const beginAgain = (tx: Tx, project_id: string, now: Instant) =>
  tx.run(sql`
    update sample_projects set status = 'making', failures = 0, due_at = ${isoOf(now)}, leased_by = null
     where sample_projects.project_id = ${project_id} and sample_projects.status = 'failed'`);

interface Due {
  instant: Instant;
  /** Asked for in these projects; null: in any. */
  project_ids: readonly string[] | null;
}

const isDue = ({ instant, project_ids }: Due): Sql => sql`
  sample_projects.status = 'making' and sample_projects.due_at <= ${isoOf(instant)}
  and ${isAmong(sql`sample_projects.asked_in`, project_ids)}`;

export const someToMake = (due: Due): Sql => sql`exists (select from sample_projects where ${isDue(due)})`;

/** Takes one that is to be made until then: one's own, or one that nobody has any more. */
export const leaseSample = (db: Queries, due: Due, lease: { by: string; until: Instant }) =>
  db.maybe<LeasedShop>(sql`-- every project: one work makes them all
    update sample_projects set leased_by = ${lease.by}, due_at = ${isoOf(lease.until)}
     where sample_projects.project_id = (
             select sample_projects.project_id from sample_projects
               join projects on projects.id = sample_projects.project_id and projects.deleted_at is null
              where ${isDue(due)}
              order by sample_projects.due_at limit 1 for update of sample_projects skip locked)
    returning ${fields}, sample_projects.key_id, sample_projects.key_sealed, sample_projects.failures`);

interface Going {
  days: number;
  status: SampleShop["status"];
  failures: number;
  due_at: Instant;
}

/** How far it has come, and that another process may go on; answers whether it was this one's still. */
export const putProgress = async (db: Queries, project_id: string, leased_by: string, going: Going) =>
  (await db.run(sql`
    update sample_projects
       set days = ${going.days}, status = ${going.status}, failures = ${going.failures}, due_at = ${isoOf(going.due_at)},
           leased_by = null,
           key_sealed = case when ${going.status}::text = 'ready' then null else sample_projects.key_sealed end
     where sample_projects.project_id = ${project_id} and sample_projects.leased_by = ${leased_by}`)) > 0;
