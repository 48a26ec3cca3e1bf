import type { Refusal, SkipReason, TooMuchWork } from "@guerdon/engine";
import { Problem, type ProblemBody } from "../platform/http/problems.js";
import { loyalty_refusals } from "./loyalty-refusals.js";
import { management_refusals } from "./management-refusals.js";
import { refuse } from "./refuse.js";

// The catalogue: whatever refuses a request for a reason of our own subject stands here, with its status, key, message and
// details, and is thrown by its name. What belongs to no subject (credentials, paths, bodies) is in platform/http/problems.ts.
// test/refusals/ provokes every entry over HTTP.

/** The error of a redeemable: an entry of a validation, or the body of a refused redemption (redemption.md §18.2). */
interface RefusalBody extends ProblemBody {
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

/** Of one redeemable, in the order of the checks (redemption.md §4 C). One without a text does not compile. */
export const redeemable_refusals: Texts = {
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
  no_voucher_suitable_for_publication: ({ reward_id }) => ({
    message: "Couldn't find any voucher suitable for publication",
    details: reward_id,
  }),
  voucher_cannot_be_published: () => ({
    message: "Voucher cannot be published",
    details: "Voucher cannot be published. Customer already joined program.",
  }),
  loyalty_card_points_exceeded: ofCode("loyalty card points exceeded"),
  missing_order_items_amount: () => ({
    message: "Missing applicable order items",
    details: "At least one applicable order item with amount is required to redeem this GIFT_VOUCHER",
  }),
};

/** Renders why a redeemable is inapplicable. */
export function refusalBody(refusal: Refusal): RefusalBody {
  const render = redeemable_refusals[refusal.key] as (refusal: Refusal) => RefusalTexts;
  const { message, ...rest } = render(refusal);
  return { code: refusal.key === "not_found" ? 404 : 400, key: refusal.key, message, ...rest };
}

/** The same as the error of the whole request; `record` is what was written of it, and a 404 names what is missing instead. */
export function refusedFor(refusal: Refusal, record: Partial<ProblemBody> = {}): Problem {
  const body = refusalBody(refusal);
  return new Problem(body.code, body.code === 404 ? body : { ...body, ...record });
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

/** Of whole requests (redemption.md §4 A, §11, §18.2 to §18.4; the features' own files of the specification). */
export const refusals = {
  duplicatedRedeemables: () =>
    refuse(
      400,
      "duplicated_redeemables",
      "Duplicated redeemables detected",
      "Duplicated redeemables detected in one redemption",
    ),
  /** Not the last word: it says when to try again. */
  multipleRequests: (worked_on: "order" | "redemption") =>
    new Problem(
      400,
      {
        code: 400,
        key: "multiple_requests",
        message: "Multiple requests",
        details: `Another request for this ${worked_on} is being worked on. Try again.`,
      },
      { "retry-after": "1" },
    ),
  mixedStack: () =>
    refuse(400, "invalid_redeemables", "Invalid redeemables", "Promotion Stack cannot be use with other redeemables"),
  noApplicableRedeemables: (more: Partial<ProblemBody>) =>
    refuse(
      400,
      "no_applicable_redeemables",
      "No applicable redeemables",
      "None of the redeemables can be applied",
      more,
    ),
  invalidRedemptionParent: () =>
    refuse(
      400,
      "invalid_redemption_parent",
      "Invalid redemption parent",
      "You can rollback only a redemption that does not have parent redemption.",
    ),
  stackedRedemption: () =>
    refuse(
      400,
      "invalid_redemption",
      "Invalid redemption",
      "You can rollback only a single redemption. Use different endpoint for stacked redemption.",
    ),
  notARedemption: () =>
    refuse(400, "invalid_redemption", "Invalid redemption", "You can rollback only a successful redemption."),
  tooOldForRollback: (rollback_id: string) =>
    refuse(400, "invalid_redemption", "Invalid redemption", "Redemption is older than 3 months.", {
      resource_id: rollback_id,
      resource_type: "redemption_rollback",
    }),
  alreadyRolledBack: (rollback_id: string) =>
    refuse(400, "already_rolled_back", "Already rolled back", "Redemption has been already rolled back.", {
      resource_id: rollback_id,
      resource_type: "redemption_rollback",
    }),
  /** A customer with more than a segment may look at. */
  tooMuchToLookAt: (details: string) => refuse(400, "decision_too_heavy", "Decision too heavy", details),
  /** Which of what was asked about takes more work on this order, customer and metadata than a decision may. */
  tooHeavy: ({ on, units, units_max }: TooMuchWork) =>
    refuse(
      400,
      "decision_too_heavy",
      "Decision too heavy",
      `Work on ${[on.object.replace("_", " "), on.id].join(" ").trim()} came to ${units} units, ${units_max} at most`,
      { resource_type: on.object, ...(on.id ? { resource_id: on.id } : {}) },
    ),
  ambiguousTrackingId: (one: string, other: string) =>
    refuse(
      400,
      "ambiguous_tracking_id",
      `Ambiguous trackingId ('${one}' vs. '${other}')`,
      "The customer cannot be identified as two different identifiers have been used between requests from same origin.",
    ),
  foreignCustomer: () =>
    refuse(400, "invalid_customer", "Invalid customer", "Customer is not related with redemption."),
  foreignOrder: () => refuse(400, "invalid_order", "Invalid order", "Order is not related with redemption."),
  invalidAmount: () => refuse(400, "invalid_amount", "Invalid Amount", "Amount has to be a valid positive number"),

  // Asynchronous actions.
  asyncActionsLimitExceeded: (actions_max: number) =>
    refuse(
      400,
      "async_actions_limit_exceeded",
      "Asynchronous actions limit exceeded",
      `${actions_max} asynchronous actions of the project have not ended. Try again when one of them has.`,
    ),

  // Exports.
  invalidExportFields: (allowed: readonly string[]) =>
    refuse(
      400,
      "invalid_export_fields",
      "Invalid Export",
      `Unsupported field used. Allowed fields: ${allowed.join(", ")}`,
    ),
  exportsLimitExceeded: (details: string) => refuse(400, "exports_limit_exceeded", "Exports limit exceeded", details),

  // Imports.
  importsLimitExceeded: (imports_max: number) =>
    refuse(
      400,
      "imports_limit_exceeded",
      "Imports limit exceeded",
      `${imports_max} imports of the project are waiting. Try again when one of them has ended.`,
    ),
  /** One of the texts of the reference. */
  vouchersWithoutCode: (count: number) =>
    refuse(400, "invalid_voucher", "Invalid Voucher", `Found ${count} voucher(s) without 'code' value`),
  duplicateCodes: (count: number) =>
    refuse(400, "duplicate_key", "Duplicate codes", `${count} voucher codes(s) already exist.`),

  // Discounts, vouchers, campaigns.
  invalidVoucher: (details: string) => refuse(400, "invalid_voucher", "Invalid Voucher", details),
  invalidCampaign: (details: string) => refuse(400, "invalid_campaign", "Invalid Campaign", details),
  invalidCodeConfig: (details: string) => refuse(400, "invalid_code_config", "Invalid Code Config", details),
  noTemplateOf: () =>
    refuse(
      400,
      "campaign_type_is_not_supported_by_campaign_template",
      "Campaign type is not supported by campaign template",
    ),
  protectedCampaign: () =>
    refuse(400, "resource_protected", "Resource is protected", undefined, { resource_type: "campaign" }),
  builtInProduct: (product_id: string) =>
    refuse(400, "resource_protected", "Resource is protected", "Shipping is built in and cannot be deleted", {
      resource_type: "product",
      resource_id: product_id,
    }),
  /** The details are texts of the reference; `path` is ours, and says where it is. */
  invalidRule: (details: string, path: string) =>
    refuse(400, "invalid_validation_rules", "Invalid Validation Rule Definition", details, { path }),
  /** @param details every requirement of each property that breaks one */
  invalidMetadata: (details: string) =>
    refuse(400, "metadata_validation_failed", "Metadata validation failed", details),

  // Publications (vouchers-and-campaigns.md §11.2).
  duplicateSourceId: (source_id: string) =>
    refuse(
      400,
      "duplicate_source_id",
      "Duplicate source_id",
      `Publication with source_id: '${source_id}' already exists`,
    ),
  alreadyJoined: () =>
    refuse(
      400,
      "voucher_cannot_be_published",
      "Voucher cannot be published",
      "Voucher cannot be published. Customer already joined program.",
    ),
  alreadyPublished: (voucher_id: string) =>
    refuse(
      400,
      "voucher_already_published",
      "Voucher already published",
      `Voucher with id ${voucher_id} is already published`,
      { resource_id: voucher_id, resource_type: "voucher" },
    ),
  missingVouchers: () => refuse(400, "missing_vouchers", "Missing vouchers", "Either Campaign or Voucher is required"),
  tooManyVouchers: () =>
    refuse(400, "too_many_vouchers_requested", "Too many vouchers requested", "Only up to 1 can be published"),
  pageOverLimit: (page_max: number) =>
    refuse(
      400,
      "page_over_limit",
      `Listing resource above ${page_max} page is not supported`,
      `Property .page cannot be higher than ${page_max}`,
    ),
  noneSuitable: (details?: string) =>
    refuse(400, "no_voucher_suitable_for_publication", "Couldn't find any voucher suitable for publication", details),

  // Holders of referral codes (vouchers-and-campaigns.md §15); the second key is spelt as the contract has it.
  notPublished: () => refuse(400, "not_published", "Voucher is not published"),
  holdsAlready: (customer_id: string) =>
    refuse(
      409,
      "holder_assignement_duplication",
      "Customer is already assigned to given redeemable",
      `Customer with id ${customer_id} is already assigned to given redeemable`,
      { resource_id: customer_id, resource_type: "customer" },
    ),
  holdsForGood: () => refuse(403, "forbidden", "Can not remove assignment"),

  ...loyalty_refusals,
  ...management_refusals,

  // Tokens (platform.md §4).
  missingParameters: () => refuse(400, "missing_parameters", "Missing parameters"),
  invalidGrantType: () => refuse(400, "invalid_grant_type", "Invalid grant_type"),
  invalidScope: (refused: readonly string[]) => refuse(400, "invalid_scope", `Invalid scope: ${refused.join(" ")}`),
};
