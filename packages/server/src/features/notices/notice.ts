import type { Instant } from "../../platform/clock.js";

/** Limits of calls by what they count, and addresses by what sends to them. */
export const notice_kinds = [
  ...["api_calls", "bulk_api_calls", "webhook_calls", "cycle_calls"],
  ...["webhook", "distribution"],
] as const;
export type NoticeKind = (typeof notice_kinds)[number];

/** How much of a limit was used when it was told. */
export interface UsedLimit {
  calls: number;
  value: number;
  /** ISO 8601, as the limit has it. */
  duration: string;
  /** When the next period begins. */
  ends_at: Instant;
}

/** An address that a message could not be delivered to. */
export interface SwitchedOff {
  /** Of a webhook, or of the automation whose messages went there. */
  id: string;
  target_url: string;
}

/** Something that the people of a project are told. */
export interface Notice {
  /** `ntc_…` */
  id: string;
  kind: NoticeKind;
  used_limit: UsedLimit | null;
  switched_off: SwitchedOff | null;
  created_at: Instant;
}

/** How long it is shown. */
export const kept_ms = 90 * 24 * 60 * 60_000;
