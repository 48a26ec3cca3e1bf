import { DEFAULT_STACKING_RULES } from "@guerdon/engine";
import {
  type CartBody,
  type Deciding,
  type DecidingRequest,
  decidingRequest,
  no_sources,
  openQualification,
  type Qualification,
  type Qualified,
  type Shown,
  trackingIdOf,
  trackingOf,
} from "../../deciding/index.js";
import type { Queries } from "../../platform/db/database.js";
import { withoutNulls } from "../../platform/fields.js";
import { filterCondition } from "../../platform/listing/index.js";
import { findCampaignsByIds } from "../campaigns/index.js";
import { type Category, findCategoriesByIds, toCategoryBody } from "../categories/index.js";
import type { Order } from "../orders/index.js";
import type { Call } from "../projects/index.js";
import { findTierIds, findTiersByIds, tierFilterable } from "../promotions/index.js";
import type { PromotionsQuery, PromotionsValidationBody } from "./promotion-validation.schemas.js";
import { effectOf, shownOf, type TierAndCampaign } from "./tier-validation.service.js";

/** The newest of those that apply. */
export const promotions_max = 150;
/** Tiers that a filter lets through, the newest: no more may be found by the index either. */
const filtered_max = 10_000;

const sources = { ...no_sources, tiers: true };

/**
 * `POST /v1/promotions/validation`: the tiers that apply to a cart, each by itself, in the order of their hierarchy
 * (redemption.md §15). A qualification that leaves out no rules, and knows no stacking rules.
 */
export async function validatePromotions(
  deciding: Deciding,
  call: Call,
  { options, ...situation }: CartBody,
  { audienceRulesOnly, filters }: PromotionsQuery,
): Promise<PromotionsValidationBody> {
  const { context } = deciding;
  const request: DecidingRequest = {
    ...decidingRequest(call, { ...situation, redeemables: [] }, trackingOf(context.seal, call.project_id)),
    stacking_rules: DEFAULT_STACKING_RULES,
  };
  const db = context.db.of(call.project_id);
  const { stored, customer, newestFirst } = await openQualification(deciding, {
    request,
    scenario: audienceRulesOnly ? "AUDIENCE_ONLY" : null,
    sources,
    matches: await filterOf(db, call, filters),
    only: null,
    behind: null,
  });
  const valid: Qualified[] = [];
  for await (const one of newestFirst(promotions_max, { ends_with_codes: false })) {
    valid.push(one);
    if (valid.length === promotions_max) break;
  }
  const around = await readAround(db, call.project_id, valid, new Set(options?.expand ?? []));
  const tracking = withoutNulls({ tracking_id: trackingIdOf(request, customer) });
  const promotions = valid
    .flatMap((one) => {
      const found = around.get(one.candidate.id);
      return found
        ? [{ valid: "true" as const, ...shownWithCategories(found), ...effectIn(one, stored), ...tracking }]
        : [];
    })
    .sort((one, other) => one.hierarchy - other.hierarchy);
  return { valid: promotions.length > 0, ...tracking, promotions };
}

async function filterOf(
  db: Queries,
  { project_id, project, instant }: Call,
  filters: PromotionsQuery["filters"],
): Promise<Qualification["matches"]> {
  const today = { instant, time_zone: project.timezone };
  const filter = filters === undefined ? null : filterCondition(filters, tierFilterable, today);
  if (filter === null) return () => true;
  const ids = new Set((await findTierIds(db, project_id, filter, filtered_max)).map(({ id }) => id));
  return ({ resource_id }) => ids.has(resource_id);
}

/** Categories are shown in a form of their own. */
const nothing_more: Shown = { expansions: new Map(), categories: new Map() };

function effectIn({ shared, request, outcomes }: Qualified, stored: Order | null) {
  const [outcome] = outcomes;
  if (!outcome) throw new Error("what qualifies applies");
  return effectOf({ shared, request, outcome, shown: nothing_more, stored });
}

/** What an answer names beside what a tier does. */
interface Around extends TierAndCampaign {
  /** By id, those that the answer shows. */
  categories: ReadonlyMap<string, Category>;
}

/** By the tiers' ids; one that is gone by now is left out. */
async function readAround(
  db: Queries,
  project_id: string,
  qualified: readonly Qualified[],
  expand: ReadonlySet<string>,
): Promise<Map<string, Around>> {
  if (qualified.length === 0) return new Map();
  const tiers = await findTiersByIds(
    db,
    project_id,
    qualified.map(({ candidate }) => candidate.id),
  );
  const campaigns = await findCampaignsByIds(db, project_id, [...new Set(tiers.map(({ campaign_id }) => campaign_id))]);
  const named = expand.has("category") ? [...tiers, ...campaigns].flatMap(({ category_id }) => category_id ?? []) : [];
  const found = named.length > 0 ? await findCategoriesByIds(db, project_id, [...new Set(named)]) : [];
  const categories = new Map(found.map((category) => [category.id, category]));
  return new Map(
    tiers.flatMap((tier): [string, Around][] => {
      const campaign = campaigns.find(({ id }) => id === tier.campaign_id);
      return campaign ? [[tier.id, { tier, campaign, categories }]] : [];
    }),
  );
}

function shownWithCategories({ tier, campaign, categories }: Around) {
  const shown = shownOf({ tier, campaign });
  const [own, inherited] = [tier, campaign].map(({ category_id }) => categories.get(category_id ?? ""));
  return {
    ...shown,
    ...(own ? { category_id: own.id, categories: toCategoryBody(own) } : {}),
    campaign: { ...shown.campaign, ...(inherited ? { categories: toCategoryBody(inherited) } : {}) },
  };
}
