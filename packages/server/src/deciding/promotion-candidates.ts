import {
  cartFacts,
  type ProductCollection,
  type QualificationIndex,
  type RuleContext,
  type Scenario,
  type Work,
} from "@guerdon/engine";
import type { Catalogue, Catalogues, ShelfIndex } from "../catalogue/index.js";
import { campaignIndex, promotionIndex, stackIndex } from "../features/campaigns/index.js";
import { locationsOf } from "../features/locations/index.js";
import { collectionIndex } from "../features/product-collections/index.js";
import type { Queries } from "../platform/db/database.js";
import type { Turns } from "../platform/sharing/turns.js";

/** Who and what is asked about. */
export type Situation = Pick<RuleContext, "customer" | "order" | "facts" | "instant" | "time_zone">;

const indexes = { tier_ids: promotionIndex, campaign_ids: campaignIndex, stack_ids: stackIndex };
/** What the catalogue alone knows candidates of: tiers, campaigns for a code of theirs yet to be given, stacks. */
export type Catalogued = keyof typeof indexes;

interface Looking {
  catalogues: Catalogues;
  db: Queries;
  turns: Turns;
  /** What the filters of collections may take; `TooMuchWork` is thrown where that is not enough. */
  work: Work;
}

/**
 * What may apply in a situation, in no particular order: all that does, and few that do not. It stands in the catalogue
 * that comes with it, so what is decided on that speaks of the same version. Filters of collections are asked one after the other with
 * turns for others in between; if the catalogue changes meanwhile those of the new one that are not known yet are asked too.
 */
export async function promotionCandidates<Wanted extends Catalogued>(
  { catalogues, db, turns, work }: Looking,
  { project_id, version }: { project_id: string; version: number },
  situation: Situation,
  scenario: Scenario,
  wanted: readonly Wanted[],
): Promise<{ catalogue: Catalogue } & Record<Wanted, string[]>> {
  const lines = situation.order?.lines ?? [];
  const known = new Map<ProductCollection, boolean>();
  const looked_at = [
    collectionIndex,
    ...wanted.map((name): ShelfIndex<QualificationIndex> => indexes[name](scenario)),
  ] as const;
  for (;;) {
    const { catalogue, unknown, found } = await catalogues.look(
      db,
      project_id,
      version,
      looked_at,
      (catalogue, collections, ...indexed) => {
        const unknown = lines.length === 0 ? [] : [...collections.filtered()].filter((one) => !known.has(one));
        if (unknown.length > 0) return { catalogue, unknown, found: null };
        const held = collections.holding(lines, (collection) => known.get(collection) ?? false);
        const cart = cartFacts(situation, held);
        return { catalogue, unknown, found: wanted.map((name, i) => [name, indexed[i]?.candidates(cart) ?? []]) };
      },
    );
    if (found) return { catalogue, ...(Object.fromEntries(found) as Record<Wanted, string[]>) };
    const at = { ...situation, work, location: locationsOf(catalogue) };
    for (const collection of unknown) {
      known.set(
        collection,
        lines.some((line) => collection.holds(line, at)),
      );
      if (turns.took(project_id, work.endTurn())) await turns.next(project_id);
    }
  }
}
