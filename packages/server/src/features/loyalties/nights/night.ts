import type { Day } from "@guerdon/engine";
import type { Instant } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import type { Queries, Tx } from "../../../platform/db/database.js";
import type { Change } from "../../../recording/index.js";
import type { Project } from "../../projects/index.js";

/** What a night does, one step after the other (loyalty.md §6.6). */
export const step_names = [
  "pending points",
  "auto-redeem",
  "tiers that end",
  "tiers of a new period",
  "points that expire",
  "tiers by balance",
  "books",
] as const;
type StepName = (typeof step_names)[number];

/** One midnight of one project. */
export interface Night {
  project: Project;
  /** The day that begins with it: what is dated so and activates does so now, and what was last good the day before ends. */
  day: Day;
  /** When that day begins where the project is. Whatever the night does is dated so, however late it is done. */
  midnight: Instant;
}

/** Some cards of a step. */
export interface NightSlice {
  /** On behalf of the service, at the night's midnight. */
  change: Change;
  context: Context;
  night: Night;
  /** At most 200, in the order of their ids; their keys are held. */
  card_ids: readonly string[];
  /** Says that a card, and those behind it, have more due than one transaction should do: the next slice begins with it. */
  leave(card_id: string): void;
}

/**
 * Something that is done to cards at midnight. It is done in slices, each in a transaction of its own together with how far
 * the night has come, so that a process that is killed anywhere has done a slice or has not.
 */
export interface NightStep {
  name: StepName;
  /** The first night in which anything is due, as far as is known now; nights before it are passed over. Null: none. */
  firstNight(db: Queries, project_id: string): Promise<Day | null>;
  /**
   * The cards that are due by the night, those of missed nights too, with ids behind `after_id`, in the order of ids. Read
   * without locks: `run` looks again.
   */
  findCards(tx: Tx, night: Night, after_id: string, cards_max: number): Promise<readonly string[]>;
  /** The cards' keys are not held: it does each card in a transaction of its own, and may be called again for those that are done. */
  takes_own_keys?: boolean;
  /** Sends its first statement at once: it is done as soon as the cards' keys are held. */
  run(slice: NightSlice): Promise<void>;
}
