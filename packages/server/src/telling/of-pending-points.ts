import { toPendingPointsBody } from "../features/loyalties/pending-points/index.js";
import type { Around } from "./around.js";
import { campaignOf, customerOf, orderOf, transactionOf, voucherOf } from "./look-ups.js";
import { shortVoucher } from "./short.js";
import type { Fact, Tellers } from "./teller.js";

type Changed = Fact<`voucher.loyalty_card.pending_points.${"added" | "updated" | "canceled"}`>;
type Activated = Fact<"voucher.loyalty_card.pending_points.activated">;

/** Whose points they are, and for which order. */
async function beside(around: Around, { data: { pending_points } }: Changed | Activated, balance?: number) {
  const [customer, campaign, voucher, order] = await Promise.all([
    customerOf(around, pending_points.customer_id),
    campaignOf(around, pending_points.campaign_id),
    voucherOf(around, pending_points.voucher_id, balance),
    orderOf(around, pending_points.order_id),
  ]);
  return {
    customer,
    campaign,
    voucher: shortVoucher(voucher),
    order,
    pending_points: toPendingPointsBody(pending_points),
  };
}

/** More points pend, or fewer. */
async function changed(around: Around, event: Changed) {
  const { pending_points, points, total, operation_type } = event.data;
  return {
    ...(await beside(around, event)),
    voucher_pending_points_balance: {
      ...{ type: "loyalty_card", points, total, balance: total, object: "balance", operation_type },
      related_object: { type: "voucher", id: pending_points.voucher_id },
    },
  };
}

/** Points that pended can be spent: the card as it was left by them. */
async function activated(around: Around, event: Activated) {
  const { entry, body } = await transactionOf(around, event.data.transaction_id);
  return { ...(await beside(around, event, entry.balance)), balance: body.details.balance, transaction: body };
}

export const of_pending_points = {
  "voucher.loyalty_card.pending_points.added": {
    "voucher.loyalty_card.pending_points.added": changed,
    "customer.voucher.loyalty_card.pending_points.added": changed,
  },
  "voucher.loyalty_card.pending_points.updated": {
    "voucher.loyalty_card.pending_points.updated": changed,
    "customer.voucher.loyalty_card.pending_points.updated": changed,
  },
  "voucher.loyalty_card.pending_points.canceled": {
    "voucher.loyalty_card.pending_points.canceled": changed,
    "customer.voucher.loyalty_card.pending_points.canceled": changed,
  },
  "voucher.loyalty_card.pending_points.activated": {
    "voucher.loyalty_card.pending_points.activated": activated,
    "customer.voucher.loyalty_card.pending_points.activated": activated,
  },
} satisfies Tellers<Changed["type"] | Activated["type"]>;
