import type { CompiledRule } from "@guerdon/engine";

/** A redeemable with the rules that hold for it, own before the campaign's. */
export interface Ruled {
  rules: readonly CompiledRule[];
  /** `v_…` or `promo_…`: whose redemptions its own limits count. */
  object_id: string;
  /** The column of a redemption that names it. */
  counted_in: "voucher_id" | "promotion_tier_id";
  campaign_id: string | null;
}
