import type { Instant } from "../../../platform/clock.js";
import type { Queries } from "../../../platform/db/database.js";
import type { WebhookPlace } from "../webhooks/index.js";
import { findDueWebhooks } from "./delivery.store.js";
import { of_webhook_max, type Share, sharesOf, type Taker } from "./shares.js";

/** Looked at in one step; those behind them have their turn in the next. */
const webhooks_max = 500;
const nobody: WebhookPlace = { project_id: "", webhook_id: "" };

export const isSame = (one: WebhookPlace, other: WebhookPlace) =>
  one.project_id === other.project_id && one.webhook_id === other.webhook_id;

/** Goes round the webhooks with messages that are due, so that whoever had nothing of the room is first in the next step. */
export function createRounds(db: Queries, whom: { project_ids: readonly string[] | null }) {
  let after = nobody;
  return {
    /** What may be taken now of whom. */
    async next(instant: Instant, in_flight: readonly Taker[]): Promise<Share[]> {
      const asking = { ...whom, instant, webhooks_max, due_max: of_webhook_max };
      let due = await findDueWebhooks(db, { ...asking, after });
      if (due.length === 0 && after !== nobody) due = await findDueWebhooks(db, { ...asking, after: nobody });
      const shares = sharesOf(due, in_flight);
      const served = due.findLastIndex((webhook) => shares.some((share) => isSame(share, webhook)));
      // Where nobody may have more than is under way, whoever is behind them may.
      const last = served === -1 ? due.length - 1 : served;
      const goes_on = last < due.length - 1 || due.length === webhooks_max;
      after = (goes_on ? due[last] : undefined) ?? nobody;
      return shares;
    },
  };
}
