import type { Applicable, Inapplicable } from "@guerdon/engine";
import {
  type Deciding,
  type DecidingBody,
  type DecidingRequest,
  readShown,
  type Shown,
  type SituationBody,
  singleRequest,
  trackingIdOf,
  trackingOf,
} from "../../deciding/index.js";
import type { Queries } from "../../platform/db/database.js";
import { refusalBody, refusedFor } from "../../terms/index.js";
import type { Call } from "../projects/index.js";
import { type Validated, validate } from "./validate.js";

/** One redeemable that applies, and what its answer is made of. */
export interface Granted extends Validated {
  request: DecidingRequest;
  outcome: Applicable;
  shown: Shown;
  db: Queries;
}

/** What an older call says of a redeemable that does not apply. */
interface Refused {
  valid: false;
  /** The error's message. */
  reason: string;
  /** A message that an editor has written stands in place of the error. */
  error: object;
}

/** How an older call answers. */
interface SingleAnswers<Answer> {
  /** The reason where nothing has the name; left out, that is an error. */
  unknown?: string;
  granted(granted: Granted): Answer | Promise<Answer>;
  refused(
    refused: Refused,
    about: { request: DecidingRequest; outcome: Inapplicable; db: Queries },
  ): Answer | Promise<Answer>;
}

/** Faults of the payload are errors even here, where every other refusal is an answer (redemption.md §15). */
const payload_faults = new Set([
  "missing_reward",
  "missing_order",
  "missing_order_items_amount",
  "missing_customer",
  "not_found",
]);

/** One redeemable alone, as the older calls name it in their path; stacking rules play no part (redemption.md §15). */
export async function validateSingle<Answer extends object>(
  deciding: Deciding,
  call: Call,
  redeemable: DecidingBody["redeemables"][number],
  situation: SituationBody,
  { granted, refused, unknown }: SingleAnswers<Answer>,
): Promise<Answer & { tracking_id: string | null }> {
  const { seal, metrics } = deciding.context;
  const request = singleRequest(call, redeemable, situation, trackingOf(seal, call.project_id));
  return validate(deciding, request, async (validated, db) => {
    const tracking_id = trackingIdOf(request, validated.shared.customer(request.customer));
    const [outcome] = validated.decision.outcomes;
    if (outcome?.status === "INAPPLICABLE") {
      const error = refusalBody(outcome.refusal);
      const is_unknown = error.key === "not_found" && error.resource_type === redeemable.object;
      const unknown_reason = is_unknown ? unknown : undefined;
      if (payload_faults.has(error.key) && unknown_reason === undefined) throw refusedFor(outcome.refusal);
      metrics.refused(error.key);
      const said = {
        valid: false as const,
        reason: unknown_reason ?? error.error?.message ?? error.message,
        error: error.error ?? { ...error, request_id: call.request_id },
      };
      return { ...(await refused(said, { request, outcome, db })), tracking_id };
    }
    if (outcome?.status !== "APPLICABLE") throw new Error("what stands alone is applicable or it is not");
    const shown = await readShown(db, request, [outcome]);
    return { ...(await granted({ ...validated, request, outcome, shown, db })), tracking_id };
  });
}
