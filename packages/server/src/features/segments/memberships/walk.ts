import { daysAfter, startOfDay } from "@guerdon/engine";
import { localDay } from "../../../books/index.js";
import type { Instant } from "../../../platform/clock.js";
import type { Tx } from "../../../platform/db/database.js";
import { type Change, holding } from "../../../recording/index.js";
import { type Going, type OnWalk, type Slice, startWalks, type Walk, type WalkKind } from "../../../walks/index.js";
import { customerBesideKey, findCustomerIdsAfter, findCustomersByIds } from "../../customers/index.js";
import { locationsNamedIn } from "../../locations/index.js";
import { type Call, findProject, type Project } from "../../projects/index.js";
import type { SegmentRow } from "../segment.js";
import { countKeptSegments, findSegmentsByIds } from "../segment.store.js";
import { findFills, type Judged, judging, startOf, stateOf } from "./judged.js";
import { keepMemberships } from "./keep.js";
import { keptSegments } from "./kept-segments.js";
import { deleteSomeMembers } from "./membership.store.js";
import { isMovedByTime } from "./moved-by-time.js";

/** Of one transaction: some 10 µs each, and one statement a kind of thing that filters ask for. */
const judgements_max = 20_000;
/** Memberships of a deleted segment that one transaction deletes. */
const members_max = 5_000;

/** All customers are judged by the new segment, a slice after the other; then days come and go. */
export async function beginMemberships(
  tx: Tx,
  { project_id, project, instant }: Pick<Call, "project_id" | "project" | "instant">,
  segment: SegmentRow,
): Promise<void> {
  await startOf(tx, project_id, segment.id, "fill", instant);
  if (!isMovedByTime(segment)) return;
  const day = { project_id, state: stateOf("day"), due_at: nextDay(project, instant) };
  await startWalks(tx, judging, [day], "go on");
}

/** A location has moved: the segments that ask about it are filled anew, and tell who enters and who leaves. */
export const lookAgainAt = (change: Change, location_id: string): Promise<void> =>
  lookAgain(change, ({ filter }) => locationsNamedIn([filter]).includes(location_id));

/** The same where something else is not what it was that a filter asks about. */
export async function lookAgain(
  { tx, cause: { project_id, instant } }: Change,
  asks: (segment: SegmentRow) => boolean,
): Promise<void> {
  for await (const segments of keptSegments(tx, project_id)) {
    const asking = segments.filter(asks);
    const fills = await findFills(
      tx,
      project_id,
      asking.map(({ id }) => id),
    );
    // One that is still filled for the first time tells nobody, this time neither.
    for (const { id } of asking) await startOf(tx, project_id, id, fills.has(id) ? "fill" : "look", instant);
  }
}

/** Nobody leaves a segment that is no more: its memberships go, and nobody is told. */
export const endMemberships = (
  tx: Tx,
  { project_id, instant }: Pick<Call, "project_id" | "instant">,
  segment_id: string,
) => startOf(tx, project_id, segment_id, "end", instant);

/** Who is in which segment, as it is found by walking over all customers (rules.md §14). */
export const memberships: WalkKind<Judged, Project> = {
  ...judging,
  async begin({ db }, { project_id }, instant) {
    const project = await findProject(db, project_id);
    return project ? { about: project, dated: instant } : "over";
  },
  slice: (on) => (on.walk.state.task === "end" ? endMembers(on) : judgeSome(on)),
};

async function endMembers({ change: { tx }, walk }: OnWalk<Judged, Project>): Promise<Going<Judged>> {
  const ended = await deleteSomeMembers(tx, walk.project_id, walk.subject_id, members_max);
  return ended < members_max ? "over" : { state: walk.state };
}

async function judgeSome(on: OnWalk<Judged, Project>): Promise<Slice<Judged> | Going<Judged>> {
  const { context, change, walk, about: project, instant } = on;
  const { tx } = change;
  const { project_id, state } = walk;
  const judged_max = isOfOne(state) ? 1 : await countKeptSegments(tx, project_id);
  const size = Math.max(1, Math.min(walk.size, Math.floor(judgements_max / Math.max(1, judged_max))));
  const ids = judged_max === 0 ? [] : await findCustomerIdsAfter(tx, project_id, state.after_id, size);
  const last = ids.at(-1);
  if (last === undefined) return behindAll(on);
  return {
    ids,
    async run() {
      const keys = ids.map((id) => customerBesideKey(project_id, id));
      // Whoever has been deleted meanwhile is passed over.
      const customers = await holding(tx, keys, () => findCustomersByIds(tx, project_id, ids));
      const changeFor = (_: string, now: Instant) => change.causedBy({ ...change.cause, instant: now });
      for await (const segments of segmentsOf(tx, walk)) {
        await keepMemberships({ changeFor, context, project }, customers, segments);
      }
    },
    next: { state: { ...state, after_id: last, begun_at: state.begun_at ?? instant } },
  };
}

/** A new segment is filled; a day is through, and the next one begins in its time. */
function behindAll({ walk: { state }, about: project, instant }: OnWalk<Judged, Project>): Going<Judged> {
  if (isOfOne(state)) return "over";
  return { state: stateOf("day"), due_at: nextDay(project, state.begun_at ?? instant) };
}

const isOfOne = ({ task }: Judged) => task === "fill" || task === "look";

async function* segmentsOf(tx: Tx, { project_id, subject_id, state }: Walk<Judged>): AsyncGenerator<SegmentRow[]> {
  if (isOfOne(state)) yield await findSegmentsByIds(tx, project_id, [subject_id]);
  else for await (const page of keptSegments(tx, project_id)) yield page.filter(isMovedByTime);
}

/** The first instant of the next day where the project is. */
export const nextDay = ({ timezone }: Pick<Project, "timezone">, instant: Instant): Instant =>
  startOfDay(daysAfter(localDay(instant, timezone), 1), timezone);
