import { toTierBody } from "../features/loyalties/tiers/index.js";
import { isoOf } from "../platform/clock.js";
import type { Around } from "./around.js";
import { campaignOf, customerOf } from "./look-ups.js";
import type { Fact, Tellers } from "./teller.js";

type InTier = Fact<`customer.loyalty.tier.${"joined" | "left" | "prolonged"}`>;
type Between = Fact<`customer.loyalty.tier.${"upgraded" | "downgraded"}`>;
type Redated = Fact<"customer.loyalty.tier.expiration.changed">;

/** Whose tier it is, and since when it is so. */
const ofMember = async (around: Around, { data, customer_id, created_at }: InTier | Between | Redated) => ({
  customer: await customerOf(around, customer_id),
  campaign: await campaignOf(around, data.campaign_id),
  created_at: isoOf(created_at),
});

const inTier = async (around: Around, event: InTier) => ({
  ...(await ofMember(around, event)),
  loyalty_tier: toTierBody(event.data.loyalty_tier),
});

const between = async (around: Around, event: Between) => ({
  ...(await ofMember(around, event)),
  loyalty_tier_from: toTierBody(event.data.loyalty_tier_from),
  loyalty_tier_to: toTierBody(event.data.loyalty_tier_to),
});

const redated = async (around: Around, event: Redated) => ({
  ...(await ofMember(around, event)),
  loyalty_tier: toTierBody(event.data.loyalty_tier),
  expiration_date: event.data.expiration_date,
});

export const of_tiers = {
  "customer.loyalty.tier.joined": { "customer.loyalty.tier.joined": inTier },
  "customer.loyalty.tier.left": { "customer.loyalty.tier.left": inTier },
  "customer.loyalty.tier.prolonged": { "customer.loyalty.tier.prolonged": inTier },
  "customer.loyalty.tier.upgraded": { "customer.loyalty.tier.upgraded": between },
  "customer.loyalty.tier.downgraded": { "customer.loyalty.tier.downgraded": between },
  "customer.loyalty.tier.expiration.changed": { "customer.loyalty.tier.expiration.changed": redated },
} satisfies Tellers<InTier["type"] | Between["type"] | Redated["type"]>;
