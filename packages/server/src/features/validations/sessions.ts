import type { Applicable, Decision } from "@guerdon/engine";
import type { VoucherSession } from "../../books/index.js";
import type { DecidingRequest, SessionInput } from "../../deciding/index.js";
import { kindOf } from "../../deciding/index.js";
import { isoOf } from "../../platform/clock.js";
import { newId } from "../../platform/ids.js";

/** A lock as answers echo it. */
export interface OpenedSession {
  key: string;
  type: "LOCK";
  ttl: number;
  ttl_unit: NonNullable<SessionInput["ttl_unit"]>;
}

const unit_ms = {
  DAYS: 86_400_000,
  HOURS: 3_600_000,
  MINUTES: 60_000,
  SECONDS: 1000,
  MILLISECONDS: 1,
  MICROSECONDS: 1e-3,
  NANOSECONDS: 1e-6,
};

/** A lock that outlives a thousand years is for ever, and still a date that PostgreSQL can hold. */
const ttl_ms_max = 1000 * 366 * unit_ms.DAYS;

/** The session of a request with its defaults filled in (redemption.md §12). */
export function openedSession({ key, ttl, ttl_unit }: SessionInput): OpenedSession {
  return { key: key ?? newId("ssn"), type: "LOCK", ttl: ttl ?? 7, ttl_unit: ttl_unit ?? "DAYS" };
}

/** What a valid validation reserves: of each applied voucher one redemption and the credits it would use. */
export function reservations(
  { call }: DecidingRequest,
  decision: Decision,
  { key, ttl, ttl_unit }: OpenedSession,
): (VoucherSession & { expires_at: string })[] {
  const ttl_ms = Math.min(ttl_ms_max, Math.ceil(ttl * unit_ms[ttl_unit]));
  const expires_at = isoOf(call.instant + ttl_ms);
  return decision.outcomes
    .filter((outcome): outcome is Applicable => outcome.status === "APPLICABLE")
    .flatMap((outcome) => kindOf(outcome.redeemable.object)?.reserved(outcome) ?? [])
    .map((reserved) => ({ ...reserved, session_key: key, expires_at }));
}
