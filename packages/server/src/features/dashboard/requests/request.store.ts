import { type Instant, isoOf } from "../../../platform/clock.js";
import type { Queries } from "../../../platform/db/database.js";
import { sql } from "../../../platform/db/sql.js";

const events_max = 100;

/** What a request made true: at its own instant, by which events are found. */
export const listEventsOfRequest = (
  db: Queries,
  project_id: string,
  { id, created_at }: { id: string; created_at: Instant },
) =>
  db.many<{ id: string; type: string; entity_id: string }>(sql`
    select events.id, events.type, events.entity_id from events
     where events.project_id = ${project_id} and events.created_at = ${isoOf(created_at)} and events.group_id = ${id}
     order by events.id limit ${events_max}`);
