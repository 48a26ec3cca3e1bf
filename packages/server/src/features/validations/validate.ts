import { type Decision, type DecisionFacts, decide } from "@guerdon/engine";
import { type Deciding, type DecidingRequest, factsOf, type SharedFacts } from "../../deciding/index.js";
import type { Order } from "../orders/index.js";
import { assertMayReserve } from "../projects/index.js";
import { type OpenedSession, openedSession, reserve } from "./sessions.js";

/** What a validation came to. */
export interface Validated {
  shared: SharedFacts;
  decision: Decision;
  /** The request's order as it was then: those who are recorded in the same company change the shared facts. */
  stored: Order | null;
  /** Set when the request asked for a lock and is valid. */
  session: OpenedSession | null;
}

/**
 * Decides without recording. Only a request that asks for a lock takes the way of a redemption, since it reserves what
 * others may want (redemption.md §12).
 */
export async function validate(deciding: Deciding, request: DecidingRequest): Promise<Validated> {
  if (request.session) {
    assertMayReserve(request.call);
    return validateAndLock(deciding, request, openedSession(request.session));
  }
  const shared = await deciding.gather(request);
  return { ...decided(shared, request, factsOf(shared, request)), session: null };
}

function validateAndLock(deciding: Deciding, asked: DecidingRequest, session: OpenedSession): Promise<Validated> {
  return deciding.record({ ...asked, session: { ...session } }, (change, shared, request, facts) => {
    const validated = decided(shared, request, facts);
    if (!validated.decision.valid) return { ...validated, session: null };
    reserve(change, shared, request, validated.decision, session);
    return { ...validated, session };
  });
}

function decided(shared: SharedFacts, request: DecidingRequest, facts: DecisionFacts): Omit<Validated, "session"> {
  const explain = request.expand.has("explanation");
  const decision = decide(facts, request.call.instant, { explain });
  return { shared, decision, stored: shared.order(request.order) ?? null };
}
