import { columnsOfRedeemed, localDay, type Redeemed, type RedemptionRow } from "../../books/index.js";
import { compoundColumns, type DecidingRequest, type SharedFacts, trackingIdOf } from "../../deciding/index.js";
import { redemptionChannelOf } from "../../terms/index.js";
import type { Customer } from "../customers/index.js";

/** Whose redemption a row tells of, and how it ended. */
type Told = Pick<RedemptionRow, "id" | "result" | "status"> & { redeemed: Redeemed | null };

/**
 * A row with what every redemption of a request has in common, granted or refused; nothing undone yet. What else there is to tell is
 * set in it: a row has so many columns that to copy them takes longer than to make them.
 */
export function rowOfRequest(
  shared: SharedFacts,
  request: DecidingRequest,
  customer: Customer | undefined,
  { id, result, status, redeemed }: Told,
): RedemptionRow {
  const { project } = shared.catalogue;
  const { automatic, call, metadata } = request;
  return {
    ...columnsOfRedeemed(redeemed),
    id,
    object: "redemption",
    result,
    status,
    promotion_stack_id: compoundColumns(shared, request).promotion_stack_id,
    campaign_id: null,
    parent_id: null,
    redemption_id: null,
    customer_id: customer?.id ?? null,
    tracking_id: trackingIdOf(request, customer),
    order_id: null,
    session_key: null,
    amount: null,
    order_amount: null,
    discount_amount: 0,
    currency: project.currency,
    day: localDay(call.instant, project.timezone),
    parts: null,
    units: null,
    order_version: null,
    order_after: null,
    voucher_after: null,
    metadata,
    channel: automatic
      ? { channel_id: automatic.assignment_id, channel_type: "AUTO_REDEEM" }
      : redemptionChannelOf(call.caller),
    reason: null,
    failure_code: null,
    failure_message: null,
    rollback_order_mode: null,
    created_at: call.instant,
  };
}
