import type { Schemas } from "../../api/client.js";

export type Tier = Schemas["PromotionTier"];
export type TierState = "active" | "disabled" | "expired" | "scheduled" | "with_campaign";

/** Whether a tier applies now, or what keeps it from that; the campaign's own reasons stand at the campaign. */
export function tierState(tier: Tier, now: number = Date.now()): TierState {
  const { active, campaign, start_date, expiration_date } = tier;
  if (!active) return "disabled";
  if (expiration_date && Date.parse(expiration_date) <= now) return "expired";
  if (!campaign.active) return "with_campaign";
  return start_date && Date.parse(start_date) > now ? "scheduled" : "active";
}

/**
 * The hierarchies that one tier is given, one after the other, to come to a place among those of its campaign. The service numbers all of
 * them 1, 2, … when one moves, and moves none that has the number already: where numbers have gaps it is told to stay first.
 */
export function hierarchiesTo(tiers: readonly Pick<Tier, "hierarchy">[], from: number, to: number): number[] {
  const place = to + 1;
  return tiers[from]?.hierarchy === place ? [from + 1, place] : [place];
}
