import { cartFacts, type RuleContext, type Scenario } from "@guerdon/engine";
import type { Catalogue, Catalogues } from "../catalogue/index.js";
import { promotionIndex } from "../features/campaigns/index.js";
import { collectionIndex } from "../features/product-collections/index.js";
import type { Queries } from "../platform/db/database.js";

/** Who and what is asked about. */
export type Situation = Pick<RuleContext, "customer" | "order" | "facts" | "instant" | "time_zone">;

/**
 * The promotion tiers that may apply in a situation, in no particular order: all that do, and few that do not. They stand
 * in the catalogue that comes with them, so what is decided on that speaks of the same version.
 */
export const promotionCandidates = (
  catalogues: Catalogues,
  db: Queries,
  { project_id, version }: { project_id: string; version: number },
  situation: Situation,
  scenario: Scenario,
): Promise<{ catalogue: Catalogue; tier_ids: string[] }> =>
  catalogues.look(
    db,
    project_id,
    version,
    [promotionIndex(scenario), collectionIndex],
    (catalogue, promotions, collections) => {
      const held = collections.holding(situation.order?.lines ?? [], situation);
      return { catalogue, tier_ids: promotions.candidates(cartFacts(situation, held)) };
    },
  );
