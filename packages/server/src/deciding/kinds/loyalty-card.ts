import { type LoyaltyCardFacts, spendablePoints } from "@guerdon/engine";
import { books, localDay, type RewardRedemption } from "../../books/index.js";
import { type CatalogueReward, rewardedEvent, rewardTypeOf } from "../../features/rewards/index.js";
import { assignedRules } from "../../features/validation-rules/index.js";
import type { VoucherRow } from "../../features/vouchers/index.js";
import { newId } from "../../platform/ids.js";
import type { DecidingRequest } from "../requests/request.js";
import type { RedeemableInput } from "../requests/request.schemas.js";
import type { SharedFacts } from "../shared-facts.js";
import type { Card } from "./card.js";
import type { Redeeming } from "./kind.js";
import {
  isHeld,
  keepGiven,
  priceOf,
  readUses,
  rewardAsked,
  rewardFacts,
  rewardKeys,
  rewardOf,
} from "./rewards/reward.js";
import { handOver } from "./rewards/reward-handover.js";
import { readRewardsShown } from "./rewards/reward-shown.js";
import { isGivenFrom, offerKeys, readOffers, supplyFacts } from "./rewards/reward-supply.js";

/** A voucher that holds points, which are spent on rewards of its program (loyalty.md §9). */
export const loyaltyCard: Card = {
  ruleIds: ({ catalogue }, { campaign_id }, named_as) => {
    const asked = rewardAsked(catalogue, campaign_id, named_as);
    return asked ? assignedRules(catalogue, asked.assignment.id) : [];
  },

  async readNames(db, named, requests) {
    await readOffers(db, named, requests);
  },

  keys: (named, request, { campaign_id }, named_as) => {
    const { catalogue } = named;
    const asked = rewardAsked(catalogue, campaign_id, named_as);
    return asked ? [...rewardKeys(catalogue.project.id, asked), ...offerKeys(named, request, named_as)] : [];
  },

  async readFacts(db, shared, asked, requests) {
    const [given_to] = await Promise.all([readOffers(db, shared, requests), readUses(db, shared, asked)]);
    return given_to;
  },

  isOutdated: (shared, _request, named_as) => isGivenFrom(shared, named_as),

  facts: ({ shared, request, card, held, named_as }) => ({
    gift: null,
    loyalty_card: {
      balance: spendablePoints(
        { balance: card.balance ?? 0, lots: card.lots ?? [] },
        localDay(request.call.instant, shared.catalogue.project.timezone),
      ),
      held_balance: held,
      requested_points: named_as.reward?.points ?? null,
      reward: rewardWanted(shared, request, card, named_as),
    },
  }),

  spent: ({ increments }) => increments.points,
  spending: "POINTS_REDEMPTION",
  give,
  readShown: readRewardsShown,
  shown: (points) => ({ loyalty_card: { points } }),
};

function rewardWanted(
  shared: SharedFacts,
  request: DecidingRequest,
  card: VoucherRow,
  named_as: RedeemableInput,
): LoyaltyCardFacts["reward"] {
  const { id, assignment_id } = named_as.reward ?? {};
  const wanted = id || assignment_id;
  if (!wanted) return null;
  const asked = rewardAsked(shared.catalogue, card.campaign_id, named_as);
  const price = asked ? priceOf(shared, card.id, asked) : null;
  if (!asked || !price) return { id: wanted, not_found: true };
  const { units_max } = request.automatic ?? {};
  return {
    ...rewardFacts(shared, asked.reward, price),
    supply: supplyFacts(shared, request, asked.reward),
    ...(units_max === undefined ? {} : { units_max }),
  };
}

/** Hands the reward over: counts it, and writes down what was given for the points. */
function give(redeeming: Redeeming, card: VoucherRow, transaction_id: string | null) {
  const { change, shared, request, outcome, row } = redeeming;
  const { reward_units: units, points } = outcome.increments;
  const { reward, assignment } = rewardOf(shared, outcome);
  const given: RewardRedemption = {
    id: newId("rewr"),
    state: stateOf(reward),
    redemption_id: row.id,
    reward_id: reward.id,
    reward_name: reward.name,
    reward_type: rewardTypeOf(reward.parameters),
    reward_assignment_id: assignment.id,
    campaign_id: card.campaign_id,
    voucher_id: card.id,
    customer_id: row.customer_id,
    units,
    given_voucher_id: null,
    more_voucher_ids: null,
    given_amount: null,
    loyalty_tier_id: shared.tiers_of_cards.get(card.id) ?? null,
    created_at: change.cause.instant,
    updated_at: null,
  };
  const note = (made: RewardRedemption) => {
    change.add(books.reward_redemptions, made);
    change.tell(rewardedEvent(made, transaction_id));
  };
  const named = { id: reward.id, name: reward.name };
  const { parameters } = reward;
  if ("campaign" in parameters)
    redeeming.later(async () => {
      const { voucher_id, more_voucher_ids, amount } = await handOver(redeeming, parameters.campaign, named);
      note({ ...given, given_voucher_id: voucher_id, more_voucher_ids, given_amount: amount });
    });
  else note(given);
  change.add(books.rewards, { reward_id: reward.id, is_held: isHeld(reward), stock: reward.stock, times: units });
  keepGiven(shared, reward.id, units);
  return { ...(request.automatic ? { balance: automaticBalance(card, points) } : {}), reward: named };
}

/** What the books say of it where nobody asked (loyalty.md §7). */
const automaticBalance = ({ id, balance, added, subtracted, expired }: VoucherRow, spent: number) => ({
  type: "loyalty_card",
  total: (added ?? 0) - (subtracted ?? 0) - (expired ?? 0),
  object: "balance",
  points: -spent,
  balance: balance ?? 0,
  operation_type: "AUTOMATIC",
  related_object: { type: "voucher", id },
});

/** A product is handed over later; everything else is there at once. */
const stateOf = (reward: CatalogueReward) => (rewardTypeOf(reward.parameters) === "MATERIAL" ? "PENDING" : "COMPLETED");
