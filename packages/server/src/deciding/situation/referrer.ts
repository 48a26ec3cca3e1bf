import type { Outcome } from "@guerdon/engine";
import { referrerIn } from "../../features/orders/index.js";
import type { DecidingRequest } from "../requests/request.js";
import type { SharedFacts } from "../shared-facts.js";

/** Whose referral code applies, the first of several; null where none does. */
export function referrerByCode(outcomes: readonly Outcome[]): string | null {
  for (const { status, redeemable } of outcomes) {
    if (status === "APPLICABLE" && "referrer_id" in redeemable && redeemable.referrer_id) return redeemable.referrer_id;
  }
  return null;
}

/** Who referred to an order that is shown and not stored: whom it names, else whose code applies (redemption.md §6). */
export function referrerOf(
  shared: Pick<SharedFacts, "customer">,
  { order }: Pick<DecidingRequest, "order">,
  outcomes: readonly Outcome[],
): string | null {
  const named = order ? referrerIn(order) : undefined;
  return (named && shared.customer(named)?.id) ?? referrerByCode(outcomes);
}
