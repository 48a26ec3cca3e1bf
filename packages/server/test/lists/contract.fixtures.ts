const directed = (...names: string[]) => names.flatMap((name) => [`order=${name}`, `order=-${name}`]);
const between = (...names: string[]) => names.flatMap((name) => [`${name}[before]`, `${name}[after]`]);
const fields = (...names: string[]) => names.map((name) => `filters[${name}]`);

const paged = ["limit", "page"];
const campaign_types = ["PROMOTION", "GIFT_VOUCHERS", "REFERRAL_PROGRAM", "DISCOUNT_COUPONS", "LOYALTY_PROGRAM"].map(
  (type) => `campaign_type=${type}`,
);
const of_activity = ["limit", "starting_after_id", "start_date", "end_date", "campaign_id", ...campaign_types];
const by_date = directed("created_at", "updated_at");
/** One parameter that several lists of the catalogue share, whatever they are lists of. */
const by_anything = [...by_date, ...directed("type", "code", "campaign", "category")];
const of_tiers = [...paged, "is_available", ...by_date];
const expanded = ["expand=category", "expand=access_settings_assignments"];

const of_templates = [
  ...["limit", "starting_after_id", "include_total"],
  ...directed("id"),
  ...fields("junction", "id", "name", "campaign_type"),
];

/**
 * What the contract lets each list that we serve be asked for, written as the beginning of a query: a parameter, a
 * parameter with one of its values, or a field of one. Those of vouchers' `filters` stand in rules.md §15 and
 * vouchers-and-campaigns.md §21; lists of older clients have no parameters.
 */
