import { event_fields, type StoredEvent } from "../../events/index.js";
import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries } from "../../platform/db/database.js";
import { plannedEachTime, type Sql, sql } from "../../platform/db/sql.js";
import { all, isWithin } from "../../platform/http/lists.js";

/** What a customer's events are narrowed down to. */
export interface Narrowed {
  project_id: string;
  customer_id: string;
  facts: readonly string[];
  state: string | null;
  start: Instant | null;
  end: Instant | null;
  campaign_id: string | null;
  campaign_type: string | null;
}

/** The campaign that a fact is about: by its id, or as it stands in what the event keeps of a voucher. */
const campaign_id = sql`coalesce(events.data ->> 'campaign_id', events.data -> 'voucher' ->> 'campaign_id',
                                 events.data -> 'holder' ->> 'campaign_id',
                                 events.data -> 'pending_points' ->> 'campaign_id')`;

const isAskedFor = (asked: Narrowed): Sql =>
  all([
    sql`events.customer_id = ${asked.customer_id}`,
    sql`events.type = any(${asked.facts}::text[])`,
    ...(asked.state === null ? [] : [sql`events.data ->> 'state' = ${asked.state}`]),
    ...isWithin(sql`events.created_at`, asked),
    ...(asked.campaign_id === null ? [] : [sql`${campaign_id} = ${asked.campaign_id}`]),
    ...(asked.campaign_type === null
      ? []
      : [
          sql`exists (select from campaigns
                       where campaigns.project_id = ${asked.project_id} and campaigns.id = ${campaign_id}
                         and campaigns.campaign_type = ${asked.campaign_type})`,
        ]),
  ]);

/** The customer's event whose id ends so. */
export const findEventOf = (db: Queries, { project_id, customer_id }: Narrowed, tail: string) =>
  db.maybe<StoredEvent>(
    plannedEachTime(sql`
      select ${event_fields} from events
       where events.project_id = ${project_id} and events.customer_id = ${customer_id}
         and ${endsWith(tail)}
       limit 1`),
  );

/** Where a page begins, which way it goes, and how long it is. */
export interface Slice {
  seen: StoredEvent | null;
  descending: boolean;
  rows_max: number;
}

/** The order of a slice as SQL, and what stands behind the event that was seen last. */
export function sliceOf({ seen, descending }: Slice) {
  const own = sql`(events.created_at, events.id)`;
  const place = seen && sql`(${isoOf(seen.created_at)}::timestamptz, ${seen.id})`;
  return {
    is_behind: place ? (descending ? sql`${own} < ${place}` : sql`${own} > ${place}`) : sql`true`,
    order: descending ? sql`events.created_at desc, events.id desc` : sql`events.created_at, events.id`,
  };
}

/** Whether an event's id ends so, whatever stands before it. */
export const endsWith = (tail: string): Sql => sql`split_part(events.id, '_', 2) = ${tail}`;

/** The next events behind that one, which the index on customers brings in this order. */
export function listEventsOf(db: Queries, asked: Narrowed, slice: Slice): Promise<StoredEvent[]> {
  const { is_behind, order } = sliceOf(slice);
  return db.many<StoredEvent>(
    plannedEachTime(sql`
      select ${event_fields} from events
       where events.project_id = ${asked.project_id} and ${isAskedFor(asked)} and ${is_behind}
       order by ${order}
       limit ${slice.rows_max}`),
  );
}

/** How many there are of each kind that is told alike; of a reward its state decides. */
export const countEventsOf = (db: Queries, asked: Narrowed) => {
  const state = sql`case when events.type = 'customer.rewarded' then events.data ->> 'state' end`;
  return db.many<Pick<StoredEvent, "type"> & { state: string | null; events: number }>(
    plannedEachTime(sql`
      select events.type, ${state} as state, count(*) as events from events
       where events.project_id = ${asked.project_id} and ${isAskedFor(asked)}
       group by 1, 2`),
  );
};
