import type { Instant } from "../../platform/clock.js";

/** What a qualification may find: something to redeem, or a campaign whose codes are yet to be given out. */
export interface Candidate {
  object: "voucher" | "promotion_tier" | "promotion_stack" | "campaign";
  id: string;
  created_at: Instant;
  /** What filters ask of it; null where it has nothing of the kind. */
  traits: Traits;
}

export interface Traits {
  category_id: string | null;
  campaign_id: string | null;
  campaign_type: string | null;
  resource_id: string;
  resource_type: string;
  voucher_type: string | null;
  code: string | null;
  /** As what the customer holds it. */
  holder_role: string | null;
}

/** Where in the order of creation a candidate stands. */
export type Place = Pick<Candidate, "id" | "created_at">;

/** Newest first; what was made at one instant by id. */
export const byNewest = (one: Place, other: Place): number =>
  other.created_at - one.created_at || (one.id < other.id ? 1 : one.id > other.id ? -1 : 0);
