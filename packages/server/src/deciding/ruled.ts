import type { CompiledRule, SingleObject } from "@guerdon/engine";

/** A redeemable with the rules that hold for it, own before the campaign's. */
export interface Ruled {
  rules: readonly CompiledRule[];
  object: SingleObject;
  /** `v_…` or `promo_…`: whose redemptions its own limits count. */
  object_id: string;
  campaign_id: string | null;
}
