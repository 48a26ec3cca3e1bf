import { randomBytes } from "node:crypto";
import type { Instant } from "../../../platform/clock.js";

export const send_out_statuses = ["WAITING", "RETRYING", "SUCCEEDED", "FAILED"] as const;
/** WAITING: not tried yet. */
export type SendOutStatus = (typeof send_out_statuses)[number];

/** Of one try, from the look-up of the name to the head of the answer. */
export const attempt_ms_max = 10_000;
/** Whoever has died by then is replaced; longer than a try. */
export const lease_ms = 15_000;
/** Of an answer, what the log keeps. */
export const answer_bytes_max = 4_096;
/** Rung when a message is due at once. */
export const send_outs_bell = "send_outs";
/** How long the log shows a message; its month is dropped as long after its end. */
export const log_days = 30;
export const log_ms = log_days * 86_400_000;

const minute_ms = 60_000;
const retries_max = 12;

/** How long after the first try a message is tried again (events-and-webhooks.md §6). */
const retryAfter = (retry: number) => (retry < retries_max ? 2 ** (retry - 1) : 24 * 60) * minute_ms;

/** As the contract has it: 18 hexadecimal digits. */
export const newSendOutId = (): string => `whs_${randomBytes(9).toString("hex")}`;

/** A message that is about to be tried. */
export interface Tried {
  /** How often it was before. */
  attempts: number;
  first_attempt_at: Instant;
  /** Asked for by hand: whatever comes of it, it is the last. */
  is_extra: boolean;
}

/** What becomes of a message. */
interface Fate {
  status: SendOutStatus;
  /** When it is tried next; null: never. */
  due_at: Instant | null;
  /** It was tried as often as it may be: its webhook goes off. */
  is_exhausted: boolean;
}

/** Whose tries were missed, by a service that was down, is not tried twice within a minute for it. */
export function fateOf({ attempts, first_attempt_at, is_extra }: Tried, tried_at: Instant, has_worked: boolean): Fate {
  if (has_worked) return { status: "SUCCEEDED", due_at: null, is_exhausted: false };
  const retry = attempts + 1;
  if (is_extra || retry > retries_max) return { status: "FAILED", due_at: null, is_exhausted: !is_extra };
  const due_at = Math.max(first_attempt_at + retryAfter(retry), tried_at + minute_ms);
  return { status: "RETRYING", due_at, is_exhausted: false };
}
