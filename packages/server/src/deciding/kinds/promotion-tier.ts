import type { Catalogue } from "../../catalogue/index.js";
import { campaignFacts, campaignShelf, findCampaignsByIds } from "../../features/campaigns/index.js";
import { categoryFacts } from "../../features/categories/index.js";
import { findTiersByIds, tierBodies, tierShelf } from "../../features/promotions/index.js";
import { assignedRules } from "../../features/validation-rules/index.js";
import type { RedeemableKind } from "./kind.js";
import { rulesOf } from "./rules.js";

/** The tier with its campaign; undefined where one of them is gone. */
function tierOf(catalogue: Catalogue, id: string) {
  const tier = catalogue.shelf(tierShelf).get(id);
  const campaign = tier && catalogue.shelf(campaignShelf).get(tier.campaign_id);
  return campaign && { tier, campaign };
}

/** A tier of a promotion campaign: the catalogue knows all that decides about it, so nothing is read and nothing locked. */
export const promotionTierKind: RedeemableKind = {
  object: "promotion_tier",

  ruled({ catalogue }, { id }) {
    const found = tierOf(catalogue, id);
    if (!found) return undefined;
    const { tier, campaign } = found;
    const rules = rulesOf(catalogue, [...assignedRules(catalogue, tier.id), ...assignedRules(catalogue, campaign.id)]);
    return { rules, object: "promotion_tier", object_id: id, campaign_id: campaign.id };
  },

  keys: () => [],

  discount: ({ catalogue }, id) => catalogue.shelf(tierShelf).get(id)?.discount.discount,

  facts({ catalogue }, _request, { id }, rules) {
    const found = tierOf(catalogue, id);
    if (!found) return undefined;
    const { category_id, active, window, discount, metadata } = found.tier;
    const campaign = campaignFacts(catalogue, found.campaign);
    const category = categoryFacts(catalogue, category_id);
    return { object: "promotion_tier", id, category, campaign, active, window, discount, ...rules, metadata };
  },

  async readExpansions(db, project_id, ids) {
    const tiers = await findTiersByIds(db, project_id, ids);
    return new Map(tiers.map(({ id, name }) => [id, { name }]));
  },

  async readShown(db, project_id, rows) {
    const ids = [...new Set(rows.flatMap(({ promotion_tier_id }) => promotion_tier_id ?? []))];
    if (ids.length === 0) return () => undefined;
    const tiers = await findTiersByIds(db, project_id, ids);
    const campaign_ids = [...new Set(tiers.map(({ campaign_id }) => campaign_id))];
    const campaigns = campaign_ids.length === 0 ? [] : await findCampaignsByIds(db, project_id, campaign_ids);
    const shown = await tierBodies(db, project_id, tiers, campaigns);
    const bodies = new Map<string, Record<string, unknown>>(shown.map((tier) => [tier.id, { ...tier }]));
    return (_showing, { promotion_tier_id: id, campaign_id }) =>
      id === null
        ? undefined
        : {
            related_object_type: "promotion_tier",
            related_object_id: id,
            voucher: null,
            promotion_tier: bodies.get(id) ?? {
              id,
              ...(campaign_id ? { campaign: { id: campaign_id, object: "campaign" } } : {}),
            },
          };
  },
};
