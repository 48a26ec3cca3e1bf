import type { LoyaltyCardFacts } from "@guerdon/engine";
import { books, type RewardRedemption } from "../../books/index.js";
import { type CatalogueReward, rewardedEvent, rewardTypeOf } from "../../features/rewards/index.js";
import type { VoucherRow } from "../../features/vouchers/index.js";
import { newId } from "../../platform/ids.js";
import type { RedeemableInput } from "../requests/request.schemas.js";
import type { SharedFacts } from "../shared-facts.js";
import type { Card, CardNamed } from "./card.js";
import type { Redeeming } from "./kind.js";
import { isHeld, keepGiven, readUses, rewardAsked, rewardFacts, rewardKeys, rewardOf } from "./reward.js";
import { readRewardsShown } from "./reward-shown.js";

/** A voucher that holds points, which are spent on rewards of its program (loyalty.md §9). */
export const loyaltyCard: Card = {
  ruleIds: ({ catalogue }, { campaign_id }, named_as) =>
    rewardAsked(catalogue, campaign_id, named_as)?.assignment.rule_ids ?? [],

  keys: ({ catalogue }, { campaign_id }, named_as) =>
    rewardKeys(catalogue.project.id, rewardAsked(catalogue, campaign_id, named_as)),

  readFacts: readUses,

  facts: ({ shared, card, held, named_as }) => ({
    gift: null,
    loyalty_card: {
      balance: card.balance ?? 0,
      held_balance: held,
      requested_points: named_as.reward?.points ?? null,
      reward: rewardWanted(shared, card, named_as),
    },
  }),

  spent: ({ increments }) => increments.points,
  spending: "POINTS_REDEMPTION",
  give,
  readShown: readRewardsShown,
  shown: (points) => ({ loyalty_card: { points } }),
};

function rewardWanted(shared: SharedFacts, card: CardNamed, named_as: RedeemableInput): LoyaltyCardFacts["reward"] {
  const { id, assignment_id } = named_as.reward ?? {};
  const wanted = id || assignment_id;
  if (!wanted) return null;
  const asked = rewardAsked(shared.catalogue, card.campaign_id, named_as);
  return asked ? rewardFacts(shared, asked) : { id: wanted, not_found: true };
}

/** Hands the reward over: counts it, and writes down what was given for the points. */
function give({ change, shared, outcome, row }: Redeeming, card: VoucherRow, transaction_id: string | null) {
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
    given_voucher_id: null,
    given_amount: null,
    created_at: change.cause.instant,
    updated_at: null,
  };
  change.add(books.reward_redemptions, given);
  change.add(books.rewards, { reward_id: reward.id, is_held: isHeld(reward), stock: reward.stock, times: 1 });
  keepGiven(shared, reward.id);
  change.tell(rewardedEvent(given, transaction_id));
  return { reward: { id: reward.id, name: reward.name } };
}

/** A product is handed over later; everything else is there at once. */
const stateOf = (reward: CatalogueReward) => (rewardTypeOf(reward.parameters) === "MATERIAL" ? "PENDING" : "COMPLETED");
