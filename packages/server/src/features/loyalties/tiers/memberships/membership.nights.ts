import { daysAfter } from "@guerdon/engine";
import type { Queries, Tx } from "../../../../platform/db/database.js";
import { findVouchersByIds } from "../../../vouchers/index.js";
import type { NightSlice, NightStep } from "../../nights/index.js";
import { deleteTierMembers, findEnding, findStarting, firstEnd, firstStart } from "./membership.store.js";
import { moveTiers } from "./move-tiers.js";

async function run({ change, night, card_ids }: NightSlice): Promise<void> {
  const { id: project_id } = night.project;
  const cards = await findVouchersByIds(change.tx, project_id, card_ids);
  // Nobody is told of a card that nobody has, and no later night need look at it.
  const unheld = cards.flatMap(({ id, holder_id }) => (holder_id === null ? id : []));
  if (unheld.length > 0) await deleteTierMembers(change.tx, project_id, unheld);
  await moveTiers(change, night.project, cards, night.midnight);
}

/** A tier ends with its last day: the night after it says which one follows (loyalty.md §8.3, §8.4). */
const ends: NightStep = {
  name: "tiers that end",
  async firstNight(db: Queries, project_id) {
    const last = await firstEnd(db, project_id);
    return last === null ? null : daysAfter(last, 1);
  },
  findCards: (tx: Tx, { project, day }, after_id, cards_max) => findEnding(tx, project.id, day, after_id, cards_max),
  run,
};

/** What was reached in a period counts with the first day of the next. */
const starts: NightStep = {
  name: "tiers of a new period",
  firstNight: (db: Queries, project_id) => firstStart(db, project_id),
  findCards: (tx: Tx, { project, day }, after_id, cards_max) => findStarting(tx, project.id, day, after_id, cards_max),
  run,
};

export const night_steps: readonly NightStep[] = [ends, starts];
