import type { Refusal, SkipReason, TooMuchWork } from "@guerdon/engine";
import { Problem, type ProblemBody } from "../../platform/http/problems.js";

/** The error of a redeemable: an entry of a validation, or the body of a refused redemption (redemption.md §18). */
export interface RefusalBody extends ProblemBody {
  code: 400 | 404;
  key: string;
  error?: { message: string };
}

type RefusalTexts = Pick<RefusalBody, "message" | "details" | "resource_id" | "resource_type" | "error">;

type Texts = { [Key in Refusal["key"]]: (refusal: Extract<Refusal, { key: Key }>) => RefusalTexts };

const rulesViolated =
  (message: string) =>
  ({ kind, rule_ids, message: custom }: Extract<Refusal, { rule_ids: unknown }>) => ({
    message,
    details: `${kind} cannot be redeemed because of violated validation rules: ${rule_ids.join(", ")}`,
    ...(custom === undefined ? {} : { error: { message: custom } }),
  });
const ofCode = (message: string) => (refusal: { code: string }) => ({ message, details: refusal.code });

const missing_order_details = {
  LOYALTY_CARD: "An order is required when redeeming a LOYALTY_CARD",
  GIFT_VOUCHER: "An order is required when redeeming a GIFT_VOUCHER",
  rules: "Order is required to validate rules",
};

/** Every refusal with its message and details, in the order of the checks. One without does not compile. */
const texts: Texts = {
  not_found: ({ resource_type, resource_id }) => ({
    message: "Resource not found",
    details: `Cannot find ${resource_type} with id ${resource_id}`,
    resource_id,
    resource_type,
  }),
  missing_reward: () => ({ message: "Missing reward", details: "A reward is required when redeeming a LOYALTY_CARD" }),
  missing_order: ({ required_by }) => ({ message: "Missing order", details: missing_order_details[required_by] }),
  voucher_disabled: ofCode("voucher is disabled"),
  promotion_inactive: ({ id }) => ({
    message: "Inactive Promotion",
    details: `Promotion Tier with id: ${id} is disabled.`,
  }),
  voucher_not_active: ofCode("voucher is not active"),
  voucher_expired: ofCode("voucher expired"),
  voucher_not_active_now: ofCode("voucher not active now"),
  promotion_not_active_now: ({ id }) => ({ message: "Promotion is not active now", details: id }),
  quantity_exceeded: ofCode("quantity exceeded"),
  invalid_customer: ofCode("Customer must be a holder of a loyalty card."),
  referrer_not_permitted_to_redeem: ofCode("voucher cannot be redeemed by referrer"),
  missing_customer: () => ({ message: "Missing customer", details: "Customer is required to validate rules" }),
  missing_amount: () => ({ message: "Missing amount" }),
  customer_rules_violated: rulesViolated("customer does not match validation rules"),
  order_rules_violated: rulesViolated("order does not match validation rules"),
  redemption_rules_violated: rulesViolated("redemption does not match validation rules"),
  gift_amount_exceeded: ofCode("gift amount exceeded"),
  reward_out_of_stock: ({ reward_id }) => ({ message: "Reward out of stock", details: reward_id }),
  loyalty_card_points_exceeded: ofCode("loyalty card points exceeded"),
  missing_order_items_amount: () => ({
    message: "Missing applicable order items",
    details: "At least one applicable order item with amount is required to redeem this GIFT_VOUCHER",
  }),
};

/** Renders why a redeemable is inapplicable. */
export function refusalBody(refusal: Refusal): RefusalBody {
  const render = texts[refusal.key] as (refusal: Refusal) => RefusalTexts;
  const { message, ...rest } = render(refusal);
  return { code: refusal.key === "not_found" ? 404 : 400, key: refusal.key, message, ...rest };
}

/** Why a redeemable was passed over (redemption.md §5.4). */
export const skip_messages: Record<SkipReason, string> = {
  preceding_validation_failed: "Redeemable cannot be applied due to preceding validation failure",
  exclusion_rules_not_met: "Redeemable cannot be applied due to exclusion rules",
  applicable_redeemables_limit_exceeded: "Applicable redeemables limit exceeded",
  applicable_exclusive_redeemables_limit_exceeded: "Applicable exclusive redeemables limit exceeded",
  applicable_exclusive_redeemables_per_category_limit_exceeded:
    "Applicable exclusive redeemables limit per category exceeded",
  applicable_redeemables_per_category_limit_exceeded: "Applicable redeemables limit per category exceeded",
  no_effect: "Redeemable cannot be applied due to no effect",
};

const refuse = (key: string, message: string, details?: string, more: Partial<ProblemBody> = {}) =>
  new Problem(400, { code: 400, key, message, ...(details === undefined ? {} : { details }), ...more });

/** Refusals of a whole request (redemption.md §4 A, §11, §18.2, §18.3). */
export const request_refusals = {
  duplicatedRedeemables: () =>
    refuse(
      "duplicated_redeemables",
      "Duplicated redeemables detected",
      "Duplicated redeemables detected in one redemption",
    ),
  mixedStack: () =>
    refuse("invalid_redeemables", "Invalid redeemables", "Promotion Stack cannot be use with other redeemables"),
  noApplicableRedeemables: (more: Partial<ProblemBody>) =>
    refuse("no_applicable_redeemables", "No applicable redeemables", "None of the redeemables can be applied", more),
  invalidRedemptionParent: () =>
    refuse(
      "invalid_redemption_parent",
      "Invalid redemption parent",
      "You can rollback only a redemption that does not have parent redemption.",
    ),
  stackedRedemption: () =>
    refuse(
      "invalid_redemption",
      "Invalid redemption",
      "You can rollback only a single redemption. Use different endpoint for stacked redemption.",
    ),
  notARedemption: () =>
    refuse("invalid_redemption", "Invalid redemption", "You can rollback only a successful redemption."),
  tooOldForRollback: (rollback_id: string) =>
    refuse("invalid_redemption", "Invalid redemption", "Redemption is older than 3 months.", {
      resource_id: rollback_id,
      resource_type: "redemption_rollback",
    }),
  alreadyRolledBack: (rollback_id: string) =>
    refuse("already_rolled_back", "Already rolled back", "Redemption has been already rolled back.", {
      resource_id: rollback_id,
      resource_type: "redemption_rollback",
    }),
  /** Which of what was asked about takes more work on this order, customer and metadata than a decision may. */
  tooHeavy: ({ on, units, units_max }: TooMuchWork) =>
    refuse(
      "decision_too_heavy",
      "Decision too heavy",
      `Work on ${[on.object.replace("_", " "), on.id].join(" ").trim()} came to ${units} units, ${units_max} at most`,
      { resource_type: on.object, ...(on.id ? { resource_id: on.id } : {}) },
    ),
  ambiguousTrackingId: (one: string, other: string) =>
    refuse(
      "ambiguous_tracking_id",
      `Ambiguous trackingId ('${one}' vs. '${other}')`,
      "The customer cannot be identified as two different identifiers have been used between requests from same origin.",
    ),
  foreignCustomer: () => refuse("invalid_customer", "Invalid customer", "Customer is not related with redemption."),
  foreignOrder: () => refuse("invalid_order", "Invalid order", "Order is not related with redemption."),
  invalidAmount: () => refuse("invalid_amount", "Invalid Amount", "Amount has to be a valid positive number"),
};
