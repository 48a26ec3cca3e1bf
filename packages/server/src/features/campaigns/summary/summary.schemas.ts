import Type, { type Static } from "typebox";
import { integer, named } from "../../../platform/http/schema.js";
import { CampaignBody } from "../campaign.schemas.js";

const counted = () => integer({ minimum: 0 });
const optionally = <const Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, Type.Optional(counted())])) as Record<
    Name,
    ReturnType<typeof Type.Optional<ReturnType<typeof counted>>>
  >;

/** What happened in a campaign (vouchers-and-campaigns.md §20); each type of campaign shows what it may have. */
export const CampaignSummary = named(
  "CampaignSummary",
  Type.Object({
    object: Type.Literal("campaign_summary"),
    campaign: CampaignBody,
    redemptions: counted(),
    redemptions_succeeded: counted(),
    redemptions_failed: counted(),
    rollbacks: counted(),
    rollbacks_succeeded: counted(),
    rollbacks_failed: counted(),
    validations: counted(),
    validations_succeeded: counted(),
    validations_failed: counted(),
    orders_amount: counted(),
    orders_rolledback_amount: counted(),
    ...optionally(["vouchers_created", "vouchers_deleted"]),
    ...optionally(["publications", "publications_succeeded", "publications_failed"]),
    ...optionally(["discounted_amount", "rolledback_discounted_amount"]),
    ...optionally(["created_vouchers_amount", "amount_added", "amount_deleted", "amount_redeemed"]),
    ...optionally(["amount_rolledback", "amount_subtracted"]),
    ...optionally([
      "created_vouchers_points",
      "points_deleted",
      "points_subtracted",
      "points_added",
      "points_rewarded",
    ]),
    ...optionally(["points_redeemed", "points_rolledback", "points_expired"]),
    ...optionally(["points_transferred_out", "points_transferred_in", "pending_points_added"]),
    ...optionally(["pending_points_subtracted", "pending_points_activated", "pending_points_canceled"]),
    ...optionally(["referred_customers"]),
  }),
);
export type CampaignSummary = Static<typeof CampaignSummary>;

const day = (description: string) => Type.Optional(Type.String({ format: "date", description }));

export const SummaryQuery = Type.Object({
  start_date: day("The first day that counts, where the project is; all before it unless given."),
  end_date: day("The last day that counts, where the project is; all after it unless given."),
});
export type SummaryQuery = Static<typeof SummaryQuery>;