export const named_by_contract: Readonly<Record<string, readonly string[]>> = {
  "/v1/async-actions": ["limit", "end_date"],
  "/v1/campaigns": [
    ...paged,
    ...campaign_types,
    ...expanded,
    ...["DONE", "IN_PROGRESS", "FAILED", "DRAFT", "MODIFYING"].map((status) => `campaign_status=${status}`),
    "is_referral_code",
    ...by_date,
    ...fields("junction", "active", "status", "campaign_status", "campaigns", "campaigns_id", "categories"),
    ...fields("category_ids", "created_date", "updated_at", "start_date", "expiration_date", "is_referral_code"),
    ...fields("type", "validity_day_of_week", "validity_timeframe", "voucher_type"),
    "access_settings[filter]",
  ],
  "/v1/categories": [],
  "/v1/customers": [
    ...paged,
    ...["email", "city", "name", "segment_id", "starting_after"],
    ...between("created_at", "updated_at"),
    ...by_date,
    ...directed("source_id"),
  ],
  "/v1/customers/{customerId}/activity": [
    ...of_activity,
    ...directed("created_at"),
    ...["category=ACTION", "category=EFFECT", "type"],
  ],
  "/v1/customers/{customerId}/activities": [...of_activity, ...by_anything, "starting_after", "product_id"],
  "/v1/customers/{customerId}/redeemables": [
    "limit",
    "starting_after_id",
    ...directed("id"),
    ...fields("junction", "id", "created_at", "redeemable_id", "redeemable_object", "holder_role", "campaign_id"),
    ...fields("campaign_type", "voucher_type"),
  ],
  "/v1/customers/{customerId}/segments": [],
  "/v1/exports": [...paged, ...directed("created_at", "status")],
  "/v1/locations": ["limit", "end_date", ...by_date, ...fields("name", "created_at", "updated_at")],
  "/v1/loyalties": [...paged, ...expanded, ...by_date],
  "/v1/loyalties/{campaignId}/members": [
    ...paged,
    ...["customer", "code", "ids"],
    ...between("created_at", "updated_at"),
    ...by_date,
    ...directed("code"),
  ],
  "/v1/loyalties/{campaignId}/earning-rules": [...paged, ...by_date],
  "/v1/loyalties/{campaignId}/pending-points": ["limit", "starting_after_id", ...directed("id")],
  "/v1/loyalties/members/{memberId}/pending-points": ["limit", "starting_after_id", ...directed("id")],
  "/v1/loyalties/{campaignId}/members/{memberId}/pending-points": ["limit", "starting_after_id", ...directed("id")],
  "/v1/loyalties/{campaignId}/tiers": ["limit", ...by_date],
  "/v1/loyalties/{campaignId}/tiers/{loyaltyTierId}/rewards": [],
  "/v1/loyalties/{campaignId}/tiers/{loyaltyTierId}/earning-rules": paged,
  "/v1/loyalties/{campaignId}/rewards": [...paged, "assignment_id"],
  "/v1/loyalties/{campaignId}/reward-assignments": [...paged, "assignmentId"],
  "/v1/loyalties/members/{memberId}/activity": ["limit", "starting_after_id", ...directed("created_at")],
  "/v1/loyalties/{campaignId}/members/{memberId}/activity": ["limit", "starting_after_id", ...directed("created_at")],
  "/v1/loyalties/members/{memberId}/rewards": ["affordable_only"],
  "/v1/loyalties/members/{memberId}/tiers": [],
  "/v1/rewards": [...paged, "assignment_id"],
  "/v1/rewards/{rewardId}/assignments": paged,
  "/v1/orders": [...paged, ...by_date],
  "/v1/product-collections": [...paged, ...by_anything],
  "/v1/product-collections/{productCollectionId}/products": [...paged, ...by_anything, "starting_after"],
  "/v1/products": [...paged, ...by_anything, "start_date", "end_date"],
  "/v1/products/{productId}/skus": [...paged, ...by_anything, "start_date", "end_date"],
  "/client/v1/promotions/tiers": of_tiers,
  "/v1/promotions/tiers": of_tiers,
  "/v1/promotions/{campaignId}/tiers": [],
  "/v1/promotions/stacks": [...paged, ...by_date, ...directed("name"), ...between("created_at", "updated_at")],
  "/v1/promotions/{campaignId}/stacks": [],
  "/v1/publications": [
    ...paged,
    ...directed("id", "voucher_code", "tracking_id", "customer_id", "created_at", "channel"),
    ...["campaign", "customer", "voucher", "source_id", "is_referral_code"],
    ...["result=SUCCESS", "result=FAILURE", "voucher_type=discount", "voucher_type=loyalty"],
    ...fields("junction", "failure_code", "result", "customer_id", "campaign_name", "voucher_type", "is_referral_code"),
    ...fields("parent_object_id", "related_object_id", "source_id"),
  ],
  ...Object.fromEntries(
    ["/v1/referrals/members/{memberId}/holders", "/v1/referrals/{campaignId}/members/{memberId}/holders"].map(
      (path) => [
        path,
        [
          ...["limit", "starting_after_id", ...directed("id")],
          ...fields("junction", "id", "created_at", "holder_role", "customer_id"),
        ],
      ],
    ),
  ),
  "/v1/redemptions": [
    ...paged,
    ...["result", "campaign", "customer"],
    ...between("created_at"),
    ...directed("created_at", "id", "voucher_code", "tracking_id", "customer_id"),
    ...fields("junction", "campaign_name", "customer_id", "failure_code", "object", "parent_redemption_id"),
    ...fields("related_object_id", "related_object_parent_id", "result", "user_login", "voucher_code"),
  ],
  "/v1/segments": [
    "limit",
    "ids",
    ...directed("created_at"),
    ...fields("junction", "created_at", "id", "name", "type"),
  ],
  "/v1/templates/campaigns": of_templates,
  "/v1/trash-bin": [
    ...["limit", "starting_after_id"],
    ...directed("id"),
    ...fields("junction", "id", "resource_type", "resource_name", "resource_id"),
  ],
  "/v1/validation-rules": [...paged, ...by_date, ...directed("name"), "start_date", "end_date"],
  "/v1/validation-rules-assignments": [...paged, "related_object_id", "rule", "order"],
  "/v1/validation-rules/{validationRuleId}/assignments": [...paged, ...directed("created_at")],
  "/v1/vouchers": [
    ...paged,
    ...["category", "campaign", "campaign_id", "customer", "code", "ids"],
    ...between("created_at", "updated_at"),
    ...by_date,
    ...directed("code", "type", "campaign", "category"),
    ...fields("junction", "code", "campaign", "campaign_ids", "category", "categories", "category_ids", "active"),
    ...fields("type", "holder_id", "is_referral_code", "start_date", "expiration_date", "created_at"),
    ...fields("redemption.redeemed_quantity", "metadata.colour"),
  ],
  "/v1/vouchers/{code}/redemption": [],
  "/v1/vouchers/{code}/sessions": [],
  "/v1/vouchers/{code}/transactions": ["limit", "starting_after_id", ...directed("id")],
  "/v1/loyalties/{campaignId}/members/{memberId}/points-expiration": ["limit", "page"],
  "/v1/campaigns/{campaignId}/transactions": [
    "limit",
    "starting_after_id",
    ...directed("id"),
    ...fields("junction", "id", "voucher_id"),
  ],
  "/v1/loyalties/{campaignId}/transactions": [
    "limit",
    "starting_after_id",
    ...directed("id"),
    ...fields("junction", "id", "voucher_id"),
  ],
  "/v1/loyalties/members/{memberId}/transactions": [
    "limit",
    "starting_after_id",
    ...directed("id"),
    ...fields("junction", "id", "created_at"),
  ],
  "/v1/loyalties/{campaignId}/members/{memberId}/transactions": [
    "limit",
    "starting_after_id",
    ...directed("id"),
    ...fields("junction", "id", "created_at"),
  ],
  "/management/v1/projects": [],
  "/management/v1/projects/{projectId}/custom-event-schemas": [],
  "/management/v1/projects/{projectId}/metadata-schemas": [],
  "/v1/metadata-schemas": [],
  "/management/v1/projects/{projectId}/templates/campaigns": of_templates,
  "/management/v1/projects/{projectId}/stacking-rules": [],
  "/management/v1/projects/{projectId}/branding": [],
  "/management/v1/projects/{projectId}/users": [],
  "/management/v1/projects/{projectId}/webhooks": [],
  "/management/v1/roles": [],
  "/management/v1/projects/{projectId}/send-outs": [],
  "/management/v1/projects/{projectId}/automations": [],
  "/management/v1/projects/{projectId}/campaigns/{campaignId}/referral-tiers": [],
};
