import type { Instant } from "../../../platform/clock.js";
import type { Subscription } from "./subscriptions.js";

/** Of one project. */
export const webhooks_max = 50;

/** What ids of automations begin with, and so the places of their channels. */
export const channel_prefix = "distr";

/** Who sends what is sent there, as messages name it. */
export const senderOf = (webhook_id: string) =>
  webhook_id.startsWith(`${channel_prefix}_`) ? ("distribution" as const) : ("webhook" as const);

/** An address that is told of a project's events, as stored. */
export interface Webhook {
  /** `wh_…` */
  id: string;
  target_url: string;
  events: Subscription[];
  /** Of the project's own, on each message; null where there are none. */
  headers_sealed: Buffer | null;
  active: boolean;
  /** When it was last switched on: what failed before that does not switch it off again. */
  active_since: Instant;
  /** Since when every try has failed; null after one that worked. */
  failing_since: Instant | null;
  created_at: Instant;
  updated_at: Instant | null;
  /** The address of an automation's messages, under its id: nobody asks it for events, and no list of webhooks shows it. */
  is_channel: boolean;
}
