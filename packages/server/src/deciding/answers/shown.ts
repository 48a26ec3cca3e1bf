import type { Outcome } from "@guerdon/engine";
import { type Category, findCategoriesByIds } from "../../features/categories/index.js";
import type { Queries } from "../../platform/db/database.js";
import { kinds } from "../kinds/index.js";
import type { Expansion } from "../kinds/kind.js";
import type { DecidingRequest } from "../requests/request.js";

/** What `options.expand` shows of redeemables beside what decided about them (redemption.md §3), by id. */
export interface Shown {
  expansions: ReadonlyMap<string, Expansion>;
  categories: ReadonlyMap<string, Category>;
}

/**
 * Reads what the answer will show; where nothing is expanded there is nothing to read.
 * @param others categories that it shows beside those of the redeemables
 */
export async function readShown(
  db: Queries,
  { call, expand }: DecidingRequest,
  outcomes: readonly Outcome[],
  others: readonly string[] = [],
): Promise<Shown> {
  const redeemables = outcomes.map(({ redeemable }) => redeemable);
  const category_ids = [...others, ...redeemables.flatMap((one) => categoryIdOf(one) ?? [])];
  const [expansions, categories] = await Promise.all([
    expand.has("redeemable") ? readExpansions(db, call.project_id, redeemables) : [],
    expand.has("category") && category_ids.length > 0 ? findCategoriesByIds(db, call.project_id, category_ids) : [],
  ]);
  return {
    expansions: new Map(expansions),
    categories: new Map(categories.map((category) => [category.id, category])),
  };
}

async function readExpansions(db: Queries, project_id: string, redeemables: readonly Outcome["redeemable"][]) {
  const found = await Promise.all(
    kinds.map(async ({ object, readExpansions }) => {
      const ids = redeemables.flatMap((redeemable) => (redeemable.object === object ? redeemable.id : []));
      return readExpansions && ids.length > 0 ? [...(await readExpansions(db, project_id, ids))] : [];
    }),
  );
  return found.flat();
}

/** The redeemable's own category, else its campaign's. */
export function categoryIdOf(redeemable: Outcome["redeemable"]): string | undefined {
  return "not_found" in redeemable ? undefined : (redeemable.category ?? redeemable.campaign?.category)?.id;
}
