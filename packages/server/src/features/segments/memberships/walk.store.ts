import { type Instant, isoOf } from "../../../platform/clock.js";
import type { Queries, Tx } from "../../../platform/db/database.js";
import { sql } from "../../../platform/db/sql.js";

/** A walk over all customers of a project, in the order of their ids. */
export interface Walk {
  project_id: string;
  /** Empty: of all segments that time moves. */
  segment_id: string;
  task: "fill" | "day" | "end";
  /** The last customer that was judged. */
  after_id: string;
  begun_at: Instant | null;
}

/** A segment's walk begins at once, whatever was under way of it. */
export const startWalk = (tx: Tx, project_id: string, segment_id: string, task: "fill" | "end", instant: Instant) =>
  tx.run(sql`
    insert into segment_walks (project_id, segment_id, task, due_at)
    values (${project_id}, ${segment_id}, ${task}, ${isoOf(instant)})
        on conflict (project_id, segment_id) do update set task = excluded.task, after_id = '', due_at = excluded.due_at`);

/** From now on the project's days are walked; one that is planned stays so. */
export const planDays = (tx: Tx, project_id: string, due_at: Instant) =>
  tx.run(sql`
    insert into segment_walks (project_id, segment_id, task, due_at)
    values (${project_id}, '', 'day', ${isoOf(due_at)})
        on conflict (project_id, segment_id) do nothing`);

const fields = sql`
  segment_walks.project_id, segment_walks.segment_id, segment_walks.task, segment_walks.after_id, segment_walks.begun_at`;

/** The walk that is due and waits for its turn longest. */
export const findDueWalk = (db: Queries, instant: Instant, project_ids: readonly string[] | null) =>
  db.maybe<Walk>(sql`-- every project: one schedule walks for them all
    select ${fields} from segment_walks
     where segment_walks.due_at <= ${isoOf(instant)}
       and (${project_ids}::text[] is null or segment_walks.project_id = any(${project_ids}::text[]))
     order by segment_walks.served_at nulls first
     limit 1`);

/** The walk as it stands now, and nobody else's until the transaction ends; undefined where somebody else has it. */
export const takeWalk = (tx: Tx, { project_id, segment_id }: Walk) =>
  tx.maybe<Walk>(sql`
    select ${fields} from segment_walks
     where segment_walks.project_id = ${project_id} and segment_walks.segment_id = ${segment_id}
       for update skip locked`);

/** Where the next slice goes on. */
export const keepWalk = (tx: Tx, walk: Walk, after_id: string, instant: Instant) =>
  tx.run(sql`
    update segment_walks
       set after_id = ${after_id}, served_at = ${isoOf(instant)}, begun_at = coalesce(segment_walks.begun_at, ${isoOf(instant)})
     where segment_walks.project_id = ${walk.project_id} and segment_walks.segment_id = ${walk.segment_id}`);

/** Not before then. */
export const putOffWalk = (db: Queries, { project_id, segment_id }: Walk, due_at: Instant) =>
  db.run(sql`
    update segment_walks set due_at = ${isoOf(due_at)}
     where segment_walks.project_id = ${project_id} and segment_walks.segment_id = ${segment_id}`);

/** The day is through; the next one begins then. */
export const endDay = (tx: Tx, { project_id, segment_id }: Walk, due_at: Instant) =>
  tx.run(sql`
    update segment_walks set after_id = '', begun_at = null, due_at = ${isoOf(due_at)}
     where segment_walks.project_id = ${project_id} and segment_walks.segment_id = ${segment_id}`);

export const deleteWalk = (tx: Tx, { project_id, segment_id }: Walk) =>
  tx.run(sql`
    delete from segment_walks
     where segment_walks.project_id = ${project_id} and segment_walks.segment_id = ${segment_id}`);

/** How far the first judgements have come of those of the segments that are under way. */
export const findFills = (db: Queries, project_id: string, segment_ids: readonly string[]) =>
  db.many<{ segment_id: string; after_id: string }>(sql`
    select segment_walks.segment_id, segment_walks.after_id from segment_walks
     where segment_walks.project_id = ${project_id} and segment_walks.task = 'fill'
       and segment_walks.segment_id = any(${segment_ids}::text[])`);
