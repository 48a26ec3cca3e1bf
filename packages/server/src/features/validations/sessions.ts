import type { Decision } from "@guerdon/engine";
import { type DecidingRequest, kindOf, type SessionInput, type SharedFacts } from "../../deciding/index.js";
import { problems } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import type { Change } from "../../recording/index.js";

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

/** What somebody holds and forgets comes back within a month: a checkout takes minutes. */
const ttl_days_max = 30;

/** The session of a request with its defaults filled in (redemption.md §12). */
export function openedSession({ key, ttl, ttl_unit }: SessionInput): OpenedSession {
  const opened: OpenedSession = {
    key: key ?? newId("ssn"),
    type: "LOCK",
    ttl: ttl ?? 7,
    ttl_unit: ttl_unit ?? "DAYS",
  };
  if (msOf(opened) > ttl_days_max * unit_ms.DAYS) {
    const details = `Property .session.ttl must be at most ${ttl_days_max} days, not ${opened.ttl} ${opened.ttl_unit}`;
    throw problems.invalidPayload(details, "session.ttl");
  }
  return opened;
}

const msOf = ({ ttl, ttl_unit }: OpenedSession) => Math.ceil(ttl * unit_ms[ttl_unit]);

/** Reserves of each applied redeemable what it would use, for the time of the session. */
export function reserve(
  change: Change,
  shared: SharedFacts,
  { call }: DecidingRequest,
  decision: Decision,
  session: OpenedSession,
): void {
  for (const outcome of decision.outcomes) {
    if (outcome.status !== "APPLICABLE") continue;
    const reserving = { change, shared, outcome, session_key: session.key, expires_at: call.instant + msOf(session) };
    kindOf(outcome.redeemable.object)?.reserve?.(reserving);
  }
}
