import type { Instant } from "../../../platform/clock.js";
import type { Queries, Tx } from "../../../platform/db/database.js";
import { findWalks, startWalks } from "../../../walks/index.js";

/** How far a walk over all customers has come, or over a segment's members. */
export interface Judged {
  /** The first judgement of all customers by a segment, or another one; that of a new day by all that time moves; the end of a segment. */
  task: "fill" | "look" | "day" | "end";
  /** The last customer that was judged. */
  after_id: string;
  /** Of a day: when its first slice was done. */
  begun_at: Instant | null;
}

/** The walks that judge, as they are stored; at most so many customers a slice. */
export const judging = { name: "segment memberships", size_max: 200 };

/** A segment's walk begins at once, whatever was under way of it. */
export const startOf = (
  tx: Tx,
  project_id: string,
  subject_id: string,
  task: "fill" | "look" | "end",
  instant: Instant,
) => startWalks(tx, judging, [{ project_id, subject_id, state: stateOf(task), due_at: instant }], "begin anew");

export const stateOf = (task: Judged["task"]): Judged => ({ task, after_id: "", begun_at: null });

/** How far the first judgements have come of those of the segments that are under way. */
export async function findFills(
  db: Queries,
  project_id: string,
  segment_ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const walks = await findWalks<Judged>(db, judging.name, project_id, segment_ids);
  return new Map(
    walks.flatMap(({ subject_id, state }) => (state.task === "fill" ? [[subject_id, state.after_id]] : [])),
  );
}

/** Whether every customer has been judged by the segment: its memberships tell all. */
export const areKept = async (db: Queries, project_id: string, segment_id: string): Promise<boolean> =>
  (await findWalks(db, judging.name, project_id, [segment_id])).length === 0;
