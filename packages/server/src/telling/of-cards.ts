import { toEarningRuleBody } from "../features/loyalties/earning-rules/index.js";
import { toAssignmentBody, toRewardBody } from "../features/rewards/index.js";
import { isoOf } from "../platform/clock.js";
import type { Around } from "./around.js";
import {
  campaignOf,
  customerOf,
  loyaltyTierOf,
  orderOf,
  redemptionOf,
  shortRedemptionOf,
  transactionOf,
  voucherOf,
} from "./look-ups.js";
import { boughtReward, shortEarningRule, shortReward, shortVoucher, wholeRedemption } from "./short.js";
import type { Fact, Tellers } from "./teller.js";

type Moved = Fact<
  | "voucher.gift.balance_added"
  | "voucher.gift.transaction.created"
  | "voucher.loyalty_card.points_adjusted"
  | "voucher.loyalty_card.points_transferred"
>;
type Expired = Fact<"voucher.loyalty_card.points_expired">;
type Accrued = Fact<"customer.rewarded.loyalty_points">;
type Rewarded = Fact<"customer.rewarded" | "customer.reward_redemptions.rolledback">;

/** A card's books have a new line: the card as it was left by it. */
async function moved(around: Around, { transaction_id, voucher_id, campaign_id }: Paid) {
  const { entry, body } = await transactionOf(around, transaction_id);
  const [voucher, campaign] = await Promise.all([
    voucherOf(around, voucher_id, entry.balance),
    campaignOf(around, campaign_id),
  ]);
  return { entry, voucher, campaign, transaction: body, balance: body.details.balance as object };
}
interface Paid {
  transaction_id: string;
  voucher_id: string;
  campaign_id: string | null;
}

/** What a card of points came to. Who did it stands in the transaction, where the contract has it. */
function ofPoints(balance: object): object {
  if (!("points" in balance && "operation_type" in balance)) return balance;
  const { operation_type: _, ...told } = balance;
  return told;
}

/** Whose balance was changed, and by how much; less where something was taken away. */
async function balance(around: Around, { data }: Moved) {
  const { voucher, balance, campaign, transaction } = await moved(around, data);
  return { voucher: shortVoucher(voucher), balance, campaign, transaction };
}

const balanceToCustomer = async (around: Around, event: Moved | Accrued) => {
  const { voucher, balance, campaign, transaction } = await moved(around, event.data);
  const customer = await customerOf(around, event.customer_id);
  return { customer, campaign, voucher: shortVoucher(voucher), balance: ofPoints(balance), transaction };
};

/** What a customer's cards hold by now, since one of them was changed by hand. */
async function loyalty(around: Around, { data, customer_id, created_at }: Moved) {
  const row = customer_id ? await around.customers.load(customer_id) : null;
  const [customer, campaign, body] = await Promise.all([
    customerOf(around, customer_id),
    campaignOf(around, data.campaign_id),
    row && around.customerBodies.load(row),
  ]);
  return { customer, campaign, loyalty: body?.loyalty ?? null, created_at: isoOf(created_at) };
}

/** A line of the books, whatever moved the credits. */
async function credits(around: Around, { data }: Moved) {
  const { entry, voucher, balance, campaign, transaction } = await moved(around, data);
  const [holder, order, redemption, rollback] = await Promise.all([
    customerOf(around, voucher?.holder_id),
    orderOf(around, entry.order_id),
    shortRedemptionOf(around, entry.redemption_id),
    shortRedemptionOf(around, entry.rollback_id),
  ]);
  return { transaction, voucher, campaign, holder, balance, order, redemption, rollback };
}

/** The custom event that points were given for, as far as the books keep it. */
const eventPaidFor = (kept: unknown, customer_id: string | null) => ({
  ...(kept as { id: string; type: string }),
  object: "event",
  customer: { id: customer_id, object: "customer" },
  referral: {},
  loyalty: {},
});

