/** Operations that take a body and show no example yet: this list may only shrink. */
export const without_example: readonly string[] = [
  // They take a secret that nobody can know before: of a letter, of a person, of a token.
  ...["change-password", "choose-password", "create-owner", "read-link", "sign-in"],
  ...["generate-oauth-token", "introspect-oauth-token", "revoke-oauth-token"],
  // Files, which are described by their columns.
  ...["import-customers-using-csv", "import-products-using-csv", "import-skus-using-csv"],
  ...["import-vouchers-to-campaign-using-csv", "import-vouchers-using-csv"],
  // Points that are pending: those of an order that was paid a moment ago.
  "adjust-member-pending-points",
];
