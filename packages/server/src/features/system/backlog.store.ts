import type { Instant } from "../../platform/clock.js";
import type { Queries } from "../../platform/db/database.js";
import { sql } from "../../platform/db/sql.js";
import { isServed } from "../../platform/jobs/served.js";

/** Since when the work after the answer is waiting; null where none is. */
export interface Oldest {
  in_outbox: Instant | null;
  in_inbox: Instant | null;
  action: Instant | null;
}

/** Of a project whose time somebody turns nobody is behind. */
const ours = isServed(sql`async_actions.project_id`, null);

/** Each is the first of an index. */
export const findOldest = (db: Queries) =>
  db.one<Oldest>(sql`-- every project: an operator looks after them all
    select (select min(outbox_parcels.created_at) from outbox_parcels
             where ${isServed(sql`outbox_parcels.project_id`, null)}) as in_outbox,
           (select min(inbox.created_at) from inbox
             where inbox.due_at is not null and ${isServed(sql`inbox.project_id`, null)}) as in_inbox,
           least((select min(async_actions.created_at) from async_actions
                   where ${ours} and async_actions.queue = 'bulk' and async_actions.status in ('ENQUEUED', 'IN_PROGRESS')),
                 (select min(async_actions.created_at) from async_actions
                   where ${ours} and async_actions.queue = 'long' and async_actions.status in ('ENQUEUED', 'IN_PROGRESS'))) as action`);
