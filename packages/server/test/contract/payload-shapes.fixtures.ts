/** What must stand somewhere: a kind of value (`?` where it may be null), a list of such, or an object with at least these names. */
export type Shape = string | readonly [Shape] | { readonly [name: string]: Shape } | Maybe;
interface Maybe {
  readonly or_null: Shape;
}
const maybe = (or_null: Shape): Maybe => ({ or_null });
const isMaybe = (shape: object): shape is Maybe => "or_null" in shape;

const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string",
  number: Number.isSafeInteger,
  flag: (value) => typeof value === "boolean",
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  list: Array.isArray,
  date: (value) => typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value),
  null: (value) => value === null,
};

/** Where a value is not what its shape says. */
export function departures(value: unknown, shape: Shape, path = ""): string[] {
  if (typeof shape === "string") {
    const kind = shape.replace("?", "");
    const fits = (shape.endsWith("?") && value === null) || (kinds[kind]?.(value) ?? value === kind);
    return fits ? [] : [`${path}: ${shape} wanted, not ${JSON.stringify(value)}`];
  }
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [`${path}: a list wanted`];
    return value.flatMap((one, i) => departures(one, (shape as readonly [Shape])[0], `${path}[${i}]`));
  }
  if (isMaybe(shape)) return value === null ? [] : departures(value, shape.or_null, path);
  if (!kinds.object?.(value)) return [`${path}: an object wanted, not ${JSON.stringify(value)}`];
  const fields = Object.entries(shape as Record<string, Shape>);
  return fields.flatMap(([name, of]) => departures((value as Record<string, unknown>)[name], of, `${path}.${name}`));
}

/** Times are never told as numbers. */
export function numbersForTimes(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    /_at$|(^|_)date$/.test(name) && typeof one === "number"
      ? [`${path}.${name}`]
      : numbersForTimes(one, `${path}.${name}`),
  );
}

const customer = {
  id: "text",
  name: "text?",
  email: "text?",
  source_id: "text?",
  metadata: "object",
  object: "customer",
};
const customer_in_full = { ...customer, summary: "object", loyalty: "object", referrals: "object", created_at: "date" };
const campaign = {
  ...{ id: "text", name: "text", campaign_type: "text", type: "text", active: "flag", metadata: "object" },
  ...{ categories: "list", created_at: "date", object: "campaign" },
};
const voucher = {
  ...{ id: "text", code: "text", type: "text", campaign_id: "text?", metadata: "object", created_at: "date" },
  ...{ redemption: { quantity: "number?", redeemed_quantity: "number" }, object: "voucher" },
};
const voucher_in_full = { ...voucher, publish: "object", validation_rules_assignments: "object", active: "flag" };
const order = {
  ...{ id: "text", source_id: "text?", status: "text", customer_id: "text?", referrer_id: "text?", metadata: "object" },
  object: "order",
};
const redemption = {
  ...{ id: "text", date: "date", customer_id: "text?", status: "text", result: "text", metadata: "object?" },
  ...{ channel: { channel_id: "text", channel_type: "text" }, object: "text" },
};
const publication = {
  ...{
    id: "text",
    object: "publication",
    created_at: "date",
    customer_id: "text",
    metadata: "object",
    channel: "text",
  },
  ...{ source_id: "text?", result: "text", customer: customer_in_full, vouchers_id: "list" },
};
const balance = {
  ...{
    type: "text",
    total: "number",
    balance: "number",
    object: "balance",
    related_object: { type: "voucher", id: "text" },
  },
};
const transaction = {
  ...{ id: "text", source_id: "text?", voucher_id: "text", campaign_id: "text?", source: "text?", reason: "text?" },
  // An order that its shop gave no id of its own has none to tell.
  ...{ type: "text", details: "object", related_transaction_id: "text?", created_at: "date" },
};
const tier = {
  id: "text",
  name: "text",
  action: "object",
  campaign_id: "text",
  campaign: "object",
  object: "promotion_tier",
};
const stack = { id: "text", name: "text", tiers: "object", campaign_id: "text", object: "promotion_stack" };
/** Beside the points that it gave. */
const earning_rule_beside = { id: "text", source: "object", metadata: "object" };
const earning_rule = {
  ...{
    id: "text",
    created_at: "date",
    loyalty: "object",
    source: "object",
    object: "earning_rule",
    automation_id: "text",
  },
  ...{ metadata: "object", validation_rule_id: "text?", updated_at: "date?" },
};
const loyalty_tier = {
  ...{ id: "text", name: "text", campaign_id: "text", points: { from: "number" }, config: { points: "object" } },
  ...{ earning_rules: "object", rewards: "object", metadata: "object", created_at: "date", updated_at: "date?" },
  object: "loyalty_tier",
};
const reward = { id: "text", name: "text", type: "text", parameters: "object", metadata: "object", object: "reward" };
const assigned_reward = {
  ...{ id: "text", reward_id: "text", related_object_id: "text", related_object_type: "campaign", created_at: "date" },
  object: "reward_assignment",
};
const rule = {
  id: "text",
  name: "text",
  rules: "object",
  applicable_to: "object",
  object: "validation_rules",
  created_at: "date",
};
const assignment = {
  ...{ id: "text", rule_id: "text", related_object_id: "text", related_object_type: "text", created_at: "date" },
  ...{ validation_status: "VALID", validation_omitted_rules: "list", object: "validation_rules_assignment" },
};

