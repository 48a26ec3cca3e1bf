import { findBrokenBooks, findCardIdsAfter } from "../../../books/index.js";
import type { NightStep } from "../nights/index.js";

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
    for (const card of broken)
      context.log.error({ project_id: night.project.id, ...card }, "a card holds what its books do not say");
    if (broken.length > 0) context.metrics.booksBroken(broken.length);
  },
};

export const night_steps: readonly NightStep[] = [check];
