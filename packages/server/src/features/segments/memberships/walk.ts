import { addDuration, localTime, zoneOf } from "@guerdon/engine";
import { isAway } from "../../../events/index.js";
import type { Instant } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import type { Tx } from "../../../platform/db/database.js";
import { newRequestId } from "../../../platform/ids.js";
import { type Change, change, holding } from "../../../recording/index.js";
import { eventSourceOf, the_service } from "../../../terms/index.js";
import { customerBesideKey, findCustomerIdsAfter, findCustomersByIds } from "../../customers/index.js";
import { type Call, findProject, type Project } from "../../projects/index.js";
import type { SegmentRow } from "../segment.js";
import { countKeptSegments, findSegmentsByIds } from "../segment.store.js";
import { keepMemberships } from "./keep.js";
import { keptSegments } from "./kept-segments.js";
import { deleteSomeMembers } from "./membership.store.js";
import { isMovedByTime } from "./moved-by-time.js";
import {
  deleteWalk,
  endDay,
  findDueWalk,
  keepWalk,
  planDays,
  putOffWalk,
  startWalk,
  takeWalk,
  type Walk,
} from "./walk.store.js";

/** Customers of one transaction, and judgements: some 10 µs each, and one statement a kind of thing that filters ask for. */
const customers_max = 200;
const judgements_max = 20_000;
const failure_pause_ms = 60_000;
/** Memberships of a deleted segment that one transaction deletes. */
const members_max = 5_000;

/** All customers are judged by the new segment, a slice after the other; then days come and go. */
export async function beginMemberships(
  tx: Tx,
  { project_id, project, instant }: Pick<Call, "project_id" | "project" | "instant">,
  segment: SegmentRow,
): Promise<void> {
  await startWalk(tx, project_id, segment.id, "fill", instant);
  if (isMovedByTime(segment)) await planDays(tx, project_id, nextDay(project, instant));
}

/** Nobody leaves a segment that is no more: its memberships go, and nobody is told. */
export const endMemberships = (
  tx: Tx,
  { project_id, instant }: Pick<Call, "project_id" | "instant">,
  segment_id: string,
) => startWalk(tx, project_id, segment_id, "end", instant);

/** Does one slice of a walk that is due; answers whether there was one. Killed anywhere, the slice is done again. */
export async function walkOn(
  context: Context,
  instant: Instant,
  project_ids: readonly string[] | null,
): Promise<boolean> {
  const { db, log } = context;
  const due = await findDueWalk(db, instant, project_ids);
  if (!due) return false;
  const { project_id, segment_id, task } = due;
  const cause = { project_id, request_id: newRequestId(), event_source: eventSourceOf(the_service), instant };
  try {
    return await change(context, cause, async (change) => {
      const walk = await takeWalk(change.tx, due);
      if (!walk) return false;
      if (walk.task === "end") await endMembers(change.tx, walk, instant);
      else await judgeSome(context, change, walk);
      return true;
    });
  } catch (err) {
    if (isAway(err)) throw err;
    // One that fails holds up no other.
    log.error({ project_id, segment_id, task, err }, "customers could not be judged for a segment");
    await putOffWalk(db, due, instant + failure_pause_ms);
    return true;
  }
}

async function endMembers(tx: Tx, walk: Walk, instant: Instant): Promise<void> {
  const ended = await deleteSomeMembers(tx, walk.project_id, walk.segment_id, members_max);
  if (ended < members_max) await deleteWalk(tx, walk);
  else await keepWalk(tx, walk, "", instant);
}

async function judgeSome(context: Context, change: Change, walk: Walk): Promise<void> {
  const { tx, cause } = change;
  const { project_id, instant } = cause;
  const project = await findProject(tx, project_id);
  if (!project) {
    await deleteWalk(tx, walk);
    return;
  }
  const judged_max = walk.task === "fill" ? 1 : await countKeptSegments(tx, project_id);
  const slice_max = Math.max(5, Math.min(customers_max, Math.floor(judgements_max / Math.max(1, judged_max))));
  const ids = judged_max === 0 ? [] : await findCustomerIdsAfter(tx, project_id, walk.after_id, slice_max);
  const keys = ids.map((id) => customerBesideKey(project_id, id));
  // Whoever has been deleted meanwhile is passed over.
  const customers = await holding(tx, keys, () => findCustomersByIds(tx, project_id, ids));
  for await (const segments of segmentsOf(tx, walk)) {
    await keepMemberships({ changeFor: () => change, context, project, instant }, customers, segments);
  }
  if (ids.length === slice_max) await keepWalk(tx, walk, ids.at(-1) ?? "", instant);
  else if (walk.task === "fill") await deleteWalk(tx, walk);
  else await endDay(tx, walk, nextDay(project, walk.begun_at ?? instant));
}

async function* segmentsOf(tx: Tx, { project_id, segment_id, task }: Walk): AsyncGenerator<SegmentRow[]> {
  if (task === "fill") yield await findSegmentsByIds(tx, project_id, [segment_id]);
  else for await (const page of keptSegments(tx, project_id)) yield page.filter(isMovedByTime);
}

/** The first instant of the next day where the project is. */
export function nextDay({ timezone }: Pick<Project, "timezone">, instant: Instant): Instant {
  const zone = zoneOf(timezone);
  const { day } = localTime(zone, instant);
  // Beginning at noon, that no change of clocks makes it another day: then back to the day's first instant.
  const noon = addDuration(instant - localTime(zone, instant).time + 12 * 3_600_000, one_day, zone);
  let first = noon - localTime(zone, noon).time;
  while (localTime(zone, first).day <= day) first += 3_600_000 / 4;
  return first;
}

const one_day = { months: 0, days: 1, milliseconds: 0 };
