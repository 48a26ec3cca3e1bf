import type { Instant } from "../../../platform/clock.js";
import type { WebhookEvent } from "./subscriptions.js";

/** Of one project. */
export const webhooks_max = 50;

/** An address that is told of a project's events, as stored. */
export interface Webhook {
  /** `wh_…` */
  id: string;
  target_url: string;
  events: WebhookEvent[];
  active: boolean;
  /** When it was last switched on: what failed before that does not switch it off again. */
  active_since: Instant;
  /** Since when every try has failed; null after one that worked. */
  failing_since: Instant | null;
  created_at: Instant;
  updated_at: Instant | null;
}
