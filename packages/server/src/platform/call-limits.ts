import { parseDuration } from "@guerdon/engine";
import type { Instant } from "./clock.js";

/** So many calls in each period of a length. */
export interface CallLimit {
  value: number;
  /** ISO 8601: months alone, or days and what is shorter. */
  duration: string;
}

/**
 * What is counted: calls to us, of which one that changes many things at once counts as such alone, and those that our automations make
 * (platform.md §13).
 */
export const call_counters = ["api_calls", "bulk_api_calls", "webhook_calls"] as const;
export type CallCounter = (typeof call_counters)[number];

export type CallLimits = Readonly<Record<CallCounter, readonly CallLimit[]>>;

/** Whoever sets nothing limits nothing. */
export const no_call_limits: CallLimits = { api_calls: [], bulk_api_calls: [], webhook_calls: [] };

const day_ms = 86_400_000;
const cycle_days_min = 28;

/** A period of a length: each begins where the one before ended, for everybody at once, in UTC. */
export function periodAt(duration: string, instant: Instant): { starts_at: Instant; ends_at: Instant } | null {
  const { months = 0, days = 0, milliseconds = 0 } = parseDuration(duration) ?? {};
  const length_ms = days * day_ms + milliseconds;
  if (months > 0 && length_ms === 0) {
    const date = new Date(instant);
    const month = 12 * (date.getUTCFullYear() - 1970) + date.getUTCMonth();
    const first = month - (month % months);
    return { starts_at: Date.UTC(1970, first), ends_at: Date.UTC(1970, first + months) };
  }
  if (months > 0 || length_ms < 1_000) return null;
  const starts_at = instant - (instant % length_ms);
  return { starts_at, ends_at: starts_at + length_ms };
}

/** Whether the length is that of a billing cycle. */
export function isCycle(duration: string): boolean {
  const { months = 0, days = 0 } = parseDuration(duration) ?? {};
  return months > 0 || days >= cycle_days_min;
}

/** `600/PT1M`: six hundred a minute. Null where it is something else. */
export function readCallLimit(text: string): CallLimit | null {
  const [, count, duration = ""] = /^(\d{1,15})\/(\S+)$/.exec(text) ?? [];
  return callLimitOf({ value: Number(count), duration });
}

/** The limit, if it is one. */
export function callLimitOf(limit: unknown): CallLimit | null {
  const { value, duration } = (typeof limit === "object" && limit !== null ? limit : {}) as Record<string, unknown>;
  if (!Number.isSafeInteger(value) || Number(value) < 1 || typeof duration !== "string") return null;
  return periodAt(duration, 0) ? { value: Number(value), duration } : null;
}
