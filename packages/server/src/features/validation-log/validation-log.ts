import type { EventSource } from "../../events/index.js";
import type { Instant } from "../../platform/clock.js";

/** How long a validation is known (redemption.md §6.2). */
export const kept_days = 30;
export const kept_ms = kept_days * 86_400_000;

/** Of what waits to be written in one process: some thousand validations. */
export const waiting_chars_max = 4_194_304;
/** How long it waits for company; what a process that dies has lost of the log. */
export const pause_ms = 1_000;

/** What became of one redeemable. */
export interface Verdict {
  object: string;
  id: string;
  status: "APPLICABLE" | "INAPPLICABLE" | "SKIPPED";
  /** Why not: the key and words of the refusal. */
  result?: { error: { key: string; message: string } };
}

/** A validation that was answered: who asked about what, and what it came to. */
export interface LoggedValidation {
  project_id: string;
  /** `valid_…`, as it was answered. */
  id: string;
  /** A customer that is stored; others are nobody's activity. */
  customer_id: string | null;
  /** The request. */
  group_id: string;
  event_source: EventSource;
  valid: boolean;
  redeemables: readonly Verdict[];
  /** Whose codes and tiers were asked about, once for each of them, and whether it could be redeemed; the log itself has none. */
  campaigns?: readonly { campaign_id: string; valid: boolean }[];
  created_at: Instant;
}
