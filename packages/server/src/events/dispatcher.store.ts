import type { Tx } from "../platform/database.js";
import { sql } from "../platform/sql.js";
import type { StoredEvent } from "./event.js";

interface Taking {
  events_max: number;
  /** Events to leave where they are. */
  except: readonly string[];
  /** Null: every project. */
  project_ids: readonly string[] | null;
}

/**
 * Takes events off the outbox. There is no cursor: what is there is new, in whatever order it was committed. Rows that
 * another dispatcher holds are passed over; should it die, they are here again.
 */
export const takeFromOutbox = (tx: Tx, { events_max, except, project_ids }: Taking) =>
  tx.many<StoredEvent>(sql`-- every project: the dispatcher serves them all
    with taken as (
      select outbox.project_id, outbox.created_at, outbox.event_id from outbox
       where outbox.event_id <> all(${except}::text[])
         and (${project_ids}::text[] is null or outbox.project_id = any(${project_ids}::text[]))
       limit ${events_max}
         for update skip locked
    ), gone as (
      delete from outbox using taken
       where outbox.project_id = taken.project_id and outbox.created_at = taken.created_at
         and outbox.event_id = taken.event_id
      returning outbox.project_id, outbox.created_at, outbox.event_id
    )
    select events.project_id, events.id, events.type, events.entity_id, events.customer_id, events.group_id,
           events.event_source, events.data, events.created_at
      from gone
      join events on events.project_id = gone.project_id and events.created_at = gone.created_at
                 and events.id = gone.event_id
     order by events.created_at, events.id`);
