import type { Queries, Tx } from "../../platform/db/database.js";
import { joined, type Sql, sql } from "../../platform/db/sql.js";
import { isServed } from "../../platform/jobs/served.js";
import type { StoredEvent } from "../event.js";
import { wholeEvent } from "../event.store.js";

interface Taking {
  events_max: number;
  /** Null: every project. */
  project_ids: readonly string[] | null;
}

const of = (project_ids: Taking["project_ids"]): Sql => isServed(sql`outbox.project_id`, project_ids);

/** Whether there is anything in the outbox. */
export const someInOutbox = ({ project_ids }: Pick<Taking, "project_ids">): Sql =>
  sql`exists (select from outbox where ${of(project_ids)})`;

/**
 * Rows of the outbox, locked, as `held`. There is no cursor: what is there is new, in whatever order it was committed. Rows
 * that another dispatcher holds are passed over; should it die, they are here again.
 */
const held = ({ events_max, project_ids }: Taking): Sql => sql`
  held as materialized (
    select outbox.tableoid as part, outbox.ctid as place,
           outbox.project_id, outbox.created_at, outbox.event_id, outbox.type, outbox.entity_id
      from outbox
     where ${of(project_ids)}
     limit ${events_max}
       for update skip locked
  )`;

/**
 * Deletes rows that are held, as `dropped`: by their place, which cannot move while they are locked. Joined on their key they cost
 * a hash of the whole outbox for each batch: a backlog of 100,000 took 10 s in batches of 500, this way it takes 1 s.
 */
const droppedOf = (rows: Sql): Sql => sql`
  dropped as (
    delete from outbox
     where outbox.ctid = any(array(select chosen.place from ${rows} as chosen))
       -- Looked up in a hash: as a join it would look at all places again for each of them.
       and ((outbox.tableoid, outbox.ctid) in (select chosen.part, chosen.place from ${rows} as chosen)) is true
    returning outbox.event_id
  )`;

/** Events that somebody waits for: of these types, and where it holds of the project and type `gone`; unless said, of all. */
export interface Wanted {
  types: readonly string[];
  /** Those among them that are read; the others are told as they stand in the outbox. */
  whole_types: readonly string[];
  is_told?: Sql;
}

const isWanted = ({ types, is_told = sql`true` }: Wanted): Sql =>
  sql`(gone.type = any(${types}::text[]) and ${is_told})`;

/** Whether one of those who want the events `asked_for` must have them whole. */
const isReadBy = ({ whole_types }: Wanted, place: number): Sql =>
  sql`(asked_for.wanted_by[${place + 1}::int] and asked_for.type = any(${whole_types}::text[]))`;

/** An event that was taken off the outbox. */
export interface TakenEvent {
  /** Of one that nobody must have whole only what a `BriefEvent` has. */
  event: StoredEvent;
  /** Of each of those who want some, by place, whether they want this one; null where its row does not tell. */
  wanted_by: readonly (boolean | null)[];
}

/** What was taken off the outbox, whoever wanted it, and whether as much may be there still. */
export interface Batch {
  taken: number;
  has_more: boolean;
  events: TakenEvent[];
}

/**
 * How long a document is. A short one is stored as it is and about as long as its text; only a longer one may be compressed, and is
 * made a text to know it.
 */
const bytesOf = (data: Sql): Sql =>
  sql`case when pg_column_size(${data}) < 1000 then pg_column_size(${data}) else octet_length(${data}::text) end`;

/**
 * Takes events off the outbox: how many, and those that are wanted. One that is wanted whole and would make the batch larger than
 * `bytes_max` stays for the next one, with all behind it; the first is taken however large it is.
 */
export async function takeFromOutbox(
  tx: Tx,
  taking: Taking & { bytes_max: number; wanted: readonly Wanted[] },
): Promise<Batch> {
  const whole = joined(taking.wanted.map(isReadBy), "or", sql`false`);
  const rows = await tx.many<
    StoredEvent & Pick<TakenEvent, "wanted_by"> & { taken: number; held: number }
  >(sql`-- every project: the dispatcher serves them all
    with ${held(taking)}, asked_for as materialized (
      select gone.project_id, gone.type,
             array[${joined(taking.wanted.map(isWanted), ",", sql`null`)}]::boolean[] as wanted_by
        from (select distinct held.project_id, held.type from held) as gone
    ), told as materialized (
      select asked_for.*, true = any(asked_for.wanted_by) as is_wanted, ${whole} as is_whole from asked_for
    ), asked as materialized (
      select held.*, told.wanted_by, told.is_wanted, row_number() over () as number,
             -- A row of an older version says too little.
             held.type is null or told.is_wanted and (told.is_whole or held.entity_id is null) as is_read
        from held
        join told on told.project_id = held.project_id and told.type is not distinct from held.type
    ), weighed as materialized (
      select event.*, asked.wanted_by, asked.number,
             sum(${bytesOf(sql`event.data`)}) over (order by asked.number) as bytes
        from asked
        ${wholeEvent(sql`asked`)}
       where asked.is_read
    ), room as materialized (
      select coalesce(min(weighed.number) filter (where weighed.number > first.number and weighed.bytes > ${taking.bytes_max}),
                      ${taking.events_max}::int + 1) as number
        from (select min(weighed.number) as number from weighed) as first
        left join weighed on true
    ), chosen as materialized (
      select asked.part, asked.place from asked, room where asked.number < room.number
    ), ${droppedOf(sql`chosen`)}, wanted as (
      select weighed.wanted_by, weighed.project_id, weighed.id, weighed.type, weighed.entity_id, weighed.created_at,
             weighed.customer_id, weighed.group_id, weighed.event_source, weighed.data
        from weighed, room where weighed.number < room.number
      union all
      select asked.wanted_by, asked.project_id, asked.event_id, asked.type, asked.entity_id, asked.created_at,
             null, null, null, null
        from asked, room where asked.number < room.number and asked.is_wanted and not asked.is_read
    )
    select counted.taken, counted.held, wanted.*
      from (select (select count(*) from dropped) as taken, (select count(*) from held) as held) as counted
      left join wanted on true
     order by wanted.created_at, wanted.id`);
  const [first] = rows;
  if (!first) throw new Error("a count has one row");
  // A row from before there were types has none, and its event is read for that.
  const types = new Set(taking.wanted.flatMap((wanted) => wanted.types));
  const events = rows.filter(({ id, type }) => id !== null && types.has(type));
  return {
    taken: first.taken,
    has_more: first.held === taking.events_max || first.taken < first.held,
    events: events.map(({ taken, held, wanted_by, ...event }) => ({ event, wanted_by })),
  };
}

/** Takes rows off the outbox that nobody waits for, without their events. */
export async function dropFromOutbox(db: Queries, taking: Taking): Promise<Omit<Batch, "events">> {
  const { taken } = await db.one<{ taken: number }>(sql`-- every project: the dispatcher serves them all
    with ${held(taking)}, ${droppedOf(sql`held`)} select count(*) as taken from dropped`);
  return { taken, has_more: taken === taking.events_max };
}
