import type { Queries } from "../../../platform/db/database.js";
import type { SegmentRow } from "../segment.js";
import { findKeptSegmentsAfter } from "../segment.store.js";

/** In memory at once, with up to 256 KB of a filter each. */
const segments_max = 50;

/** The segments of a project whose members are kept, some at a time. */
export async function* keptSegments(db: Queries, project_id: string): AsyncGenerator<SegmentRow[]> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const page: SegmentRow[] = await findKeptSegmentsAfter(db, project_id, after, segments_max);
    if (page.length > 0) yield page;
    after = page.length < segments_max ? undefined : page.at(-1)?.id;
  }
}
