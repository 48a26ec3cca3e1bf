import { type CampaignCounter, sumCampaignDays } from "../../../books/index.js";
import type { Context } from "../../../platform/context.js";
import type { Call } from "../../projects/index.js";
import { bodyOf, knownCampaign } from "../known-campaign.js";
import type { CampaignSummary, SummaryQuery } from "./summary.schemas.js";

type Sums = Record<CampaignCounter, number>;

/** `GET /v1/campaigns/:campaignId/summary`: sums of what was counted by the day; nothing is looked up. */
export async function readSummary(
  { db }: Context,
  call: Call,
  id_or_name: string,
  { start_date = "", end_date = "" }: SummaryQuery,
): Promise<CampaignSummary> {
  const campaign = await knownCampaign(db, call.project_id, id_or_name);
  const [body, sums] = await Promise.all([
    bodyOf(db, call, campaign),
    sumCampaignDays(db, call.project_id, campaign.id, { start: start_date || null, end: end_date || null }),
  ]);
  return {
    object: "campaign_summary",
    campaign: { ...body, categories: [] },
    ...both("redemptions", sums.redemptions_succeeded, sums.redemptions_failed),
    ...both("rollbacks", sums.rollbacks_succeeded, sums.rollbacks_failed),
    ...both("validations", sums.validations_succeeded, sums.validations_failed),
    orders_amount: sums.orders_amount,
    orders_rolledback_amount: sums.orders_rolledback_amount,
    ...(campaign.campaign_type === "PROMOTION" ? {} : ofCodes(sums)),
    ...shownOf[campaign.campaign_type]?.(sums),
  };
}

const both = <const Name extends string>(name: Name, succeeded: number, failed: number) =>
  ({ [name]: succeeded + failed, [`${name}_succeeded`]: succeeded, [`${name}_failed`]: failed }) as Record<
    Name | `${Name}_succeeded` | `${Name}_failed`,
    number
  >;

const ofCodes = (sums: Sums) => ({
  vouchers_created: sums.vouchers_created,
  vouchers_deleted: sums.vouchers_deleted,
  ...both("publications", sums.publications_succeeded, sums.publications_failed),
});

const ofDiscounts = ({ discounted_amount, rolledback_discounted_amount }: Sums) => ({
  discounted_amount,
  rolledback_discounted_amount,
});

/** What a type of campaign shows beside what all have. */
const shownOf: Readonly<Record<string, (sums: Sums) => Partial<CampaignSummary>>> = {
  DISCOUNT_COUPONS: ofDiscounts,
  PROMOTION: ofDiscounts,
  REFERRAL_PROGRAM: ({ referred_customers }) => ({ referred_customers }),
  GIFT_VOUCHERS: (sums) => ({
    created_vouchers_amount: sums.opened,
    amount_added: sums.added,
    amount_deleted: sums.lost,
    amount_redeemed: sums.redeemed,
    amount_rolledback: sums.returned,
    amount_subtracted: sums.subtracted,
  }),
  LOYALTY_PROGRAM: (sums) => ({
    created_vouchers_points: sums.opened,
    points_deleted: sums.lost,
    points_subtracted: sums.subtracted,
    points_added: sums.added,
    points_rewarded: sums.points_rewarded,
    points_redeemed: sums.redeemed,
    points_rolledback: sums.returned,
    points_expired: sums.points_expired,
    points_transferred_out: sums.points_transferred_out,
    points_transferred_in: sums.points_transferred_in,
    pending_points_added: sums.pending_points_added,
    pending_points_subtracted: sums.pending_points_subtracted,
    pending_points_activated: sums.pending_points_activated,
    pending_points_canceled: sums.pending_points_canceled,
  }),
};
