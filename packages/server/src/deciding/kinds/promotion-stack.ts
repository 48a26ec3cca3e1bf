import type { Catalogue } from "../../catalogue/index.js";
import { campaignShelf } from "../../features/campaigns/index.js";
import { categoryFacts } from "../../features/categories/index.js";
import { stackShelf } from "../../features/promotions/index.js";
import type { CompoundKind } from "./kind.js";

/** The stack of a campaign that is there. */
function stackOf(catalogue: Catalogue, id: string) {
  const stack = catalogue.shelf(stackShelf).get(id);
  return stack && catalogue.shelf(campaignShelf).get(stack.campaign_id) ? stack : undefined;
}

/** Tiers of a promotion campaign under one name, in the order in which they apply (redemption.md §14). */
export const promotionStackKind: CompoundKind = {
  object: "promotion_stack",

  singles: (catalogue, id) => stackOf(catalogue, id)?.tier_ids.map((id) => ({ object: "promotion_tier", id })),

  columns: (id) => ({ promotion_stack_id: id }),

  facts(catalogue, id, tiers) {
    const category = categoryFacts(catalogue, stackOf(catalogue, id)?.category_id ?? null);
    return { object: "promotion_stack", id, category, tiers };
  },
};
