import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { column, type Sql, sql } from "../../platform/db/sql.js";
import { isServed } from "../../platform/jobs/served.js";
import type { StoredEvent } from "../event.js";

/** Leaves events for a consumer to take; one that waits already stays as it is. They are due in their own order. */
export const insertIntoInbox = (tx: Tx, consumer: string, events: readonly StoredEvent[]) => {
  const created = events.map(({ created_at }) => isoOf(created_at));
  return tx.run(sql`-- every project: the dispatcher serves them all; each row brings its project_id
    insert into inbox (project_id, consumer, event_id, created_at, due_at)
    select event.project_id, ${consumer}, event.event_id, event.created_at, event.created_at
      from unnest(${column(events, "project_id")}::text[], ${column(events, "id")}::text[],
                  ${created}::timestamptz[]) as event (project_id, event_id, created_at)
        on conflict (project_id, event_id, consumer) do nothing`);
};

interface Asking {
  consumer: string;
  instant: Instant;
  /** Null: every project. */
  project_ids: readonly string[] | null;
}

const isDue = ({ consumer, instant, project_ids }: Asking): Sql => sql`
  inbox.consumer = ${consumer} and inbox.due_at <= ${isoOf(instant)}
  and ${isServed(sql`inbox.project_id`, project_ids)}`;

/** Whether anything is due. */
export const someInInbox = (asking: Asking): Sql => sql`exists (select from inbox where ${isDue(asking)})`;

/** An event that waits for a consumer. The event is null where it went with its customer or its month. */
export interface InboxRow {
  project_id: string;
  event_id: string;
  tries: number;
  event: StoredEvent | null;
}

/**
 * Takes what is due, the same of each project that has some, beginning after the project that was served last: one with a
 * rush has no more of a batch than the others. What somebody else holds is passed over; should that one die, it is here
 * again.
 */
export async function takeFromInbox(
  tx: Tx,
  { events_max, after, ...asking }: Asking & { events_max: number; after: string },
): Promise<InboxRow[]> {
  const rows = await tx.many<Omit<InboxRow, "event"> & StoredEvent>(sql`-- every project: the worker serves them all
    with recursive project (id) as (
      select min(inbox.project_id) from inbox where ${isDue(asking)}
      union all
      select (select min(inbox.project_id) from inbox where ${isDue(asking)} and inbox.project_id > project.id)
        from project where project.id is not null
    ), served as (
      select project.id from project where project.id is not null
       order by project.id <= ${after}, project.id
       limit ${events_max}
    ), taken as materialized (
      select mine.*
        from served
       cross join lateral (
         select inbox.project_id, inbox.event_id, inbox.created_at, inbox.tries from inbox
          where ${isDue(asking)} and inbox.project_id = served.id
          order by inbox.due_at, inbox.event_id
          limit (select greatest(1, ${events_max}::int / greatest(1, count(*)::int)) from served)
            for update skip locked
       ) as mine
    )
    select taken.project_id, taken.event_id, taken.tries, event.id, event.type, event.entity_id, event.customer_id,
           event.group_id, event.event_source, event.data, taken.created_at
      from taken
      left join lateral (
        select events.* from events
         where events.project_id = taken.project_id and events.created_at = taken.created_at
           and events.id = taken.event_id
         limit 1
      ) as event on true
     order by taken.created_at, taken.event_id`);
  return rows.map(({ tries, event_id, ...event }) => ({
    project_id: event.project_id,
    event_id,
    tries,
    event: event.id === null ? null : (event as StoredEvent),
  }));
}

/** Answers how many there were. */
export const deleteFromInbox = (tx: Tx, consumer: string, rows: readonly InboxRow[]) =>
  tx.run(sql`-- every project: the worker serves them all; each row brings its project_id
    delete from inbox
     using unnest(${column(rows, "project_id")}::text[], ${column(rows, "event_id")}::text[])
             as done (project_id, event_id)
     where inbox.project_id = done.project_id and inbox.event_id = done.event_id and inbox.consumer = ${consumer}`);

/** Puts an event off after a failed try; null: for good. */
export const putOff = (
  db: Queries,
  consumer: string,
  { project_id, event_id, tries }: Pick<InboxRow, "project_id" | "event_id" | "tries">,
  due_at: Instant | null,
) =>
  db.run(sql`
    update inbox set tries = ${tries}, due_at = ${isoOf(due_at)}
     where inbox.project_id = ${project_id} and inbox.event_id = ${event_id} and inbox.consumer = ${consumer}`);
