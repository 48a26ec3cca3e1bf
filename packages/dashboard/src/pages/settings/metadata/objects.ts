/** What has metadata of its own; a schema of any other name is nested in one of these. */
export const objects = [
  "campaign",
  "customer",
  "earning_rule",
  "loyalty_tier",
  "order",
  "order_item",
  "product",
  "promotion_tier",
  "publication",
  "redemption",
  "reward",
  "voucher",
] as const;
export type MetadataObject = (typeof objects)[number];
export const isObject = (name: string): name is MetadataObject => objects.some((one) => one === name);

/** Of what a key can be taken out again; what happened stays as it was told. */
const purged = ["campaign", "customer", "product", "voucher", "order"] as const;
export type Purged = (typeof purged)[number];
export const isPurged = (name: string): name is Purged => purged.some((one) => one === name);
