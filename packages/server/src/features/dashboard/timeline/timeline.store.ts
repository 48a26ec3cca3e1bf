import { event_fields, type StoredEvent } from "../../../events/index.js";
import { isoOf } from "../../../platform/clock.js";
import type { Queries } from "../../../platform/db/database.js";
import { joined, plannedEachTime, type Sql, sql } from "../../../platform/db/sql.js";
import type { Moment } from "../cursor.js";
import type { TimelineObject } from "./timeline.schemas.js";

/** What a timeline is of. */
export interface Subject {
  project_id: string;
  object: TimelineObject;
  id: string;
  /** Whom events about it name: those are found by them. */
  customer_ids: readonly string[];
}

export interface Slice {
  /** The event that was seen last. */
  seen: Moment | null;
  rows_max: number;
}

/** Where the events about a thing are found: each place by an index. */
function placesOf({ project_id, object, id, customer_ids }: Subject, { seen, rows_max }: Slice): Sql[] {
  const at = seen && isoOf(seen.created_at);
  const is_before = seen
    ? sql`(events.created_at, events.id) < (${at}::timestamptz, ${seen.id}::text collate "C")`
    : sql`true`;
  const ofEvents = (which: Sql) => sql`
    (select events.created_at, events.id from events
      where events.project_id = ${project_id} and ${which} and ${is_before}
      order by events.created_at desc, events.id desc limit ${rows_max})`;
  // What was redeemed or published is told of the redemption or the publication itself, at its time. As many of those are taken
  // first: joined as they are, all of a large campaign's were read to sort their events.
  const through = (table: Sql, column: Sql) => {
    const toldOf = (when: Sql, slice: Sql) => sql`
      (select events.created_at, events.id
        from (select ${table}.id, ${table}.created_at from ${table}
               where ${table}.project_id = ${project_id} and ${table}.${column} = ${id} and ${when} ${slice}) as told
       cross join lateral (
         select events.created_at, events.id from events
          where events.project_id = ${project_id} and events.entity_id = told.id and events.created_at = told.created_at
            and ${is_before}
         offset 0
       ) as events)`;
    // Many may be of one moment: none of them is left out, and those of the moment that was seen count for themselves.
    const latest = sql`order by ${table}.created_at desc fetch first ${rows_max} rows with ties`;
    if (!seen) return [toldOf(sql`true`, latest)];
    return [toldOf(sql`${table}.created_at = ${at}`, sql``), toldOf(sql`${table}.created_at < ${at}`, latest)];
  };
  const own = [
    ofEvents(sql`events.entity_id = ${id} and events.customer_id is null`),
    ...customer_ids.map((customer_id) =>
      ofEvents(
        sql`events.customer_id = ${customer_id} and (events.entity_id = ${id} or events.data ->> 'voucher_id' = ${id})`,
      ),
    ),
  ];
  const redeemed_or_published = (column: Sql) => [
    ...through(sql`redemptions`, column),
    ...through(sql`publications`, column),
  ];
  switch (object) {
    case "customer":
      return [ofEvents(sql`events.customer_id = ${id}`)];
    case "order":
      return [...own, ...through(sql`redemptions`, sql`order_id`)];
    case "campaign":
      return [...own, ...redeemed_or_published(sql`campaign_id`)];
    case "voucher":
      return [...own, ...redeemed_or_published(sql`voucher_id`)];
  }
}

/** A public code may have been given to any number; of more than so many not all are looked at. */
const holders_read_max = 1_000;

/** Who had the voucher last. */
export const findLastHolders = async (db: Queries, project_id: string, voucher_id: string, holders_max: number) =>
  (
    await db.many<{ customer_id: string }>(sql`
      select holders.customer_id
        from (select voucher_holders.customer_id, voucher_holders.created_at from voucher_holders
               where voucher_holders.project_id = ${project_id} and voucher_holders.voucher_id = ${voucher_id}
               limit ${holders_read_max}) as holders
       order by holders.created_at desc limit ${holders_max}`)
  ).map(({ customer_id }) => customer_id);

/** The latest events about a thing, or those before the one that was seen. */
export function listEventsAbout(db: Pick<Queries, "many">, subject: Subject, slice: Slice): Promise<StoredEvent[]> {
  const places = joined(placesOf(subject, slice), "union");
  return db.many<StoredEvent>(
    plannedEachTime(sql`
      select ${event_fields}
        from (select * from (${places}) as found (created_at, id)
               order by found.created_at desc, found.id desc limit ${slice.rows_max}) as place
       cross join lateral (
         select * from events
          where events.project_id = ${subject.project_id} and events.created_at = place.created_at and events.id = place.id
       ) as events
       order by events.created_at desc, events.id desc`),
  );
}
