/** Operations that take a body and show no example yet: this list may only shrink. */
export const without_example: readonly string[] = [
  ...["add-tier-from-template", "adjust-member-pending-points", "assign-user", "change-password", "choose-password"],
  ...["create-campaign-from-template", "create-owner", "create-promotion-stack", "create-referral-tier"],
  ...["create-reward-assignment-1", "generate-oauth-token", "import-customers-using-csv"],
  ...["import-products-using-csv", "import-skus-using-csv", "import-vouchers-to-campaign-using-csv"],
  ...["import-vouchers-using-csv", "introspect-oauth-token", "invite-user", "management-copy-campaign-template"],
  ...["purge-metadata-key", "read-link", "redeem-reward", "redeem-reward-1", "redeem-voucher-client-side"],
  ...["revoke-oauth-token", "sign-in", "update-promotion-stack", "update-referral-tier", "update-user"],
];
