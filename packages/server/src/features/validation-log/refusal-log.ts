import type { EventSource } from "../../events/index.js";
import type { Instant } from "../../platform/clock.js";

/** Why one redeemable was refused: what was asked for, and every check with what it saw. */
export interface ExplainedRefusal {
  project_id: string;
  id: string;
  object: string;
  /** Null where there is no such thing. */
  object_id: string | null;
  /** The code or id that was asked for. */
  name: string;
  asked_for: "validation" | "redemption";
  /** One that is stored. */
  customer_id: string | null;
  /** The request. */
  group_id: string;
  event_source: EventSource;
  key: string;
  message: string;
  /** Null where the facts have moved on meanwhile: no story is better than a wrong one. */
  explanation: object | null;
  /** As it was sent, without who it is for; null where there was none, or a large one. */
  order: object | null;
  created_at: Instant;
}

/** Of an explanation, and of an order: what is larger is not kept. */
export const kept_chars_max = 32_768;
