import { consumerOf } from "../../../events/index.js";
import { convert } from "./convert.js";
import { has_referral_campaigns } from "./referral.store.js";

/** Counts who was referred by whom, by what each campaign says makes a referral (vouchers-and-campaigns.md §15). */
export const converting = consumerOf({
  name: "referrals",
  names: ["redemption.succeeded", "customer.custom_event"],
  is_told: has_referral_campaigns,
  when: "inbox",
  async take(tx, events, turn) {
    await convert(tx, events, turn);
    return undefined;
  },
});
