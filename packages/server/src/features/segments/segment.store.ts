import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { sql } from "../../platform/db/sql.js";
import { insertInto, jsonb, table, text, timestamptz } from "../../platform/db/table.js";
import type { SegmentRow } from "./segment.js";

const segments = table<SegmentRow>("segments", {
  id: text,
  name: text,
  type: text,
  filter: jsonb,
  created_at: timestamptz,
  updated_at: timestamptz,
});
export const segment_fields = segments.fields;

/** Those of the segments that are there (rules.md §14). */
export const findSegmentsByIds = (db: Queries, project_id: string, ids: readonly string[]) =>
  db.many<SegmentRow>(sql`
    select ${segment_fields} from segments
     where segments.project_id = ${project_id} and segments.id = any(${ids}::text[])`);

/** The next segments after an id whose members are kept, in the order of ids. */
export const findKeptSegmentsAfter = (db: Queries, project_id: string, after_id: string, limit: number) =>
  db.many<SegmentRow>(sql`
    select ${segment_fields} from segments
     where segments.project_id = ${project_id} and segments.type = 'auto-update' and segments.id > ${after_id}
     order by segments.id
     limit ${limit}`);

export const countKeptSegments = async (db: Queries, project_id: string): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) as count from segments where segments.project_id = ${project_id} and segments.type = 'auto-update'`)
  ).count;

const segment_text = sql`segments.id, json_build_array(segments.type, segments.filter)::text as text`;

/** A page of the segments in the order of their ids: what a catalogue begins with (rules.md §14). */
export const segmentTextsAfter = (project_id: string, after_id: string, limit: number) =>
  sql`
    select ${segment_text} from segments
     where segments.project_id = ${project_id} and segments.id > ${after_id}
     order by segments.id
     limit ${limit}`;

export const segmentTextsOfIds = (project_id: string, ids: readonly string[]) =>
  sql`
    select ${segment_text} from segments
     where segments.project_id = ${project_id} and segments.id = any(${ids}::text[])`;

export const insertSegment = (tx: Tx, project_id: string, segment: SegmentRow) =>
  tx.run(insertInto(segments, project_id, [segment]));

/** Makes a passive segment one whose members are kept; answers it as it is now, null where it was none. */
export const activateSegment = (tx: Tx, project_id: string, id: string, instant: Instant) =>
  tx.maybe<SegmentRow>(sql`
    update segments set type = 'auto-update', updated_at = ${isoOf(instant)}
     where segments.project_id = ${project_id} and segments.id = ${id} and segments.type = 'passive'
    returning ${segment_fields}`);

/** Renames a segment, and asks another filter of it where one is given; answers it as it is now, null where that cannot be. */
export const updateSegment = (
  tx: Tx,
  project_id: string,
  { id, name, filter }: Pick<SegmentRow, "id" | "name" | "filter">,
  instant: Instant,
) =>
  tx.maybe<SegmentRow>(sql`
    update segments
       set name = ${name}, updated_at = ${isoOf(instant)},
           filter = coalesce(${filter === null ? null : JSON.stringify(filter)}::jsonb, segments.filter)
     where segments.project_id = ${project_id} and segments.id = ${id}
       and (${filter === null} or segments.type = 'passive')
    returning ${segment_fields}`);

/** The earning rules that wait for somebody to enter a segment (rules.md §14). */
export const findEarningRulesOfSegment = async (db: Queries, project_id: string, segment_id: string) =>
  (
    await db.many<{ id: string }>(sql`
      select earning_rules.id from earning_rules
       where earning_rules.project_id = ${project_id} and earning_rules.segment_id = ${segment_id}
       order by earning_rules.id
       limit 100`)
  ).map(({ id }) => id);

/** Lists customers as members of a static segment; ids that no customer has are passed over. */
export const insertMembers = (tx: Tx, project_id: string, segment_id: string, customer_ids: readonly string[]) =>
  tx.run(sql`
    insert into segment_members (project_id, customer_id, segment_id)
    select customers.project_id, customers.id, ${segment_id}
      from customers
     where customers.project_id = ${project_id} and customers.id = any(${customer_ids}::text[])`);

/** The list of members goes with it. Answers how many segments were deleted. */
export const deleteSegment = (tx: Tx, project_id: string, id: string) =>
  tx.run(sql`delete from segments where segments.project_id = ${project_id} and segments.id = ${id}`);

/** Which static segments list each of the customers (rules.md §14). */
export const findStaticMemberships = (db: Queries, project_id: string, customer_ids: readonly string[]) =>
  db.many<{ customer_id: string; segment_id: string }>(sql`
    select segment_members.customer_id, segment_members.segment_id
      from segment_members
     where segment_members.project_id = ${project_id}
       and segment_members.customer_id = any(${customer_ids}::text[])`);
