import type { Queries, Tx } from "../../platform/db/database.js";
import { joined, type Sql, sql } from "../../platform/db/sql.js";
import type { StoredEvent } from "../event.js";
import { wholeEvent } from "../event.store.js";

interface Taking {
  events_max: number;
  /** Null: every project. */
  project_ids: readonly string[] | null;
}

const of = (project_ids: Taking["project_ids"]): Sql => sql`
  (${project_ids}::text[] is null or outbox.project_id = any(${project_ids}::text[]))`;

/** Whether there is anything in the outbox. */
export const someInOutbox = ({ project_ids }: Pick<Taking, "project_ids">): Sql =>
  sql`exists (select from outbox where ${of(project_ids)})`;

/**
 * Rows of the outbox, locked and deleted, as `gone`. There is no cursor: what is there is new, in whatever order it
 * was committed. Rows that another dispatcher holds are passed over; should it die, they are here again.
 *
 * They are deleted by their place, which cannot move while they are locked. Joined on their key they cost a hash of
 * the whole outbox for each batch: a backlog of 100,000 took 10 s in batches of 500, this way it takes 1 s.
 */
const gone = ({ events_max, project_ids }: Taking): Sql => sql`
  taken as materialized (
    select outbox.tableoid as part, outbox.ctid as place from outbox
     where ${of(project_ids)}
     limit ${events_max}
       for update skip locked
  ), gone as (
    delete from outbox
     where outbox.ctid = any(array(select taken.place from taken))
       and (outbox.tableoid, outbox.ctid) in (select taken.part, taken.place from taken)
    returning outbox.project_id, outbox.created_at, outbox.event_id, outbox.type
  )`;

/** Events that somebody waits for: of these types, and of such rows `gone` of the outbox; unless said, of all. */
export interface Wanted {
  types: readonly string[];
  is_told?: Sql;
}

const isWanted = ({ types, is_told = sql`true` }: Wanted): Sql =>
  sql`(gone.type = any(${types}::text[]) and ${is_told})`;

/** An event that was taken off the outbox. */
export interface TakenEvent {
  event: StoredEvent;
  /** Of each of those who want some, by place, whether they want this one; null where its row does not tell. */
  wanted_by: readonly (boolean | null)[];
}

/** Takes events off the outbox: how many, and those that are wanted whole. */
export async function takeFromOutbox(
  tx: Tx,
  taking: Taking & { wanted: readonly Wanted[] },
): Promise<{ taken: number; events: TakenEvent[] }> {
  const rows = await tx.many<
    StoredEvent & Pick<TakenEvent, "wanted_by"> & { taken: number }
  >(sql`-- every project: the dispatcher serves them all
    with ${gone(taking)}, asked as materialized (
      select gone.*, array[${joined(taking.wanted.map(isWanted), ",", sql`null`)}]::boolean[] as wanted_by from gone
    ), wanted as (
      select event.*, asked.wanted_by
        from asked
        ${wholeEvent(sql`asked`)}
       where asked.type is null or true = any(asked.wanted_by)
    )
    select counted.taken, wanted.*
      from (select count(*) as taken from gone) as counted
      left join wanted on true
     order by wanted.created_at, wanted.id`);
  const [first] = rows;
  if (!first) throw new Error("a count has one row");
  // A row from before there were types has none, and its event is read for that.
  const types = new Set(taking.wanted.flatMap((wanted) => wanted.types));
  const events = rows.filter(({ id, type }) => id !== null && types.has(type));
  return {
    taken: first.taken,
    events: events.map(({ taken, wanted_by, ...event }) => ({ event: event as StoredEvent, wanted_by })),
  };
}

/** Takes rows off the outbox that nobody waits for, without their events; answers how many. */
export async function dropFromOutbox(db: Queries, taking: Taking): Promise<number> {
  const { dropped } = await db.one<{ dropped: number }>(sql`-- every project: the dispatcher serves them all
    with ${gone(taking)} select count(*) as dropped from gone`);
  return dropped;
}
