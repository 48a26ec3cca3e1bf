import { type Decision, decide } from "@guerdon/engine";
import { factsOf } from "./facts-of.js";
import { assertKnown } from "./read-facts.js";
import { assertNotTwice, type Deciding, underLocks } from "./record.js";
import type { DecidingRequest } from "./request.js";
import { type OpenedSession, openedSession, reservations } from "./sessions.js";
import type { SharedFacts } from "./shared-facts.js";
import { emptyWriteSet, write } from "./write-set.js";

/** What a validation came to. */
export interface Validated {
  shared: SharedFacts;
  decision: Decision;
  /** Set when the request asked for a lock and is valid. */
  session: OpenedSession | null;
}

/**
 * Decides without recording. Only a request that asks for a lock takes the way of a redemption, since it reserves what
 * others may want (redemption.md §12).
 */
export async function validate(deciding: Deciding, request: DecidingRequest): Promise<Validated> {
  if (request.session) return validateAndLock(deciding, request, openedSession(request.session));
  return { ...decided(await deciding.gather(request), request), session: null };
}

function validateAndLock(deciding: Deciding, asked: DecidingRequest, session: OpenedSession): Promise<Validated> {
  const request = { ...asked, session: { ...session } };
  return underLocks(deciding, [request], async (tx, shared) => {
    const { decision } = decided(shared, request);
    if (!decision.valid) return { shared, decision, session: null };
    const writes = { ...emptyWriteSet(), opened_sessions: reservations(request, decision, session) };
    await write(tx, request.call.project_id, [{ call: request.call, writes }]);
    return { shared, decision, session };
  });
}

function decided(shared: SharedFacts, request: DecidingRequest): { shared: SharedFacts; decision: Decision } {
  assertKnown(shared, request);
  assertNotTwice(shared, request);
  const explain = request.expand.has("explanation");
  return { shared, decision: decide(factsOf(shared, request), request.call.instant, { explain }) };
}
