import { type Instant, isoOf } from "../platform/clock.js";
import type { Queries } from "../platform/db/database.js";
import { column, type Sql, sql } from "../platform/db/sql.js";
import { jsonb, table, text, timestamptz } from "../platform/db/table.js";
import type { StoredEvent } from "./event.js";

/** Where an event is kept. */
interface EventPlace {
  project_id: string;
  event_id: string;
  created_at: Instant;
}

type EventRow = Omit<StoredEvent, "project_id">;

/** Who did it is mostly the same of what is written together: one key of a busy shop. */
export const events = table<EventRow>(
  "events",
  {
    id: text,
    type: text,
    entity_id: text,
    customer_id: text,
    group_id: text,
    event_source: jsonb,
    data: jsonb,
    created_at: timestamptz,
  },
  ["event_source"],
);

/** An event as it is stored. */
export const event_fields = sql`events.project_id, ${events.fields}`;

/** The event that a row names, whole, beside that row: looked up by its key, since a join might read all of `events` instead. */
export const wholeEvent = (row: Sql): Sql => sql`
  cross join lateral (
    select ${event_fields}
      from events
     where events.project_id = ${row}.project_id and events.created_at = ${row}.created_at
       and events.id = ${row}.event_id
     limit 1
  ) as event`;

/** Places of events, numbered in their order from 1, as `wanted`. */
export function placesOf(places: readonly { project_id: string; id: string; created_at: Instant }[]): Sql {
  const created = places.map(({ created_at }) => isoOf(created_at));
  return sql`
    unnest(${column(places, "project_id")}::text[], ${column(places, "id")}::text[], ${created}::timestamptz[])
      with ordinality as wanted (project_id, event_id, created_at, number)`;
}

/** The events there, without those that went with their customer or their month. */
export const findEvents = (db: Queries, places: readonly EventPlace[]) =>
  db.many<StoredEvent>(sql`-- every project: whoever tells of events serves them all; each place brings its project_id
    select event.* from ${placesOf(places.map(({ event_id, ...place }) => ({ ...place, id: event_id })))}
      ${wholeEvent(sql`wanted`)}`);
