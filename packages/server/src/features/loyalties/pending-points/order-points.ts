import type { LockKey } from "../../../platform/db/locks.js";

/**
 * Held by who has points of an order pend, and by who cancels them: whichever comes first, the other sees it. Not the order's
 * own key, under which requests change it.
 */
export const orderPointsKey = (project_id: string, order_id: string): LockKey => ({
  project_id,
  kind: "name",
  id: `points of ${order_id}`,
});
