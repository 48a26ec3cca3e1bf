import { isoOf } from "../../platform/clock.js";
import type { Queries } from "../../platform/db/database.js";
import type { Ended } from "../../platform/db/purge.js";
import { sql } from "../../platform/db/sql.js";
import { isAmong } from "../../platform/jobs/served.js";

/**
 * Deletes rows of results whose time is over; an action without rows left is looked at no more. Answers how many rows it
 * deleted, or `rows_max` where it may have left actions.
 */
export async function purgeResults(db: Queries, { instant, project_ids, rows_max }: Ended): Promise<number> {
  const { rows, actions } = await db.one<{ rows: number; actions: number }>(sql`-- every project: purges serve them all
    with ended as materialized (
      select async_actions.project_id, async_actions.id from async_actions
       where async_actions.results_until <= ${isoOf(instant)}
         and ${isAmong(sql`async_actions.project_id`, project_ids)}
       limit ${rows_max}
         for update skip locked
    ), old as materialized (
      select row.project_id, row.action_id, row.number
        from ended
        join async_action_rows as row on row.project_id = ended.project_id and row.action_id = ended.id
       limit ${rows_max}
    ), gone as (
      delete from async_action_rows using old
       where async_action_rows.project_id = old.project_id and async_action_rows.action_id = old.action_id
         and async_action_rows.number = old.number
      returning async_action_rows.number
    ), done as (
      -- A full batch may have left rows of any of them.
      update async_actions set results_until = null
        from ended
       where async_actions.project_id = ended.project_id and async_actions.id = ended.id
         and (select count(*) from old) < ${rows_max}
      returning async_actions.id
    )
    select (select count(*) from gone) as rows, (select count(*) from done) as actions`);
  return Math.max(rows, actions);
}
