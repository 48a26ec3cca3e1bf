import type { ErrorTold } from "./described.js";

/**
 * What operations refuse of their own, beside what follows from their shape: the status, keys, and the operations that answer each of them. These are
 * errors that tests have provoked over HTTP, and where several operations go through one function those of each. `test/refusals/` provokes every entry of
 * the catalogue, and fails where it is answered by an operation that stands in no row here.
 */
const rows: readonly (readonly [status: number, keys: readonly string[], operations: readonly string[]])[] = [
  [
    400,
    [
      "customer_rules_violated gift_amount_exceeded missing_amount quantity_exceeded",
      "redemption_rules_violated referrer_not_permitted_to_redeem voucher_disabled voucher_expired",
      "voucher_not_active voucher_not_active_now",
    ],
    ["redeem-stacked-discounts redeem-stacked-discounts-client-side redeem-voucher", "redeem-voucher-client-side"],
  ],
  [
    400,
    ["already_rolled_back invalid_order invalid_redemption invalid_redemption_parent"],
    ["rollback-redemption rollback-stacked-redemptions"],
  ],
  [400, ["campaign_not_active campaign_not_allow_auto_join loyalty_card_not_active"], ["estimate-points"]],
  [
    400,
    ["order_rules_violated promotion_inactive promotion_not_active_now"],
    [
      "redeem-promotion redeem-stacked-discounts redeem-stacked-discounts-client-side redeem-voucher",
      "redeem-voucher-client-side",
    ],
  ],
  [400, ["duplicate_source_id voucher_already_published"], ["add-member create-publication create-publication-1"]],
  [
    400,
    ["duplicated_redeemables invalid_redeemables"],
    [
      "redeem-stacked-discounts redeem-stacked-discounts-client-side validate-stacked-discounts",
      "validate-stacked-discounts-client-side",
    ],
  ],
  [400, ["exports_limit_exceeded invalid_export_fields"], ["create-export create-order-export"]],
  [400, ["invalid_grant_type invalid_scope"], ["generate-oauth-token"]],
  [
    400,
    ["missing_order missing_order_items_amount"],
    [
      "redeem-stacked-discounts redeem-stacked-discounts-client-side redeem-voucher",
      "redeem-voucher-client-side validate-voucher validate-voucher-client-side",
    ],
  ],
  [
    400,
    ["ambiguous_tracking_id"],
    [
      "check-eligibility-client-side redeem-stacked-discounts-client-side redeem-voucher-client-side",
      "validate-promotions-client-side validate-stacked-discounts-client-side",
      "validate-voucher-client-side",
    ],
  ],
  [
    400,
    ["async_actions_limit_exceeded"],
    [
      "create-campaign import-customers-using-csv import-orders import-products-using-csv",
      "import-skus-using-csv import-vouchers import-vouchers-to-campaign",
      "import-vouchers-to-campaign-using-csv import-vouchers-using-csv purge-metadata-key",
      "update-customers-in-bulk update-customers-metadata-in-bulk update-products-in-bulk",
      "update-products-metadata-in-bulk update-vouchers-in-bulk update-vouchers-metadata-in-bulk",
    ],
  ],
  [400, ["automations_limit_exceeded"], ["create-automation"]],
  [409, ["branding_exist"], ["create-brand"]],
  [400, ["campaign_type_is_not_supported_by_campaign_template"], ["add-tier-from-template create-campaign-template"]],
  [
    400,
    ["decision_too_heavy"],
    [
      "check-eligibility list-customer-segments preview-unsaved redeem-stacked-discounts",
      "redeem-stacked-discounts-client-side redeem-voucher redeem-voucher-client-side",
      "validate-stacked-discounts validate-stacked-discounts-client-side",
    ],
  ],
  [400, ["drafts_limit_exceeded"], ["create-draft"]],
  [400, ["views_limit_exceeded"], ["create-view"]],
  [
    409,
    ["duplicate_found"],
    [
      "add-voucher-with-specific-code-to-campaign create-automation create-campaign",
      "create-campaign-from-template create-campaign-template create-category",
      "create-custom-event-schema create-loyalty-program create-metadata-schema create-order",
      "create-product create-reward-assignment create-reward-assignment-1 create-sku",
      "create-validation-rule-assignment create-voucher generate-random-code invite-user",
      "management-copy-campaign-template referrals-add-holders referrals-add-holders-1",
      "update-automation update-campaign-template update-category update-order",
    ],
  ],
  [400, ["duplicate_key"], ["import-vouchers import-vouchers-to-campaign"]],
  [403, ["forbidden"], ["sign-in"]],
  [409, ["holder_assignement_duplication"], ["referrals-add-holders referrals-add-holders-1"]],
  [400, ["imports_limit_exceeded"], ["import-vouchers"]],
  [403, ["integration_api_key_required"], ["create-publication-1"]],
  [
    400,
    ["invalid_add_balance_params"],
    ["transfer-points update-loyalty-card-balance update-loyalty-card-balance-1 update-voucher-balance"],
  ],
  [
    400,
    ["invalid_amount"],
    [
      "adjust-member-pending-points check-eligibility check-eligibility-client-side",
      "examine-campaign-qualification examine-vouchers-qualification preview-unsaved redeem-promotion",
      "redeem-stacked-discounts redeem-stacked-discounts-client-side redeem-voucher",
      "redeem-voucher-client-side validate-promotion-tier validate-promotions",
      "validate-promotions-client-side validate-stacked-discounts",
      "validate-stacked-discounts-client-side validate-voucher validate-voucher-client-side",
    ],
  ],
  [400, ["invalid_balance"], ["create-reward update-reward"]],
  [
    400,
    ["invalid_campaign"],
    [
      "add-promotion-tier-to-campaign add-tier-from-template add-vouchers-to-campaign create-campaign",
      "create-voucher generate-random-code import-customers-using-csv import-products-using-csv",
      "import-skus-using-csv import-vouchers-to-campaign import-vouchers-to-campaign-using-csv",
      "import-vouchers-using-csv update-campaign",
    ],
  ],
  [400, ["invalid_code_config"], ["create-campaign generate-random-code"]],
  [
    400,
    ["invalid_customer"],
    [
      "redeem-stacked-discounts redeem-stacked-discounts-client-side redeem-voucher",
      "redeem-voucher-client-side rollback-redemption rollback-stacked-redemptions",
    ],
  ],
  [400, ["invalid_expiration_date"], ["update-loyalty-card-balance update-loyalty-card-balance-1"]],
  [400, ["invalid_payload"], ["list-segment list-vouchers unassign-user validate-voucher-client-side"]],
  [
    400,
    ["invalid_pending_points_state"],
    ["activate-member-pending-points adjust-member-pending-points cancel-member-pending-points"],
  ],
  [400, ["invalid_validation_rules"], ["create-validation-rules preview-unsaved update-validation-rule"]],
  [
    400,
    ["invalid_voucher"],
    ["create-voucher generate-random-code import-vouchers update-voucher update-voucher-balance"],
  ],
  [400, ["keys_limit_exceeded"], ["create-key"]],
  [404, ["link_is_over"], ["choose-password create-owner read-link"]],
  [
    400,
    ["loyalty_card_points_exceeded"],
    [
      "redeem-reward redeem-reward-1 redeem-stacked-discounts redeem-stacked-discounts-client-side",
      "redeem-voucher redeem-voucher-client-side transfer-points",
    ],
  ],
  [
    400,
    ["missing_customer"],
    [
      "redeem-stacked-discounts redeem-stacked-discounts-client-side redeem-voucher",
      "redeem-voucher-client-side validate-promotion-tier validate-voucher validate-voucher-client-side",
    ],
  ],
  [400, ["missing_param"], ["create-earning-rule create-reward-assignment create-reward-assignment-1"]],
  [400, ["missing_parameters"], ["generate-oauth-token introspect-oauth-token revoke-oauth-token"]],
  [
    400,
    ["missing_reward"],
    [
      "redeem-reward redeem-reward-1 redeem-stacked-discounts redeem-stacked-discounts-client-side",
      "redeem-voucher redeem-voucher-client-side validate-voucher validate-voucher-client-side",
    ],
  ],
  [400, ["missing_vouchers"], ["create-publication create-publication-1 create-publication-client-side"]],
  [
    400,
    ["multiple_requests"],
    [
      "redeem-stacked-discounts redeem-stacked-discounts-client-side redeem-voucher",
      "redeem-voucher-client-side rollback-redemption rollback-stacked-redemptions",
      "validate-stacked-discounts validate-stacked-discounts-client-side",
    ],
  ],
  [400, ["no_applicable_redeemables"], ["redeem-stacked-discounts redeem-stacked-discounts-client-side"]],
  [
    400,
    ["no_voucher_suitable_for_publication"],
    [
      "add-member create-publication create-publication-1 create-publication-client-side",
      "redeem-stacked-discounts redeem-stacked-discounts-client-side redeem-voucher",
      "redeem-voucher-client-side",
    ],
  ],
  [
    404,
    ["not_found"],
    [
      "check-eligibility create-campaign create-campaign-template create-order create-publication",
      "create-publication-1 create-publication-client-side create-reward generate-random-code",
      "get-timeline invite-user preview-unsaved redeem-stacked-discounts",
      "redeem-stacked-discounts-client-side redeem-voucher-client-side track-custom-event",
      "track-custom-event-client-side validate-promotions validate-promotions-client-side",
      "validate-stacked-discounts validate-stacked-discounts-client-side",
    ],
  ],
  [400, ["not_published"], ["referrals-add-holders referrals-add-holders-1"]],
  [400, ["page_over_limit"], ["list-publications"]],
  [400, ["resource_in_use"], ["delete-category delete-product-collection delete-reward delete-segment"]],
  [400, ["resource_protected"], ["delete-campaign delete-product update-campaign"]],
  [
    400,
    ["reward_out_of_stock"],
    [
      "redeem-reward redeem-reward-1 redeem-stacked-discounts redeem-stacked-discounts-client-side",
      "redeem-voucher redeem-voucher-client-side",
    ],
  ],
  [409, ["send_out_under_way"], ["retry-send-out"]],
  [409, ["stacking_rules_exist"], ["create-stacking-rules"]],
  [429, ["too_many_attempts"], ["sign-in"]],
  [400, ["too_many_vouchers_requested"], ["create-publication create-publication-1"]],
  [401, ["unauthorized"], ["get-async-action-report metrics"]],
  [400, ["used_incorrect_role"], ["assign-user invite-user"]],
  [400, ["user_not_assigned"], ["unassign-user"]],
  [
    400,
    ["voucher_cannot_be_published"],
    [
      "add-member create-publication create-publication-1 redeem-stacked-discounts",
      "redeem-stacked-discounts-client-side redeem-voucher redeem-voucher-client-side",
    ],
  ],
  [400, ["webhooks_limit_exceeded"], ["create-webhook"]],
  [400, ["wrong_password"], ["change-password sign-in"]],
];

const words = (lines: readonly string[]) => lines.flatMap((line) => line.split(" "));

/** The same, an entry an error. */
export const refused_by: readonly (ErrorTold & { by: ReadonlySet<string> })[] = rows.flatMap(([status, keys, by]) =>
  words(keys).map((key) => ({ status, key, by: new Set(words(by)) })),
);
