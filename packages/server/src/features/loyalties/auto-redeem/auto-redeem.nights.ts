import { findVouchersByIds } from "../../vouchers/index.js";
import type { NightSlice, NightStep } from "../nights/index.js";
import { findDueCards, leastPrices } from "./auto-redeem.js";
import { findCardsThatHold } from "./auto-redeem.store.js";
import { redeemAutomatically } from "./redeem.js";

/** Each of them may be a transaction, while that of the slice waits. */
const cards_of_slice_max = 50;
/** Earlier than any night: none may be passed over. */
const every_night = "0001-01-01";

/** What an increase left, since it was more than is given at once, or could not be had then (loyalty.md §6.6, §9.6). */
const redeem: NightStep = {
  name: "auto-redeem",
  takes_own_keys: true,
  firstNight: async (db, project_id) => ((await leastPrices(db, project_id)).length > 0 ? every_night : null),
  async findCards(tx, { project }, after_id, cards_max) {
    const programs = await leastPrices(tx, project.id);
    if (programs.length === 0) return [];
    const size = Math.min(cards_max, cards_of_slice_max);
    return findCardsThatHold(tx, project.id, programs, after_id, size);
  },
  run,
};

async function run({ change, context, night: { project, day, midnight }, card_ids }: NightSlice): Promise<void> {
  const { id: project_id } = project;
  const due = await findDueCards(change.tx, project_id, await findVouchersByIds(change.tx, project_id, card_ids));
  const { request_id } = change.cause;
  for (const card_id of due.keys()) {
    await redeemAutomatically(context, { project_id, card_id, cause: `night ${day}`, request_id, instant: midnight });
  }
}

export const night_steps: readonly NightStep[] = [redeem];
