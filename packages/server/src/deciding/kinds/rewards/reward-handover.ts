import { type Given, publishWithin } from "../../../features/publications/index.js";
import { addForReward } from "../../../features/rewards/index.js";
import { findVouchersToDecide, type LockedVoucher } from "../../../features/vouchers/index.js";
import { StartOver } from "../../../platform/db/database-errors.js";
import { Problem } from "../../../platform/http/problems.js";
import { keepVoucher, voucherOf } from "../found-voucher.js";
import type { Redeeming } from "../kind.js";
import { keepGivenBy, type OfCampaign, type Offer, offerOf, publicationOf } from "./reward-supply.js";

/** What a campaign has given for points. */
export interface HandedOver {
  voucher_id: string;
  /** Codes beside that one. */
  more_voucher_ids: readonly string[] | null;
  /** Credits or points: what was added, and with a card that is new what it began with. Null: a code. */
  amount: number | null;
}

/** The reward whose balance is handed over, as the ledger names it. */
interface Named {
  id: string;
  name: string;
}

/** Publishes the next codes of a campaign to the member, or adds to the card that the member has there, which is published first. */
export async function handOver(redeeming: Redeeming, campaign: OfCampaign, reward: Named): Promise<HandedOver> {
  const { shared, request, outcome } = redeeming;
  const { reward_units } = outcome.increments;
  const offer = offerOf(shared, request, campaign.id);
  if (!offer) throw new Error(`campaign ${campaign.id} was decided on without being read`);
  if (campaign.type === "DISCOUNT_COUPONS") {
    const [voucher, ...more] = (await published(redeeming, campaign, offer, reward_units)).vouchers;
    const more_voucher_ids = more.length === 0 ? null : more.map(({ id }) => id);
    return { voucher_id: voucher.id, more_voucher_ids, amount: null };
  }
  const balance = (campaign.balance ?? 0) * reward_units;
  if (offer.held_id === null) {
    const card = await aNewCard(redeeming, campaign, offer);
    await credit(redeeming, card, balance, reward);
    return { voucher_id: card.id, more_voucher_ids: null, amount: (card.balance ?? 0) + balance };
  }
  const card = voucherOf(shared, offer.held_id);
  if (!card) throw new StartOver("the member's card was deleted meanwhile");
  await credit(redeeming, card, balance, reward);
  return { voucher_id: card.id, more_voucher_ids: null, amount: balance };
}

async function published(redeeming: Redeeming, campaign: OfCampaign, offer: Offer, count: number): Promise<Given> {
  const { change, shared, request, row } = redeeming;
  // The member as this very request leaves them: upserting somebody older would undo it.
  const customer = shared.customer(request.customer);
  if (!customer) throw new Error(`redemption ${row.id} was granted to nobody`);
  const wanted = publicationOf(request, campaign.id, { id: customer.id }, count);
  const given = await publishWithin(change, request.call, wanted, { ...offer.target, customer });
  if (given instanceof Problem) {
    // What was there under the key of publications can only have been switched off; what had to be made has no code left.
    if (offer.left !== null) throw new StartOver("the last codes were switched off while this waited");
    throw given;
  }
  keepGivenBy(shared, campaign.id, offer, given.vouchers[0].id);
  return given;
}

async function aNewCard(redeeming: Redeeming, campaign: OfCampaign, offer: Offer): Promise<LockedVoucher> {
  const { change, request } = redeeming;
  const [voucher] = (await published(redeeming, campaign, offer, 1)).vouchers;
  const names = { ids: [voucher.id], code_keys: [] };
  const held = { session_keys: [], instant: request.call.instant, holding: names.ids, is_recording: false };
  const [card] = await findVouchersToDecide(change.tx, request.call.project_id, names, held);
  if (!card) throw new Error(`a card just published is gone: ${voucher.id}`);
  return card;
}

/** Adds credits, or points that expire by the rules of their program, to a card; the facts become what it holds then. */
async function credit(
  { change, shared, row }: Redeeming,
  card: LockedVoucher,
  amount: number,
  reward: Named,
): Promise<void> {
  const because = { reward, currency: row.currency, redemption_id: row.id, rollback_id: null };
  keepVoucher(shared, await addForReward(change, card, amount, row.day, because));
}
