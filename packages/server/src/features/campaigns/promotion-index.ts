import {
  allOf,
  createQualificationIndex,
  duringDates,
  type Predicates,
  predicatesOf,
  type QualificationIndex,
  type Scenario,
} from "@guerdon/engine";
import { type Catalogue, type ShelfIndex, shelfIndex } from "../../catalogue/index.js";
import { type CatalogueTier, tierShelf } from "../promotions/index.js";
import { ruleShelf } from "../validation-rules/index.js";
import { campaignShelf } from "./campaign.shelf.js";

/** Measured at a hundred thousand promotions of two conditions each, with what depends on what. */
const entry_bytes = 900;

/**
 * Finds the promotion tiers that may apply in a situation without asking each: by dates and by what their rules let one
 * know cheaply. What a scenario leaves out of rules it must not ask for, so each has an index of its own.
 */
const promotionIndexFor = (scenario: Scenario): ShelfIndex<QualificationIndex> =>
  shelfIndex<CatalogueTier, Predicates, QualificationIndex>({
    over: tierShelf,
    create: createQualificationIndex,
    prepare: (tier, catalogue) => predicatesFor(tier, catalogue, scenario),
    put: (index, id, predicates) => index.put(id, predicates),
    remove: (index, id) => index.remove(id),
    dependsOn: ({ campaign_id, rule_ids }, catalogue) => [
      campaign_id,
      ...rule_ids,
      ...(catalogue.shelf(campaignShelf).get(campaign_id)?.rule_ids ?? []),
    ],
    entry_bytes,
  });

/** Null: it applies to nothing, whatever the situation. */
function predicatesFor(tier: CatalogueTier, catalogue: Catalogue, scenario: Scenario): Predicates | null {
  const campaign = catalogue.shelf(campaignShelf).get(tier.campaign_id);
  if (!tier.active || !campaign?.active) return null;
  const rules = [...tier.rule_ids, ...campaign.rule_ids].flatMap((id) => catalogue.shelf(ruleShelf).get(id) ?? []);
  return allOf([
    ...[tier, campaign].map(({ window }) => duringDates(window.start_date, window.expiration_date)),
    ...rules.map((rule) => predicatesOf(rule, scenario)),
  ]);
}

const everything = promotionIndexFor("ALL");
const indexes: Partial<Record<Scenario, ShelfIndex<QualificationIndex>>> = {
  // These three leave out the same.
  ALL: everything,
  CUSTOMER_WALLET: everything,
  PROMOTION_STACKS: everything,
};

export function promotionIndex(scenario: Scenario): ShelfIndex<QualificationIndex> {
  const known = indexes[scenario] ?? promotionIndexFor(scenario);
  indexes[scenario] = known;
  return known;
}
