import type { Instant } from "../../platform/clock.js";
import { isoOf } from "../../platform/clock.js";
import type { Queries } from "../../platform/database.js";
import { all, orderBy } from "../../platform/http/lists.js";
import { type Sql, sql } from "../../platform/sql.js";
import type { SegmentRow } from "./segment.js";
import { segment_fields } from "./segment.store.js";

export interface SegmentListing {
  ids: readonly string[] | undefined;
  /** Both inclusive. */
  since: Instant | null;
  until: Instant | null;
  /** What the filters of the query say. */
  filter: Sql;
  order: "created_at" | "-created_at";
  limit: number;
}

/** The first of the segments asked for, and how many there are in all. */
export async function listSegments(
  db: Queries,
  project_id: string,
  { ids, since, until, filter, order, limit }: SegmentListing,
): Promise<{ segments: SegmentRow[]; total: number }> {
  const conditions: Sql[] = [filter];
  if (ids !== undefined) conditions.push(sql`segments.id = any(${ids}::text[])`);
  if (since !== null) conditions.push(sql`segments.created_at >= ${isoOf(since)}`);
  if (until !== null) conditions.push(sql`segments.created_at <= ${isoOf(until)}`);
  const columns = { created_at: sql`segments.created_at` };
  const [segments, { total }] = await Promise.all([
    db.many<SegmentRow>(sql`
      select ${segment_fields} from segments
       where segments.project_id = ${project_id} and ${all(conditions)}
       order by ${orderBy(order, columns, sql`segments.id`)}
       limit ${limit}`),
    db.one<{ total: number }>(sql`
      select count(*) as total from segments where segments.project_id = ${project_id} and ${all(conditions)}`),
  ]);
  return { segments, total };
}