/** The same of points: what has nothing to do with it is null. */
async function points(around: Around, event: Moved | Accrued | Rewarded | Expired) {
  const { voucher_id, campaign_id, transaction_id } = event.data;
  if (transaction_id === null) throw new Error(`${event.id} moved no points`);
  const { entry, voucher, balance, campaign, transaction } = await moved(around, {
    ...{ voucher_id, campaign_id, transaction_id },
  });
  const reward_id = (entry.details?.reward as { id?: string } | undefined)?.id;
  const [holder, holder_loyalty_tier, loyalty_tier, order, redemption, rollback, earning_rule, reward] =
    await Promise.all([
      customerOf(around, voucher?.holder_id),
      loyaltyTierOf(around, entry.details?.holder_loyalty_tier),
      loyaltyTierOf(around, entry.details?.loyalty_tier),
      orderOf(around, entry.order_id),
      shortRedemptionOf(around, entry.redemption_id),
      shortRedemptionOf(around, entry.rollback_id),
      entry.earning_rule_id ? around.earning_rules.load(entry.earning_rule_id) : null,
      reward_id ? around.rewards.load(reward_id) : null,
    ]);
  return {
    ...{ transaction, voucher, campaign, holder, holder_loyalty_tier, balance: ofPoints(balance), order },
    event: entry.details?.event ?? null,
    earning_rule: earning_rule
      ? shortEarningRule(toEarningRuleBody(earning_rule))
      : (entry.details?.earning_rule ?? null),
    segment: entry.details?.segment ?? null,
    ...{ loyalty_tier, redemption, rollback },
    reward: reward && boughtReward(toRewardBody(reward)),
    custom_event: entry.details?.custom_event ? eventPaidFor(entry.details.custom_event, event.customer_id) : null,
    source_voucher: entry.details?.source_voucher ?? null,
    destination_voucher: entry.details?.destination_voucher ?? null,
  };
}

/** Whose points are over, and of which lots. */
async function expired(around: Around, { data, customer_id }: Expired) {
  const { entry, voucher, campaign, transaction } = await moved(around, data);
  const customer = await customerOf(around, customer_id);
  const buckets = data.lots.map(({ id, voucher_id, campaign_id, expires_on, points_expired, created_at }) => ({
    ...{ id, voucher_id, campaign_id, bucket: { total_points: points_expired }, status: "EXPIRED" },
    ...{ expires_at: expires_on, object: "loyalty_points_bucket" },
    ...(created_at === undefined ? {} : { created_at: isoOf(created_at) }),
  }));
  return { customer, campaign, voucher: shortVoucher(voucher), points: -entry.amount, buckets, transaction };
}

/** A rule has paid a customer. */
async function accrued(around: Around, { data, customer_id }: Accrued) {
  const { entry, voucher, balance, campaign } = await moved(around, data);
  const [customer, holder, loyalty_tier, rule, order] = await Promise.all([
    customerOf(around, customer_id),
    customerOf(around, voucher?.holder_id),
    loyaltyTierOf(around, entry.details?.loyalty_tier),
    entry.earning_rule_id ? around.earning_rules.load(entry.earning_rule_id) : null,
    orderOf(around, entry.order_id),
  ]);
  return {
    ...{ customer, holder, voucher: shortVoucher(voucher), campaign, loyalty_tier },
    // Of a rule that was deleted since, the books know its id and banner.
    earning_rule: rule ? toEarningRuleBody(rule) : (entry.details?.earning_rule ?? null),
    ...{ balance, order, event: entry.details?.event ?? null },
  };
}

/** What a member was given for points, with all that took part. */
async function given(around: Around, { data, customer_id }: Rewarded) {
  const [redeemed, assignment, kept, entry] = await Promise.all([
    redemptionOf(around, data.redemption_id),
    around.reward_assignments.load(data.reward_assignment_id),
    around.reward_redemptions.load(data.redemption_id),
    data.transaction_id ? transactionOf(around, data.transaction_id) : null,
  ]);
  const voucher = await voucherOf(around, data.voucher_id, entry?.entry.balance);
  const [customer, holder, campaign] = await Promise.all([
    customerOf(around, customer_id),
    customerOf(around, voucher?.holder_id),
    campaignOf(around, data.campaign_id),
  ]);
  return {
    beside: { customer, holder, voucher: shortVoucher(voucher), campaign },
    redeemed,
    assignment,
    kept,
    spent: entry && -entry.entry.amount,
    reward: shortReward(redeemed?.body.reward),
  };
}

