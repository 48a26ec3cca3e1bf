/** Operations that take a body and show no example yet: this list may only shrink. */
export const without_example: readonly string[] = [
  ...["add-tier-from-template", "adjust-member-pending-points", "assign-user", "change-password", "choose-password"],
  ...["create-automation", "create-brand", "create-campaign-from-template", "create-campaign-template"],
  ...["create-location", "create-owner", "create-project", "create-promotion-stack", "create-referral-tier"],
  ...["create-reward-assignment", "create-reward-assignment-1", "create-validation-rule-assignment"],
  ...["generate-oauth-token", "import-customers-using-csv", "import-products-using-csv", "import-skus-using-csv"],
  ...["import-vouchers-to-campaign-using-csv", "import-vouchers-using-csv", "introspect-oauth-token"],
  ...["invite-project-member", "invite-user", "management-copy-campaign-template", "purge-metadata-key", "read-link"],
  ...["redeem-reward", "redeem-reward-1", "redeem-voucher-client-side", "referrals-add-holders"],
  ...["referrals-add-holders-1", "revoke-oauth-token", "rollback-stacked-redemptions", "sign-in", "transfer-points"],
  "switch-request-log",
  ...["update-automation", "update-brand", "update-campaign-template", "update-custom-event-schema"],
  ...["update-earning-rule", "update-location", "update-me", "update-metadata-schema", "update-project"],
  ...["update-project-member", "update-promotion-stack", "update-referral-tier", "update-reward-assignment"],
  ...["update-reward-assignment-1", "update-stacking-rules", "update-user", "update-webhook"],
];
