import { cartFacts, type QualificationIndex, type RuleContext, type Scenario } from "@guerdon/engine";
import type { Catalogue, Catalogues, ShelfIndex } from "../catalogue/index.js";
import { campaignIndex, promotionIndex, stackIndex } from "../features/campaigns/index.js";
import { locationsOf } from "../features/locations/index.js";
import { collectionIndex } from "../features/product-collections/index.js";
import type { Queries } from "../platform/db/database.js";

/** Who and what is asked about. */
export type Situation = Pick<RuleContext, "customer" | "order" | "facts" | "instant" | "time_zone">;

const indexes = { tier_ids: promotionIndex, campaign_ids: campaignIndex, stack_ids: stackIndex };
/** What the catalogue alone knows candidates of: tiers, campaigns for a code of theirs yet to be given, stacks. */
export type Catalogued = keyof typeof indexes;

/**
 * What may apply in a situation, in no particular order: all that does, and few that do not. It stands in the catalogue
 * that comes with it, so what is decided on that speaks of the same version.
 */
export const promotionCandidates = <Wanted extends Catalogued>(
  catalogues: Catalogues,
  db: Queries,
  { project_id, version }: { project_id: string; version: number },
  situation: Situation,
  scenario: Scenario,
  wanted: readonly Wanted[],
): Promise<{ catalogue: Catalogue } & Record<Wanted, string[]>> =>
  catalogues.look(
    db,
    project_id,
    version,
    [collectionIndex, ...wanted.map((name): ShelfIndex<QualificationIndex> => indexes[name](scenario))] as const,
    (catalogue, collections, ...found) => {
      const held = collections.holding(situation.order?.lines ?? [], {
        ...situation,
        location: locationsOf(catalogue),
      });
      const cart = cartFacts(situation, held);
      const ids = wanted.map((name, i) => [name, found[i]?.candidates(cart) ?? []]);
      return { catalogue, ...(Object.fromEntries(ids) as Record<Wanted, string[]>) };
    },
  );
