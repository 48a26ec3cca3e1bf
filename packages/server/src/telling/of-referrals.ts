import type { Around } from "./around.js";
import { campaignOf, customerOf, shortRedemptionOf, voucherOf } from "./look-ups.js";
import { customEventBody } from "./of-customers.js";
import { shortVoucher } from "./short.js";
import type { Fact, Tellers } from "./teller.js";

type Referred = Fact<"customer.referred">;

/** What the customer did, where that is what counted. */
const doneIn = ({ custom_event }: Referred["data"]) =>
  custom_event && customEventBody(custom_event, custom_event.created_at);

/** By whose code a customer came, and what made it count. */
async function referred(around: Around, { data }: Referred) {
  const [customer, referrer, campaign, voucher, redemption] = await Promise.all([
    customerOf(around, data.referee_id),
    customerOf(around, data.referrer_id),
    campaignOf(around, data.campaign_id),
    voucherOf(around, data.voucher_id),
    shortRedemptionOf(around, data.redemption_id),
  ]);
  return { customer, referrer, campaign, voucher: shortVoucher(voucher), custom_event: doneIn(data), redemption };
}

export const of_referrals = {
  "customer.referred": { "customer.referred": referred },
} satisfies Tellers<Referred["type"]>;
