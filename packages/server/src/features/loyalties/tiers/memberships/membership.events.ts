import type { Day, TierChange } from "@guerdon/engine";
import type { NewEvent } from "../../../../events/index.js";
import type { LoyaltyTier } from "../loyalty-tier.js";

/** Whose tier it is. */
interface OfMember {
  voucher_id: string;
  campaign_id: string;
}

interface InTier extends OfMember {
  /** As it was then. */
  loyalty_tier: LoyaltyTier;
}

interface Between extends OfMember {
  loyalty_tier_from: LoyaltyTier;
  loyalty_tier_to: LoyaltyTier;
}

declare module "../../../../events/event.js" {
  interface EventData {
    "customer.loyalty.tier.joined": InTier;
    "customer.loyalty.tier.left": InTier;
    "customer.loyalty.tier.prolonged": InTier;
    "customer.loyalty.tier.upgraded": Between;
    "customer.loyalty.tier.downgraded": Between;
    /** The last day moved, and nothing else; null where there is none any more. */
    "customer.loyalty.tier.expiration.changed": InTier & { expiration_date: Day | null };
  }
}

/** What a member is told of a change of tiers (loyalty.md §8.5). */
export function tierEvent(
  { voucher_id, campaign_id, holder_id }: OfMember & { holder_id: string },
  change: TierChange,
  tiers: ReadonlyMap<string, LoyaltyTier>,
  expiration_date: Day | null,
): NewEvent {
  const tier = (id: string): LoyaltyTier => {
    const known = tiers.get(id);
    if (!known) throw new Error(`a move into tier ${id}, which nobody knows`);
    return known;
  };
  const of_member = { voucher_id, campaign_id };
  const about = { entity_id: holder_id, customer_id: holder_id };
  switch (change.type) {
    case "upgraded":
    case "downgraded": {
      const between = { loyalty_tier_from: tier(change.from_id), loyalty_tier_to: tier(change.to_id) };
      return { type: `customer.loyalty.tier.${change.type}`, ...about, data: { ...of_member, ...between } };
    }
    case "expiration.changed": {
      const data = { ...of_member, loyalty_tier: tier(change.tier_id), expiration_date };
      return { type: "customer.loyalty.tier.expiration.changed", ...about, data };
    }
    default: {
      const data = { ...of_member, loyalty_tier: tier(change.tier_id) };
      return { type: `customer.loyalty.tier.${change.type}`, ...about, data };
    }
  }
}
