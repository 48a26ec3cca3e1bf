import { setTimeout as pause } from "node:timers/promises";
import { isAway } from "../events/index.js";
import type { Instant } from "../platform/clock.js";
import type { Context } from "../platform/context.js";
import { newRequestId } from "../platform/ids.js";
import type { MakeWork } from "../platform/jobs/loop.js";
import { every, type Schedule } from "../platform/jobs/schedules.js";
import { change } from "../recording/index.js";
import { eventSourceOf, the_service } from "../terms/index.js";
import type { Slice, Walk, WalkKind } from "./kind.js";
import { findDueWalk, goOn, someWalkDue, takeWalk } from "./walk.store.js";

/** Well within the lease of a schedule. */
const slices_ms = 2_000;
/** As much of the time that a slice took counts for its rest. */
const counted_ms_max = 250;
const failure_pause_ms = 60_000;
/** Where everything fails, this long an object: somebody may mend it before all are passed over. */
const passing_pause_ms = 1_000;

/**
 * Walks on, as long as anything is due. Projects take turns; any number of processes may. Rests after each slice as long as that took, or
 * longer: half of what it could take, or more, is left to those who wait for answers.
 */
export const walking = <State, About>(kind: WalkKind<State, About>): Schedule => ({
  name: kind.name,
  of: "project",
  next: every({ seconds: 10 }),
  async runDue(context, instant, project_ids) {
    const until = performance.now() + slices_ms;
    while (performance.now() <= until) if (!(await walkAndRest(context, kind, instant, project_ids))) return false;
    return true;
  },
});

/**
 * The same for walks whose beginning somebody waits for. Whoever begins one rings its kind's name (`Change.ring`); without that ring,
 * as from another process, the loop finds it with its next look.
 */
export const walkingAtOnce =
  <State, About>(kind: WalkKind<State, About>): MakeWork =>
  (context, { project_ids = null }: { project_ids?: readonly string[] | null }) => ({
    name: `walks of ${kind.name}`,
    bell: { name: kind.name, pause_ms: 0 },
    due: (instant) => someWalkDue(kind.name, instant, project_ids),
    step: async (instant) => ((await walkAndRest(context, kind, instant, project_ids)) ? "more" : "nothing"),
  });

async function walkAndRest<State, About>(
  context: Context,
  kind: WalkKind<State, About>,
  instant: Instant,
  project_ids: readonly string[] | null,
): Promise<boolean> {
  const { rests = 1 } = kind;
  const begun = performance.now();
  if (!(await walkOn(context, kind, instant, project_ids))) return false;
  await pause(rests * Math.min(performance.now() - begun, counted_ms_max));
  return true;
}

/** Does one slice of a walk that is due; answers whether there was one. Killed anywhere, the slice is done again. */
export async function walkOn<State, About>(
  context: Context,
  kind: WalkKind<State, About>,
  instant: Instant,
  project_ids: readonly string[] | null,
): Promise<boolean> {
  const found = await findDueWalk<State>(context.db, kind.name, instant, project_ids);
  if (!found) return false;
  let tried: Slice<State> | undefined;
  try {
    const begun = await kind.begin(context, found, instant);
    if (begun === "over" || !("about" in begun)) {
      await goOn(context.db, kind.name, found, begun, { size: found.size, instant });
      return true;
    }
    const cause = {
      project_id: found.project_id,
      request_id: found.request_id ?? newRequestId(),
      event_source: eventSourceOf(the_service),
      instant: begun.dated,
    };
    return await change(context, cause, async (change) => {
      tried = undefined;
      if (!(await takeWalk(change.tx, kind.name, found))) return false;
      const slice = await kind.slice({ context, change, walk: found, about: begun.about, instant });
      if (slice === "over" || !("ids" in slice)) {
        await goOn(change.tx, kind.name, found, slice, { size: found.size, instant });
        return true;
      }
      tried = slice;
      await slice.run();
      const size = Math.min(kind.size_max, 2 * found.size);
      await goOn(change.tx, kind.name, found, slice.left?.() ?? slice.next, { size, instant });
      return true;
    });
  } catch (err) {
    if (isAway(err)) throw err;
    await afterFailure(context, kind.name, { found, tried, instant, err });
    return true;
  }
}

interface Failed<State> {
  found: Walk<State>;
  tried: Slice<State> | undefined;
  instant: Instant;
  err: unknown;
}

/**
 * A slice that failed is done again in smaller ones, until the guilty object is alone: that one is passed over, and holds up
 * neither the others nor another walk.
 */
async function afterFailure<State>(
  { db, log }: Context,
  name: string,
  { found, tried, instant, err }: Failed<State>,
): Promise<void> {
  const { project_id, subject_id, state } = found;
  const [first, ...others] = tried?.ids ?? [];
  log.error({ walk: name, project_id, subject_id, first, others: others.length, err }, "a slice of a walk failed");
  if (!tried || first === undefined) {
    const put_off = { state, due_at: instant + failure_pause_ms };
    await goOn(db, name, found, put_off, { size: found.size, instant });
  } else if (others.length === 0 && found.size === 1) {
    const { next } = tried;
    const later = next === "over" ? next : { due_at: instant + passing_pause_ms, ...next };
    await goOn(db, name, found, later, { size: 1, instant });
  } else {
    // One that was alone by chance is tried alone once more: what failed may have passed.
    const pause = others.length === 0 ? { due_at: instant + passing_pause_ms } : {};
    await goOn(db, name, found, { state, ...pause }, { size: Math.ceil(tried.ids.length / 2), instant });
  }
}
