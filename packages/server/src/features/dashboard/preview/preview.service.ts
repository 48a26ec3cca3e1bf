import {
  type Deciding,
  type DecidingRequest,
  decideRequest,
  orderView,
  readShown,
  redeemableViews,
  singleRequest,
  trackingOf,
  unsavedCode,
} from "../../../deciding/index.js";
import { Problem, problems } from "../../../platform/http/problems.js";
import { readDiscount } from "../../../terms/index.js";
import type { Call } from "../../projects/index.js";
import { unsavedRule } from "../../validation-rules/index.js";
import type { PreviewBody, PreviewInput } from "./preview.schemas.js";

/** Decides on each cart what a code would do that had this discount and rule; neither it nor that it was asked is stored (ADR 79). */
export async function preview(deciding: Deciding, call: Call, input: PreviewInput): Promise<PreviewBody> {
  const { discount, validation_rule, carts } = input;
  if (!discount && !validation_rule) {
    throw problems.invalidPayload("Payload must have property 'discount' or 'validation_rule'");
  }
  const rules = validation_rule ? [unsavedRule(call, validation_rule, "validation_rule.")] : [];
  const unsaved = unsavedCode(discount ? readDiscount(discount, "voucher") : null, rules, call.instant);
  const tracking = trackingOf(deciding.context.seal, call.project_id);
  // Together, so that all carts share every statement.
  const decided = await Promise.allSettled(
    carts.map(async (cart) => {
      const single = singleRequest(call, { object: "voucher", id: unsaved.voucher.id }, cart, tracking);
      return decideCart(deciding, { ...single, unsaved });
    }),
  );
  return {
    carts: decided.map((one, i) => {
      if (one.status === "rejected")
        throw one.reason instanceof Problem ? one.reason.within(`carts[${i}]`) : one.reason;
      return one.value;
    }),
  };
}

const decideCart = (deciding: Deciding, request: DecidingRequest): Promise<PreviewBody["carts"][number]> =>
  deciding.gather(request, async (shared) => {
    const { turns, db } = deciding.context;
    const decision = await decideRequest(turns, shared, request, { explain: true });
    const { valid, outcomes, order, applied } = decision;
    const stored = shared.order(request.order) ?? null;
    const shown = await readShown(db.of(request.call.project_id), request, outcomes);
    const [redeemable] = await redeemableViews(turns, shared, request, outcomes, shown, stored);
    if (!redeemable) throw new Error("one redeemable has one outcome");
    return { valid, redeemable, ...(valid && order ? { order: orderView(order, applied, stored) } : {}) };
  });
