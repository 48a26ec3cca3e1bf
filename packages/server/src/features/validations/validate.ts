import { type Decision, decide } from "@guerdon/engine";
import { books } from "../../books/index.js";
import { changeOnFacts, type Deciding, type DecidingRequest, factsOf, type SharedFacts } from "../../deciding/index.js";
import { assertMayReserve } from "../projects/index.js";
import { type OpenedSession, openedSession, reservations } from "./sessions.js";

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
  if (!request.session) return { ...decided(await deciding.gather(request), request), session: null };
  assertMayReserve(request.call);
  return validateAndLock(deciding, request, openedSession(request.session));
}

function validateAndLock(deciding: Deciding, asked: DecidingRequest, session: OpenedSession): Promise<Validated> {
  const request = { ...asked, session: { ...session } };
  return changeOnFacts(deciding, [request], (change, shared) => {
    const { decision } = decided(shared, request);
    if (!decision.valid) return { shared, decision, session: null };
    change.add(books.sessions_opened, ...reservations(request, decision, session));
    return { shared, decision, session };
  });
}

function decided(shared: SharedFacts, request: DecidingRequest): { shared: SharedFacts; decision: Decision } {
  const explain = request.expand.has("explanation");
  return { shared, decision: decide(factsOf(shared, request), request.call.instant, { explain }) };
}
