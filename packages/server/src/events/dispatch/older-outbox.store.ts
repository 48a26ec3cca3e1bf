import type { Queries } from "../../platform/db/database.js";
import { type Sql, sql } from "../../platform/db/sql.js";

/** Whether processes of an older version have left anything. */
export const someInOlderOutbox = (): Sql => sql`exists (select from outbox)`;

/** Moves some to where they are taken from: those that no other process holds, each in a parcel of its own. Answers how many. */
export async function moveFromOlderOutbox(db: Queries, rows_max: number): Promise<number> {
  const { moved } = await db.one<{ moved: number }>(sql`-- every project: whoever moves them serves them all
    with held as materialized (
      select outbox.tableoid as part, outbox.ctid as place from outbox limit ${rows_max} for update skip locked
    ), gone as (
      delete from outbox
       where outbox.ctid = any(array(select held.place from held))
         and ((outbox.tableoid, outbox.ctid) in (select held.part, held.place from held)) is true
      returning outbox.project_id, outbox.created_at, outbox.event_id
    ), moved as (
      insert into outbox_parcels (project_id, created_at, facts)
      select gone.project_id, gone.created_at,
             json_build_array(json_build_object('id', events.id, 'type', events.type, 'entity_id', events.entity_id,
                                                'created_at', (extract(epoch from events.created_at) * 1000)::bigint))
        from gone
       cross join lateral (
         select events.* from events
          where events.project_id = gone.project_id and events.created_at = gone.created_at and events.id = gone.event_id
          limit 1
       ) as events
    )
    select count(*) as moved from gone`);
  return moved;
}
