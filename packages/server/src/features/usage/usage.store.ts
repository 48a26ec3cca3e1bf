import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries } from "../../platform/db/database.js";
import type { Ended } from "../../platform/db/purge.js";
import { sql } from "../../platform/db/sql.js";
import { isAmong } from "../../platform/jobs/served.js";

interface Calls {
  project_id: string;
  counter: string;
  duration: string;
  starts_at: Instant;
  ends_at: Instant;
  calls: number;
}

/** Adds what a process has counted; answers what all have, by the place in the list. Projects that are gone are passed over. */
export const addCalls = (db: Queries, counted: readonly Calls[]) =>
  db.many<{ place: number; calls: number }>(sql`-- every project: a process counts for all that it serves
    with counted as (
      select * from unnest(
        ${counted.map((one) => one.project_id)}::text[], ${counted.map((one) => one.counter)}::text[],
        ${counted.map((one) => one.duration)}::text[], ${counted.map((one) => isoOf(one.starts_at))}::timestamptz[],
        ${counted.map((one) => isoOf(one.ends_at))}::timestamptz[], ${counted.map((one) => one.calls)}::bigint[]
      ) with ordinality as counted (project_id, counter, duration, starts_at, ends_at, calls, place)
    ), added as (
      insert into call_counts (project_id, counter, duration, starts_at, ends_at, calls)
      select counted.project_id, counted.counter, counted.duration, counted.starts_at, counted.ends_at, counted.calls
        from counted join projects on projects.id = counted.project_id
       order by counted.project_id, counted.counter, counted.duration, counted.starts_at
      on conflict (project_id, counter, duration, starts_at) do update set calls = call_counts.calls + excluded.calls
      returning call_counts.project_id, call_counts.counter, call_counts.duration, call_counts.starts_at, call_counts.calls
    )
    select counted.place, added.calls
      from counted
      join added on added.project_id = counted.project_id and added.counter = counted.counter
                and added.duration = counted.duration and added.starts_at = counted.starts_at`);

/** Says that somebody is told, unless somebody was since; answers whether it was said. */
export const putNotice = async (
  db: Queries,
  project_id: string,
  notice: string,
  { instant, since }: { instant: Instant; since: Instant },
): Promise<boolean> =>
  (await db.run(sql`
    insert into usage_notices (project_id, notice, told_at) values (${project_id}, ${notice}, ${isoOf(instant)})
    on conflict (project_id, notice) do update set told_at = excluded.told_at
     where usage_notices.told_at < ${isoOf(since)}`)) > 0;

/** Counts of periods that have ended. */
export const deleteEndedCounts = (db: Queries, { instant, project_ids, rows_max }: Ended) =>
  db.run(sql`-- every project: one purge for all
    delete from call_counts
     where (call_counts.project_id, call_counts.counter, call_counts.duration, call_counts.starts_at) in (
             select call_counts.project_id, call_counts.counter, call_counts.duration, call_counts.starts_at
               from call_counts
              where call_counts.ends_at <= ${isoOf(instant)}
                and ${isAmong(sql`call_counts.project_id`, project_ids)}
              limit ${rows_max})`);
