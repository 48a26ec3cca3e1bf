import {
  allOf,
  createQualificationIndex,
  duringDates,
  type Predicates,
  predicatesOf,
  type QualificationIndex,
  type Scenario,
  someOf,
} from "@guerdon/engine";
import { type Catalogue, type ShelfIndex, shelfIndex } from "../../catalogue/index.js";
import { type CatalogueStack, type CatalogueTier, stackShelf, tierShelf } from "../promotions/index.js";
import { assignedRules, ruleShelf } from "../validation-rules/index.js";
import { type CatalogueCampaign, campaignShelf } from "./campaign.shelf.js";

/** Measured at a hundred thousand promotions of two conditions each, with what depends on what. */
const entry_bytes = 900;

const filling = {
  create: createQualificationIndex,
  put: (index: QualificationIndex, id: string, predicates: Predicates) => index.put(id, predicates),
  remove: (index: QualificationIndex, id: string) => index.remove(id),
  entry_bytes,
};

/**
 * Finds the promotion tiers that may apply in a situation without asking each: by dates and by what their rules let one
 * know cheaply. What a scenario leaves out of rules it must not ask for, so each has an index of its own.
 */
const tiersFor = (scenario: Scenario): ShelfIndex<QualificationIndex> =>
  shelfIndex<CatalogueTier, Predicates, QualificationIndex>({
    ...filling,
    over: tierShelf,
    prepare: (tier, catalogue) => predicatesOfTier(tier, catalogue, scenario),
    dependsOn: dependenciesOfTier,
  });

const dependenciesOfTier = ({ id, campaign_id }: CatalogueTier, catalogue: Catalogue): readonly string[] => [
  campaign_id,
  ...assignedRules(catalogue, id),
  ...assignedRules(catalogue, campaign_id),
];

/** Null: it applies to nothing, whatever the situation. */
function predicatesOfTier(tier: CatalogueTier, catalogue: Catalogue, scenario: Scenario): Predicates | null {
  const campaign = catalogue.shelf(campaignShelf).get(tier.campaign_id);
  return tier.active && campaign?.active ? predicatesOn([tier, campaign], catalogue, scenario) : null;
}

/** Finds the campaigns whose next code may apply, in the same way. */
const campaignsFor = (scenario: Scenario): ShelfIndex<QualificationIndex> =>
  shelfIndex<CatalogueCampaign, Predicates, QualificationIndex>({
    ...filling,
    over: campaignShelf,
    prepare: (campaign, catalogue) =>
      campaign.active && campaign.code ? predicatesOn([campaign], catalogue, scenario) : null,
    dependsOn: ({ id }, catalogue) => assignedRules(catalogue, id),
  });

/**
 * Finds the stacks of which some tier may apply. Whichever of a stack's tiers is applied first is applied to the order as
 * it came, so where none may apply to that, none ever is.
 */
const stacksFor = (scenario: Scenario): ShelfIndex<QualificationIndex> =>
  shelfIndex<CatalogueStack, Predicates, QualificationIndex>({
    ...filling,
    over: stackShelf,
    prepare({ tier_ids }, catalogue) {
      const tiers = tier_ids.flatMap((id) => catalogue.shelf(tierShelf).get(id) ?? []);
      const alternatives = tiers.flatMap((tier) => {
        const predicates = predicatesOfTier(tier, catalogue, scenario);
        return predicates ? [predicates] : [];
      });
      return alternatives.length === 0 ? null : someOf(alternatives);
    },
    dependsOn: ({ tier_ids }, catalogue) =>
      tier_ids.flatMap((id) => {
        const tier = catalogue.shelf(tierShelf).get(id);
        return tier ? [id, ...dependenciesOfTier(tier, catalogue)] : [id];
      }),
  });

/** What has to hold of all of them together. */
function predicatesOn(
  owners: readonly Pick<CatalogueTier, "id" | "window">[],
  catalogue: Catalogue,
  scenario: Scenario,
): Predicates {
  const rules = catalogue.shelf(ruleShelf);
  return allOf(
    owners.flatMap(({ id, window }) => [
      duringDates(window.start_date, window.expiration_date),
      ...assignedRules(catalogue, id)
        .flatMap((id) => rules.get(id) ?? [])
        .map((rule) => predicatesOf(rule, scenario)),
    ]),
  );
}

/** Scenarios that leave out the same of rules share an index. */
const indexed_as: Readonly<Record<Scenario, Scenario>> = {
  ALL: "ALL",
  CUSTOMER_WALLET: "ALL",
  PROMOTION_STACKS: "ALL",
  AUDIENCE_ONLY: "AUDIENCE_ONLY",
  PRODUCTS: "PRODUCTS",
  PRODUCTS_DISCOUNT: "PRODUCTS",
  PRODUCTS_BY_CUSTOMER: "PRODUCTS_BY_CUSTOMER",
  PRODUCTS_DISCOUNT_BY_CUSTOMER: "PRODUCTS_BY_CUSTOMER",
};

function byScenario(indexFor: (scenario: Scenario) => ShelfIndex<QualificationIndex>) {
  const known = new Map<Scenario, ShelfIndex<QualificationIndex>>();
  return (scenario: Scenario): ShelfIndex<QualificationIndex> => {
    const as = indexed_as[scenario];
    const index = known.get(as) ?? indexFor(as);
    known.set(as, index);
    return index;
  };
}

export const promotionIndex = byScenario(tiersFor);
export const campaignIndex = byScenario(campaignsFor);
export const stackIndex = byScenario(stacksFor);
