import type { Instant } from "../../platform/clock.js";
import type { Database } from "../../platform/db/database.js";
import { type Sql, sql } from "../../platform/db/sql.js";
import { isWithin } from "../../platform/http/lists.js";
import { type Listed, orderOf, type Page, readList } from "../../platform/listing/index.js";
import type { SegmentRow } from "./segment.js";
import { segment_fields } from "./segment.store.js";

interface SegmentFilter {
  ids: readonly string[] | undefined;
  /** Both inclusive. */
  start: Instant | null;
  end: Instant | null;
  /** What `filters` says. */
  filters: Sql | null;
}

const sort_keys = { created_at: { keys: [sql`segments.created_at`, sql`segments.id`] } };

/** One page of the segments asked for, and how many there are in all. */
export function listSegments(
  db: Database,
  project_id: string,
  { ids, start, end, filters }: SegmentFilter,
  order: "created_at" | "-created_at",
  page: Page,
): Promise<Listed<SegmentRow>> {
  const conditions = isWithin(sql`segments.created_at`, { start, end });
  if (ids !== undefined) conditions.push(sql`segments.id = any(${ids}::text[])`);
  if (filters) conditions.push(filters);
  return readList<SegmentRow>(
    db,
    project_id,
    { table: sql`segments`, fields: segment_fields },
    { conditions, order: orderOf(order, sort_keys), page },
  );
}
