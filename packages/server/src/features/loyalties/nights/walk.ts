import { type Day, daysAfter, startOfDay } from "@guerdon/engine";
import { localDay } from "../../../books/index.js";
import type { Tx } from "../../../platform/db/database.js";
import { holding } from "../../../recording/index.js";
import type { Going, OnWalk, Slice, Walk, WalkKind } from "../../../walks/index.js";
import { findProject, type Project } from "../../projects/index.js";
import { type Night, type NightStep, step_names } from "./night.js";

/** How far a project's nights have come. */
interface KeptNight {
  /** Null: that of the day after it is due. */
  night: Day | null;
  /** The step under way, and the last card it has been done for; null before the first. */
  step: string | null;
  after_id: string;
}

/** The nights of projects, as they are stored; cards of one transaction (architecture: bulk jobs). */
export const kept_nights = { name: "loyalty nights", size_max: 200 };

/** Before the first step of a night. */
export const evening = (night: Day | null): KeptNight => ({ night, step: null, after_id: "" });

/**
 * The nights of a project, one after the other: missed ones are done in their order, each at its own midnight, each step through
 * all its cards. A card that fails alone is passed over until the next night.
 */
export function nightsOf(in_any_order: readonly NightStep[]): WalkKind<KeptNight, Night> {
  const steps = [...in_any_order].sort((a, b) => step_names.indexOf(a.name) - step_names.indexOf(b.name));
  return {
    ...kept_nights,
    rests: 3,
    async begin({ db }, walk, instant) {
      const project = await findProject(db, walk.project_id);
      // What is left of a project that is gone goes with it.
      if (!project) return "over";
      const night = nightOf(walk, project);
      // It has begun a walk, or has moved to another zone, where it is not midnight yet.
      if (night.midnight > instant) return { state: { ...walk.state, night: night.day }, due_at: night.midnight };
      return { about: night, dated: night.midnight };
    },
    async slice(on) {
      return (await nextSlice(steps, on)) ?? (await nextNight(steps, on));
    },
  };
}

function nightOf({ state, due_at }: Walk<KeptNight>, project: Project): Night {
  const day = state.night ?? daysAfter(localDay(due_at, project.timezone), 1);
  return { project, day, midnight: startOfDay(day, project.timezone) };
}

/** The next cards, of whichever step has any; null where the night is through. */
async function nextSlice(
  steps: readonly NightStep[],
  { context, change, walk, about: night }: OnWalk<KeptNight, Night>,
): Promise<Slice<KeptNight> | null> {
  const { tx } = change;
  const { project_id, state, size } = walk;
  const at = Math.max(
    0,
    steps.findIndex(({ name }) => name === state.step),
  );
  for (const step of steps.slice(at)) {
    const after_id = step.name === state.step ? state.after_id : "";
    const card_ids = await step.findCards(tx, night, after_id, size);
    const last = card_ids.at(-1);
    if (last === undefined) continue;
    let begins_with: string | undefined;
    const leave = (card_id: string) => {
      begins_with = card_id;
    };
    const run = () => step.run({ change, context, night, card_ids, leave });
    const goesOn = (behind: string) => ({ state: { night: night.day, step: step.name, after_id: behind } });
    const keys = card_ids.map((id) => ({ project_id, kind: "voucher" as const, id }));
    return {
      ids: card_ids,
      run: () => (step.takes_own_keys ? run() : holding(tx, keys, run)),
      next: goesOn(last),
      left: () =>
        begins_with === undefined ? undefined : goesOn(card_ids[card_ids.indexOf(begins_with) - 1] ?? after_id),
    };
  }
  return null;
}

/** The first one after this in which anything is due; where that is long ahead, the next one that comes. */
async function nextNight(
  steps: readonly NightStep[],
  { change: { tx }, about: { project, day }, instant }: OnWalk<KeptNight, Night>,
): Promise<Going<KeptNight>> {
  const tomorrow = daysAfter(localDay(instant, project.timezone), 1);
  const [first = tomorrow] = (await firstNights(steps, tx, project.id)).sort();
  const following = daysAfter(day, 1);
  const night = [following, first < tomorrow ? first : tomorrow].sort().at(-1) ?? following;
  return { state: evening(night), due_at: startOfDay(night, project.timezone) };
}

const firstNights = async (steps: readonly NightStep[], tx: Tx, project_id: string): Promise<Day[]> =>
  (await Promise.all(steps.map((step) => step.firstNight(tx, project_id)))).filter((first) => first !== null);
