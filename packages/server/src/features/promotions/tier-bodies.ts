import type { Queries } from "../../platform/db/database.js";
import { findCategoriesByIds } from "../categories/index.js";
import { findAssignmentsTo } from "../validation-rules/index.js";
import type { PromotionTier, TierCampaign } from "./tier.js";
import type { TierBody } from "./tier.schemas.js";
import { toTierBody } from "./tier.service.js";
import { summariesOfTiers } from "./tier.store.js";

/**
 * Tiers as answered, in their order, with what others keep of them: categories, rules, and what their redemptions came to.
 * @param campaigns those of the tiers; a tier whose campaign is not among them is left out
 */
export async function tierBodies(
  db: Queries,
  project_id: string,
  tiers: readonly PromotionTier[],
  campaigns: readonly TierCampaign[],
): Promise<TierBody[]> {
  if (tiers.length === 0) return [];
  const ids = tiers.map(({ id }) => id);
  const [categories, assignments, summaries] = await Promise.all([
    findCategoriesByIds(
      db,
      project_id,
      tiers.flatMap(({ category_id }) => category_id ?? []),
    ),
    findAssignmentsTo(db, project_id, ids),
    summariesOfTiers(db, project_id, ids),
  ]);
  const campaign_by_id = new Map(campaigns.map((campaign) => [campaign.id, campaign]));
  const category_by_id = new Map(categories.map((category) => [category.id, category]));
  const summary_by_id = new Map(summaries.map((summary) => [summary.tier_id, summary]));
  return tiers.flatMap((tier) => {
    const campaign = campaign_by_id.get(tier.campaign_id);
    const category = tier.category_id === null ? null : category_by_id.get(tier.category_id);
    const rules = assignments.filter(({ related_object_id }) => related_object_id === tier.id);
    return campaign ? [toTierBody(tier, campaign, category, summary_by_id.get(tier.id), rules)] : [];
  });
}
