import { isoOf } from "../platform/clock.js";
import type { Around } from "./around.js";
import { campaignOf, customerOf, type Redeemed, redemptionOf, stackOf } from "./look-ups.js";
import { shortOrder, shortRedemption, shortTier, shortVoucher } from "./short.js";
import type { Fact, Tellers } from "./teller.js";

type Redemption = Fact<"redemption.succeeded" | "redemption.failed">;
type Rollback = Fact<"redemption.rollback.succeeded" | "redemption.rollback.failed">;

/** What was redeemed, by whom, on what. */
async function around({ row, body }: Redeemed, beside: Around) {
  const { holder_id } = (body.voucher ?? {}) as { holder_id?: string };
  const [customer, campaign, holder, promotion_stack] = await Promise.all([
    customerOf(beside, row.customer_id),
    campaignOf(beside, row.campaign_id),
    customerOf(beside, holder_id),
    stackOf(beside, row),
  ]);
  return {
    customer,
    order: shortOrder(body.order),
    campaign,
    voucher: shortVoucher(body.voucher),
    holder,
    promotion_tier: shortTier(body.promotion_tier),
    promotion_stack,
  };
}

/** A redemption is never deleted, so one that is not there was not written by us. */
async function found(beside: Around, id: string): Promise<Redeemed> {
  const redeemed = await redemptionOf(beside, id);
  if (!redeemed) throw new Error(`there is no redemption ${id}`);
  return redeemed;
}

/** As it was right after it was made, though it may have been undone by now. */
async function redemption(beside: Around, { data, type }: Redemption) {
  const redeemed = await found(beside, data.redemption_id);
  const status = type === "redemption.succeeded" ? "SUCCEEDED" : "FAILED";
  return { ...(await around(redeemed, beside)), redemption: shortRedemption(redeemed.body, status) };
}

const dated = async (beside: Around, event: Redemption) => ({
  ...(await redemption(beside, event)),
  created_at: isoOf(event.created_at),
});

async function rollback(beside: Around, { data, type }: Rollback) {
  const [undone, own] = await Promise.all([found(beside, data.redemption_id), found(beside, data.rollback_id)]);
  const has_worked = type === "redemption.rollback.succeeded";
  // One that is too old is refused as well, and that was never undone.
  const is_undone = has_worked || own.row.failure_code === "already_rolled_back";
  return {
    ...(await around(own, beside)),
    redemption: shortRedemption(undone.body, is_undone ? "ROLLED BACK" : "SUCCEEDED"),
    redemption_rollback: shortRedemption(own.body, has_worked ? "SUCCEEDED" : "FAILED"),
  };
}

export const of_redemptions = {
  "redemption.succeeded": { "redemption.succeeded": dated, "customer.redemption.succeeded": redemption },
  "redemption.failed": { "redemption.failed": dated, "customer.redemption.failed": redemption },
  "redemption.rollback.succeeded": {
    "redemption.rollback.succeeded": rollback,
    "customer.redemption.rollback.succeeded": rollback,
  },
  "redemption.rollback.failed": {
    "redemption.rollback.failed": rollback,
    "customer.redemption.rollback.failed": rollback,
  },
} satisfies Tellers<Redemption["type"] | Rollback["type"]>;
