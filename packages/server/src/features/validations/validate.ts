import type { DecideOptions, Decision } from "@guerdon/engine";
import { type Deciding, type DecidingRequest, decideRequest, type SharedFacts } from "../../deciding/index.js";
import type { Queries } from "../../platform/db/database.js";
import { newId } from "../../platform/ids.js";
import type { Order } from "../orders/index.js";
import { assertMayChange } from "../projects/index.js";
import { loggedOf } from "./logged.js";
import { type OpenedSession, openedSession, reserve } from "./sessions.js";

/** What a validation came to. */
export interface Validated {
  /** `valid_…` */
  id: string;
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
export async function validate<Answer>(
  deciding: Deciding,
  request: DecidingRequest,
  answer: (validated: Validated, db: Queries) => Promise<Answer>,
): Promise<Answer> {
  if (request.session) {
    assertMayChange(request.call);
    return validateAndLock(deciding, request, openedSession(request.session), answer);
  }
  return deciding.gather(request, async (shared) => {
    const decision = await decideRequest(deciding.context.turns, shared, request, optionsOf(request));
    const db = deciding.context.db.of(request.call.project_id);
    const found = { ...validated(shared, request, decision), session: null };
    const answered = await answer(found, db);
    deciding.validations.add(loggedOf(request, found));
    deciding.refusals.add(shared, request, decision, "validation");
    return answered;
  });
}

async function validateAndLock<Answer>(
  deciding: Deciding,
  asked: DecidingRequest,
  session: OpenedSession,
  answer: (validated: Validated, db: Queries) => Promise<Answer>,
): Promise<Answer> {
  let found: Validated | undefined;
  const answered = await deciding.record<Validated, Answer>(
    { ...asked, session: { ...session } },
    (change, shared, request, decision) => {
      deciding.refusals.add(shared, request, decision, "validation");
      if (!decision.valid) return { ...validated(shared, request, decision), session: null };
      reserve(change, shared, request, decision, session);
      return { ...validated(shared, request, decision), session };
    },
    (validated, db) => {
      found = validated;
      return answer(validated, db);
    },
    optionsOf(asked),
  );
  // None where the answer is one that was kept.
  if (found) deciding.validations.add(loggedOf(asked, found));
  return answered;
}

const optionsOf = ({ expand }: DecidingRequest): DecideOptions => ({ explain: expand.has("explanation") });

const validated = (shared: SharedFacts, request: DecidingRequest, decision: Decision): Omit<Validated, "session"> => ({
  id: newId("valid"),
  shared,
  decision,
  stored: shared.order(request.order) ?? null,
});
