import { compileSegment, type FilterClock, type Segment, TooMuchWork, Work } from "@guerdon/engine";
import type { Instant } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import type { Queries } from "../../../platform/db/database.js";
import type { Turns } from "../../../platform/sharing/turns.js";
import { readLocationsNamed } from "../../locations/index.js";
import { type Project, readMetadataSchemas } from "../../projects/index.js";
import { pathsOf, type SegmentRow } from "../segment.js";

/** Customers as filters see them, by id. */
export type Subjects = ReadonlyMap<string, Record<string, unknown>>;

/** The customer's fields that the segments look at. */
export const pathsOfAll = (segments: readonly SegmentRow[]): ReadonlySet<string> =>
  new Set(segments.flatMap(({ filter }) => pathsOf(filter)));

/**
 * Asks the filters of segments about customers, one after the other; whoever else works has turns in between. A filter that
 * another version has stored and this one cannot read holds nobody.
 *
 * @param found is told who is held by which of them and who is not
 */
export async function judge(
  { turns, db }: Pick<Context, "turns"> & { db: Queries },
  { id: project_id, timezone: time_zone }: Pick<Project, "id" | "timezone">,
  instant: Instant,
  subjects: Subjects,
  segments: readonly SegmentRow[],
  found: (segment_id: string, customer_id: string, is_held: boolean) => void,
): Promise<void> {
  const filters = segments.map(({ filter }) => filter);
  const location = await readLocationsNamed(db, project_id, filters);
  const { typeOf } = await readMetadataSchemas(db, project_id);
  const compiled = segments.map((row) => ({ id: row.id, made: compileSegment(row, { metadata_type: typeOf }) }));
  for (const [customer_id, subject] of subjects) {
    for (const { id, made } of compiled) {
      const at = { instant, time_zone, location };
      found(id, customer_id, "segment" in made && (await holdsInTurn(turns, project_id, made.segment, subject, at)));
    }
  }
}

/**
 * Asks one segment about one customer; whoever else works has a turn behind it. One on whom a filter takes more work than a
 * decision may is not told to be held by it.
 */
export async function holdsInTurn(
  turns: Turns,
  project_id: string,
  segment: Pick<Segment, "holds">,
  subject: Record<string, unknown>,
  at: Omit<FilterClock, "work">,
): Promise<boolean> {
  const work = new Work({ turn_max: turns.stretch_max, decision_max: turns.stretch_max });
  let is_held = false;
  try {
    is_held = segment.holds(subject, { ...at, work });
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error;
  }
  if (turns.took(project_id, work.endTurn())) await turns.next(project_id);
  return is_held;
}
