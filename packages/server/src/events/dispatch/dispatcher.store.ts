import type { Tx } from "../../platform/db/database.js";
import { column, joined, type Sql, sql } from "../../platform/db/sql.js";
import { isServed } from "../../platform/jobs/served.js";
import type { StoredEvent } from "../event.js";
import { placesOf, wholeEvent } from "../event.store.js";
import { insertParcels, type Parcel, type Waiting } from "../outbox.store.js";

interface Whose {
  /** Null: every project. */
  project_ids: readonly string[] | null;
}

const of = ({ project_ids }: Whose): Sql => isServed(sql`outbox_parcels.project_id`, project_ids);

/** Whether there is anything in the outbox: by its index, whose first entry answers, past whatever was there before. */
export const someInOutbox = (whose: Whose): Sql =>
  sql`(select min(outbox_parcels.created_at) -- every project: the dispatcher serves them all
         from outbox_parcels where ${of(whose)}) is not null`;

/** A parcel that is locked, and so stays where it is. */
export interface HeldParcel extends Parcel {
  place: string;
}

/**
 * Those that have waited longest, locked. There is no cursor: what is there is new, in whatever order it was committed. Those that
 * another dispatcher holds are passed over; should it die, they are here again.
 */
export const holdParcels = (tx: Tx, { parcels_max, ...whose }: Whose & { parcels_max: number }) =>
  tx.many<HeldParcel>(sql`-- every project: the dispatcher serves them all
    select outbox_parcels.ctid::text as place, outbox_parcels.project_id, outbox_parcels.facts
      from outbox_parcels
     where ${of(whose)}
     order by outbox_parcels.created_at
     limit ${parcels_max}
       for update skip locked`);

/** Deletes parcels that are held, and leaves what was not taken of them in others. */
export async function dropParcels(tx: Tx, held: readonly HeldParcel[], left: readonly Parcel[]): Promise<void> {
  const drop = sql`-- every project: the dispatcher serves them all
    delete from outbox_parcels where outbox_parcels.ctid = any(${column(held, "place")}::tid[])`;
  await Promise.all([drop, ...insertParcels(left)].map((statement) => tx.run(statement)));
}

/** Events of a type in a project. */
export interface Sort {
  project_id: string;
  type: string;
}

/** Of each of the sorts, whether it holds: one answer for each condition on `gone`. */
export const askOf = (tx: Tx, sorts: readonly Sort[], conditions: readonly Sql[]) =>
  tx.many<Sort & { answers: boolean[] }>(sql`-- every project: the dispatcher serves them all
    select gone.project_id, gone.type, array[${joined(conditions, ",")}]::boolean[] as answers
      from unnest(${column(sorts, "project_id")}::text[], ${column(sorts, "type")}::text[]) as gone (project_id, type)`);

/**
 * How long a document is. A short one is stored as it is and about as long as its text; only a longer one may be compressed, and is
 * made a text to know it.
 */
const bytesOf = (data: Sql): Sql =>
  sql`case when pg_column_size(${data}) < 1000 then pg_column_size(${data}) else octet_length(${data}::text) end`;

/** An event that was read, and the number of the first that was not for want of room, counted from 1. */
type Read = StoredEvent & { room: number | null };

/**
 * Events whole, in their order, without those that went with their customer or their month. Before the first that would make them
 * larger than `bytes_max` they end; one alone may be larger.
 */
export const readWhole = (tx: Tx, waiting: readonly Waiting[], bytes_max: number) =>
  tx.many<Read>(sql`-- every project: the dispatcher serves them all
    with weighed as materialized (
      select event.*, wanted.number, sum(${bytesOf(sql`event.data`)}) over (order by wanted.number) as bytes
        from ${placesOf(waiting)}
        ${wholeEvent(sql`wanted`)}
    ), room as materialized (
      select min(weighed.number) filter (where weighed.number > first.number and weighed.bytes > ${bytes_max}) as number
        from (select min(weighed.number) as number from weighed) as first
        left join weighed on true
    )
    select weighed.project_id, weighed.id, weighed.type, weighed.entity_id, weighed.customer_id, weighed.group_id,
           weighed.event_source, weighed.data, weighed.created_at, room.number as room
      from weighed, room
     where room.number is null or weighed.number < room.number`);