async function rewarded(around: Around, event: Rewarded) {
  const { beside, redeemed, reward, spent } = await given(around, event);
  return {
    ...beside,
    redemption: redeemed && wholeRedemption(redeemed.body, redeemed.row, beside.campaign?.name),
    ...{ reward, referral_tier: null },
    balance: spent === null ? null : { points: spent },
    ...{ custom_event: null, customer_event: null },
  };
}

/** As it was at that moment: it may be in another state by now. */
const inState =
  (state: "CREATED" | "PENDING" | "COMPLETED" | "ROLLEDBACK") => async (around: Around, event: Rewarded) => {
    const { beside, assignment, kept, reward, spent } = await given(around, event);
    const { reward_redemption_id, redemption_id, reward_assignment_id, voucher_id, campaign_id } = event.data;
    return {
      ...beside,
      reward_redemption: {
        ...{ id: reward_redemption_id, state, voucher_id, campaign_id, customer_id: event.customer_id },
        ...{ reward_assignment_id, source_id: redemption_id, source_type: "redemption" },
        created_at: isoOf(kept?.created_at ?? event.created_at),
        updated_at: state === "ROLLEDBACK" ? isoOf(event.created_at) : null,
      },
      reward,
      reward_assignment: assignment && toAssignmentBody(assignment),
      source: { id: redemption_id, type: "redemption" },
      balance: spent === null ? null : { amount: spent },
    };
  };

export const of_cards = {
  "voucher.gift.balance_added": {
    "voucher.gift.balance_added": balance,
    "voucher.gift.transaction.created": credits,
    "customer.voucher.gift.balance_added": balanceToCustomer,
  },
  "voucher.gift.transaction.created": { "voucher.gift.transaction.created": credits },
  "voucher.loyalty_card.points_adjusted": {
    "voucher.loyalty_card.points_adjusted": balanceToCustomer,
    "voucher.loyalty_card.points_added": balanceToCustomer,
    "voucher.loyalty_card.transaction.created": points,
    "customer.voucher.loyalty_card.points_added": balanceToCustomer,
    "customer.loyalty.updated": loyalty,
  },
  "voucher.loyalty_card.points_transferred": {
    "voucher.loyalty_card.points_transferred": balanceToCustomer,
    "voucher.loyalty_card.transaction.created": points,
    "customer.voucher.loyalty_card.points_transferred": balanceToCustomer,
  },
  "voucher.loyalty_card.points_expired": {
    "voucher.loyalty_card.points_expired": expired,
    "voucher.loyalty_card.transaction.created": points,
    "customer.voucher.loyalty_card.points_expired": expired,
  },
  "customer.rewarded.loyalty_points": {
    "customer.rewarded.loyalty_points": accrued,
    "voucher.loyalty_card.transaction.created": points,
    "voucher.loyalty_card.points_added": balanceToCustomer,
    "customer.voucher.loyalty_card.points_added": balanceToCustomer,
  },
  "customer.rewarded": {
    "customer.rewarded": rewarded,
    "customer.reward_redemptions.created": inState("CREATED"),
    "customer.reward_redemptions.pending": inState("PENDING"),
    "customer.reward_redemptions.completed": inState("COMPLETED"),
    "voucher.loyalty_card.transaction.created": points,
  },
  "customer.reward_redemptions.rolledback": {
    "customer.reward_redemptions.rolledback": inState("ROLLEDBACK"),
    "voucher.loyalty_card.transaction.created": points,
  },
} satisfies Tellers<Moved["type"] | Expired["type"] | Accrued["type"] | Rewarded["type"]>;
