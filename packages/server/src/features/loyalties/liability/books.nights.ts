import { findBrokenBooks, findCardIdsAfter } from "../../../books/index.js";
import type { NightStep } from "../nights/index.js";

/** Cards of a slice that are named in the log. The others are counted: where one bug spoils thousands, a few show it. */
const named_max = 5;

/**
 * Compares what cards hold with their books, each night, and repairs nothing: a difference is a bug of ours, and whoever
 * looks for it wants to see it as it is.
 */
const check: NightStep = {
  name: "books",
  // It does not wake anybody: the nights that come are enough.
  firstNight: async () => null,
  findCards: (tx, { project }, after_id, cards_max) => findCardIdsAfter(tx, project.id, after_id, cards_max),
  async run({ change, context, night, card_ids }) {
    const broken = await findBrokenBooks(change.tx, night.project.id, card_ids);
    if (broken.length === 0) return;
    const told = { project_id: night.project.id, count: broken.length, cards: broken.slice(0, named_max) };
    context.log.error(told, "cards hold what their books do not say");
    context.metrics.booksBroken(broken.length);
  },
};

export const night_steps: readonly NightStep[] = [check];