const redeemed = {
  ...{ customer: maybe(customer), order: maybe(order), campaign: maybe(campaign), voucher: maybe(voucher) },
  ...{
    holder: maybe(customer),
    promotion_tier: maybe({ id: "text", name: "text" }),
    promotion_stack: maybe({ id: "text" }),
    redemption,
  },
};
const of_order = { customer, referrer: maybe(customer), order, redemption: maybe({ id: "text", result: "text" }) };
const pending_points = {
  ...{ id: "text", voucher_id: "text", campaign_id: "text", customer_id: "text", order_id: "text", points: "number" },
  ...{
    activates_at: "text",
    details: { event: "object", earning_rule: "object", order: "object" },
    created_at: "date",
  },
};
const pending_changed = {
  ...{ customer, campaign, voucher, order, pending_points },
  voucher_pending_points_balance: {
    ...{ points: "number", total: "number", object: "balance", operation_type: "text", related_object: "object" },
  },
};
const pending_activated = {
  ...{ customer, campaign, voucher, order, pending_points, balance: { ...balance, points: "number" }, transaction },
};
const rewarded = { customer, holder: customer, voucher, campaign };
const referral_tier = { id: "text", campaign_id: "text", parameters: "object" };
const reward_given = { id: "text", name: "text", type: "text", assignment_id: "text", object: "reward" };
const reward_redemption = (state: string) => ({
  ...rewarded,
  reward_redemption: {
    ...{ id: "text", state, created_at: "date", voucher_id: "text", campaign_id: "text", customer_id: "text" },
    reward_assignment_id: "text",
  },
  ...{ reward: reward_given, reward_assignment: assigned_reward, source: { id: "text", type: "text" } },
  balance: { amount: "number" },
});
const with_campaign = (parts: Record<string, Shape>) => ({ campaign, ...parts });
const published = { customer, campaign, publication };
const points_added = {
  ...{ customer, campaign, voucher, transaction },
  balance: { ...balance, points: "number" },
};
const points_expired = {
  ...{ customer, campaign, voucher, transaction, points: "number" },
  buckets: [{ id: "text", bucket: { total_points: "number" }, expires_at: "text" }],
} as const;
const assignment_told = {
  ...{ rule, assignment, voucher: maybe(voucher), campaign: maybe(campaign), distribution: "null" },
  ...{ promotion_tier: maybe({ id: "text", name: "text" }), earning_rule: maybe(earning_rule) },
};

const in_tier = { customer, campaign, loyalty_tier, created_at: "date" };

/** One shape under several names. */
const each = (of: string, verbs: readonly string[], shape: Shape) =>
  Object.fromEntries(verbs.map((verb) => [`${of}.${verb}`, shape]));

