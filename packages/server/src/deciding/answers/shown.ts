import type { Outcome } from "@guerdon/engine";
import { type Category, findCategoriesByIds } from "../../features/categories/index.js";
import { findTiersByIds } from "../../features/promotions/index.js";
import type { Queries } from "../../platform/database.js";
import type { DecidingRequest } from "../requests/request.js";

/** What `options.expand` shows of redeemables beside what decided about them (redemption.md §3), by id. */
export interface Shown {
  tier_names: ReadonlyMap<string, string>;
  categories: ReadonlyMap<string, Category>;
}

/** Reads what the answer will show; where nothing is expanded there is nothing to read. */
export async function readShown(
  db: Queries,
  { call, expand }: DecidingRequest,
  outcomes: readonly Outcome[],
): Promise<Shown> {
  const redeemables = outcomes.map(({ redeemable }) => redeemable);
  const tier_ids = redeemables.flatMap(({ object, id }) => (object === "promotion_tier" ? id : []));
  const category_ids = redeemables.flatMap((one) => categoryIdOf(one) ?? []);
  const tiers =
    expand.has("redeemable") && tier_ids.length > 0 ? await findTiersByIds(db, call.project_id, tier_ids) : [];
  const categories =
    expand.has("category") && category_ids.length > 0
      ? await findCategoriesByIds(db, call.project_id, category_ids)
      : [];
  return {
    tier_names: new Map(tiers.map(({ id, name }) => [id, name])),
    categories: new Map(categories.map((category) => [category.id, category])),
  };
}

/** The redeemable's own category, else its campaign's. */
export function categoryIdOf(redeemable: Outcome["redeemable"]): string | undefined {
  return "not_found" in redeemable ? undefined : (redeemable.category ?? redeemable.campaign?.category)?.id;
}
