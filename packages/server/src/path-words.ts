import type { PathWords } from "./platform/http/paths.js";

/**
 * Every segment of the contract's paths that stands where another of its operations has an id, whether the operation is
 * built or not. A word of an operation of our own goes here too, should it stand in such a place.
 */
export const path_words: PathWords = {
  "/dashboard/v1/segments": ["count", "customers"],
  "/management/v1/projects": ["users"],
  "/v1/campaigns": ["qualification"],
  "/v1/customers": ["bulk", "importCSV", "metadata"],
  "/v1/loyalties": ["members"],
  "/v1/orders": ["export", "import"],
  "/v1/products": ["bulk", "importCSV", "metadata"],
  "/v1/promotions": ["stacks", "tiers", "validation"],
  "/v1/referrals": ["members"],
  "/v1/skus": ["importCSV"],
  "/v1/vouchers": ["bulk", "import", "importCSV", "metadata", "qualification"],
  "/v2/loyalties/programs/*/members": ["batch"],
  "/v2/loyalties/programs/*/rewards": ["batch", "purchases"],
};