/** What each event must say, by the name under which it is told (events-and-webhooks.md §3). */
export const payload_shapes: Readonly<Record<string, Shape>> = {
  "business_validation_rule.assignment.created": assignment_told,
  "business_validation_rule.assignment.deleted": assignment_told,
  "business_validation_rule.created": { rule, created_at: "date" },
  "business_validation_rule.deleted": { rule, deleted_at: "date" },
  "business_validation_rule.updated": { rule, updated_at: "date" },
  "campaign.created": with_campaign({ created_at: "date" }),
  "campaign.deleted": with_campaign({ deleted_at: "date" }),
  "campaign.disabled": { campaign: { ...campaign, active: "flag", protected: "flag" } },
  "campaign.enabled": { campaign: { ...campaign, protected: "flag" } },
  "campaign.updated": { campaign: { ...campaign, protected: "flag", updated_at: "date" } },
  ...each("campaign.earning_rule", ["assigned", "deleted", "disabled", "enabled", "updated"], {
    campaign,
    earning_rule,
  }),
  "campaign.loyalty_tier.created": with_campaign({ loyalty_tier }),
  "campaign.promotion_stack.created": with_campaign({ promotion_stack: stack }),
  "campaign.promotion_stack.updated": with_campaign({ promotion_stack: stack }),
  ...each("campaign.promotion_tier", ["created", "deleted", "disabled", "enabled", "updated"], {
    campaign,
    promotion_tier: tier,
  }),
  "campaign.reward.assignment.created": with_campaign({ reward, reward_assignment: assigned_reward }),
  "campaign.reward.assignment.deleted": with_campaign({ reward, reward_assignment: assigned_reward }),
  "campaign.reward.assignment.updated": with_campaign({ reward, reward_assignment: assigned_reward }),
  "campaign.vouchers.added": with_campaign({ count: "number", added_at: "date" }),
  "campaign.vouchers.generation.completed": with_campaign({ count: "number", completed_at: "date" }),
  "campaign.vouchers.generation.failed": with_campaign({ count: "number", failed_at: "date", reason: "text" }),
  "campaign.vouchers.generation.started": with_campaign({ count: "number", started_at: "date" }),
  ...each("campaign.referral_tier", ["created", "updated", "deleted"], with_campaign({ referral_tier })),
  "customer.created": { customer: customer_in_full },
  "customer.custom_event": {
    event: {
      id: "text",
      object: "event",
      type: "text",
      customer: { id: "text" },
      metadata: "object",
      created_at: "date",
    },
    ...{ event_schema: { id: "text", name: "text" }, customer, referral: "null" },
    loyalty: { voucher, campaign },
  },
  "customer.deleted": { customer: customer_in_full },
  ...each("customer.holder.assignment", ["created", "deleted"], {
    holder: {
      ...{ id: "text", created_at: "date", redeemable_id: "text", redeemable_object: "voucher", campaign_id: "text" },
      ...{
        campaign_type: "text",
        voucher_type: "text",
        publication_id: "text?",
        customer_id: "text",
        holder_role: "text",
      },
      object: "redeemable_holder",
    },
    ...{ voucher, campaign, customer },
  }),
  ...each("customer.loyalty.tier", ["joined", "left", "prolonged"], in_tier),
  ...each("customer.loyalty.tier", ["upgraded", "downgraded"], {
    ...{ customer, campaign, loyalty_tier_from: loyalty_tier, loyalty_tier_to: loyalty_tier, created_at: "date" },
  }),
  "customer.loyalty.tier.expiration.changed": { ...in_tier, expiration_date: "text?" },
  "customer.loyalty.updated": {
    customer,
    campaign,
    loyalty: { points: "number", campaigns: "object" },
    created_at: "date",
  },
  "customer.order.canceled": of_order,
  "customer.order.created": of_order,
  "customer.order.fulfilled": of_order,
  "customer.order.paid": of_order,
  "customer.order.updated": of_order,
  "customer.publication.failed": {
    ...{
      customer,
      campaign,
      publication: { ...publication, result: "FAILURE", failure_code: "text?", failure_message: "text" },
    },
  },
  "customer.publication.succeeded": published,
  "customer.redemption.failed": redeemed,
  "customer.redemption.rollback.failed": { ...redeemed, redemption_rollback: redemption },
  "customer.redemption.rollback.succeeded": { ...redeemed, redemption_rollback: redemption },
  "customer.redemption.succeeded": redeemed,
  "customer.reward_redemptions.completed": reward_redemption("COMPLETED"),
  "customer.reward_redemptions.created": reward_redemption("CREATED"),
  "customer.reward_redemptions.pending": reward_redemption("PENDING"),
  "customer.reward_redemptions.rolledback": reward_redemption("ROLLEDBACK"),
  "customer.referred": {
    ...{ customer, referrer: customer, campaign, voucher },
    ...{ custom_event: maybe({ id: "text", type: "text" }), redemption: maybe({ id: "text", result: "text" }) },
  },
  "customer.rewarded": {
    // What is given for referrals has no assignment, and nothing is paid for it.
    ...{ ...rewarded, reward: { id: "text", name: "text", type: "text", object: "reward" } },
    redemption: {
      ...{ id: "text", object: "redemption", created_at: "date", result: "SUCCESS", status: "SUCCEEDED" },
      ...{ channel_type: "text", channel_id: "text", related_object_type: "text", related_object_id: "text" },
      ...{ related_object_parent_id: "text", campaign_name: "text", customer_id: "text", tracking_id: "text" },
      ...{ voucher: { id: "text" }, reward: maybe({ id: "text" }) },
    },
    ...{ referral_tier: maybe(referral_tier), balance: maybe({ points: "number" }) },
    ...{ custom_event: "null", customer_event: "null" },
  },
  "customer.rewarded.loyalty_points": {
    ...{
      ...rewarded,
      loyalty_tier: maybe(loyalty_tier),
      earning_rule,
      balance: { ...balance, points: "number" },
      order: maybe(order),
    },
    event: { id: "text", type: "text" },
  },
  "customer.segment.entered": { customer: customer_in_full, segment: { id: "text", name: "text", object: "segment" } },
  "customer.segment.left": { customer: customer_in_full, segment: { id: "text", name: "text", object: "segment" } },
  "customer.validation.failed": { customer, validation: { id: "text", valid: "flag", redeemables: "list" } },
  "customer.validation.succeeded": { customer, validation: { id: "text", valid: "flag", redeemables: "list" } },
  "customer.updated": { customer: { ...customer_in_full, updated_at: "date" } },
  "customer.voucher.deleted": { customer, campaign: maybe(campaign), voucher },
  "customer.voucher.gift.balance_added": {
    ...{ customer, campaign: maybe(campaign), voucher, balance: { ...balance, amount: "number" }, transaction },
  },
  "customer.voucher.loyalty_card.pending_points.activated": pending_activated,
  "customer.voucher.loyalty_card.pending_points.added": pending_changed,
  "customer.voucher.loyalty_card.pending_points.canceled": pending_changed,
  "customer.voucher.loyalty_card.pending_points.updated": pending_changed,
  "customer.voucher.loyalty_card.points_added": points_added,
  "customer.voucher.loyalty_card.points_expired": points_expired,
  "customer.voucher.loyalty_card.points_transferred": points_added,
  "publication.succeeded": { ...published, user: "object?" },
  "redemption.failed": { ...redeemed, created_at: "date" },
  "redemption.rollback.failed": { ...redeemed, redemption_rollback: redemption },
  "redemption.rollback.succeeded": { ...redeemed, redemption_rollback: redemption },
  "redemption.succeeded": { ...redeemed, created_at: "date" },
  "voucher.created": { voucher: voucher_in_full, campaign: maybe(campaign) },
  "voucher.deleted": { voucher: voucher_in_full, campaign: maybe(campaign) },
  "voucher.disabled": { voucher: voucher_in_full, campaign: maybe(campaign) },
  "voucher.enabled": { voucher: voucher_in_full, campaign: maybe(campaign) },
  "voucher.gift.balance_added": {
    voucher,
    balance: { ...balance, amount: "number" },
    campaign: maybe(campaign),
    transaction,
  },
  "voucher.gift.transaction.created": {
    ...{ transaction, voucher: voucher_in_full, campaign: maybe(campaign), holder: maybe(customer) },
    ...{ balance: { ...balance, amount: "number" }, order: maybe(order), redemption: maybe(redemption) },
    rollback: maybe(redemption),
  },
  "voucher.loyalty_card.pending_points.activated": pending_activated,
  "voucher.loyalty_card.pending_points.added": pending_changed,
  "voucher.loyalty_card.pending_points.canceled": pending_changed,
  "voucher.loyalty_card.pending_points.updated": pending_changed,
  "voucher.loyalty_card.points_added": points_added,
  "voucher.loyalty_card.points_expired": points_expired,
  "voucher.loyalty_card.transaction.created": {
    ...{ transaction, voucher: voucher_in_full, campaign, holder: customer, holder_loyalty_tier: maybe(loyalty_tier) },
    ...{ balance: { ...balance, points: "number" }, order: maybe(order), event: "object?", segment: "object?" },
    ...{ earning_rule: maybe(earning_rule_beside), loyalty_tier: maybe(loyalty_tier), redemption: maybe(redemption) },
    ...{ rollback: maybe(redemption), reward: maybe(reward), custom_event: maybe({ id: "text", type: "text" }) },
    source_voucher: maybe({ id: "text", code: "text" }),
    destination_voucher: maybe({ id: "text", code: "text" }),
  },
  "voucher.published": { ...published, voucher, created_at: "date" },
  "voucher.updated": { voucher: voucher_in_full, campaign: maybe(campaign) },
};
