import {
  type DecideOptions,
  type Decision,
  type DecisionFacts,
  decideInTurns,
  TooMuchWork,
  Work,
} from "@guerdon/engine";
import type { Turns } from "../platform/sharing/turns.js";
import { refusals } from "../terms/index.js";
import { factsOf } from "./facts-of.js";
import type { DecidingRequest } from "./requests/request.js";
import type { SharedFacts } from "./shared-facts.js";

/** Stretches that all redeemables of a request may take together. */
const stretches_max = 5;

/** Counts the work of one request: of each redeemable, which is done in one stretch, and of all of them. */
export const workOf = ({ stretch_max }: Turns): Work =>
  new Work({ turn_max: stretch_max, decision_max: stretches_max * stretch_max });

/**
 * Decides a request on what its batch shares, a redeemable a turn. Throws the problem of a request that no decision can be
 * asked about, and of one whose decision would take more than it may.
 */
export async function decideRequest(
  turns: Turns,
  shared: SharedFacts,
  request: DecidingRequest,
  options: DecideOptions = {},
): Promise<Decision> {
  const work = workOf(turns);
  const { project_id } = request.call;
  // Many may come out of one shared read, all of them at once.
  if (turns.isBusy(project_id)) await turns.next(project_id);
  return decideOn(turns, request, () => factsOf(shared, request, work), options);
}

/** The same on facts of their own. */
export async function decideOn(
  turns: Turns,
  { call: { project_id, instant } }: Pick<DecidingRequest, "call">,
  facts: () => DecisionFacts,
  options: DecideOptions,
): Promise<Decision> {
  return refusingTooHeavy(async () => {
    return inTurns(turns, project_id, decideInTurns(facts(), instant, options));
  });
}

/** Goes on with a decision to its end; others have a turn between two of its steps. */
export async function inTurns(
  turns: Turns,
  project_id: string,
  deciding: Generator<number, Decision, void>,
): Promise<Decision> {
  for (let step = deciding.next(); ; step = deciding.next()) {
    if (step.done) return step.value;
    if (turns.took(project_id, step.value)) await turns.next(project_id);
  }
}

/** Answers what would take more work than a request may with the reason. */
export async function refusingTooHeavy<Answer>(decide: () => Promise<Answer>): Promise<Answer> {
  try {
    return await decide();
  } catch (error) {
    throw error instanceof TooMuchWork ? refusals.tooHeavy(error) : error;
  }
}
