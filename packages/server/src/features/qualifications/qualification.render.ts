import type { Applicable } from "@guerdon/engine";
import {
  applicableView,
  categoriesView,
  type DecidingRequest,
  orderView,
  type Qualification,
  type Qualified,
  type Qualifying,
  readShown,
  ruledBy,
  type Shown,
  voucherOf,
} from "../../deciding/index.js";
import { isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import { withoutNulls } from "../../platform/fields.js";
import { campaignShelf, findCampaignsByIds } from "../campaigns/index.js";
import { findStacksByIds, findTiersByIds, tierShelf } from "../promotions/index.js";
import { type Assignment, findAssignmentsTo, ruleAssignments, ruleShelf } from "../validation-rules/index.js";
import type { QualifiedEntry, QualifiedTier } from "./qualification.schemas.js";

/** What the request wants to see of each entry. */
export interface Wanted {
  expand: ReadonlySet<string>;
  locked_credits: boolean;
}

/** What entries show beside what decided about them. */
interface Around {
  shown: Shown;
  /** By id of a tier, stack or campaign. */
  named: ReadonlyMap<string, { name: string; banner?: string | null; metadata?: Record<string, unknown> }>;
  assignments: readonly Assignment[];
}

type Show = Pick<Qualification, "scenario"> & Pick<Qualifying, "catalogue" | "stored"> & Wanted;

/** The entries of a page (redemption.md §13.3). */
export async function entriesOf(
  { db }: Pick<Context, "db">,
  request: DecidingRequest,
  qualified: readonly Qualified[],
  show: Show,
): Promise<QualifiedEntry[]> {
  const expanded = { ...request, expand: new Set([...show.expand].filter((one) => one === "category")) };
  const { project_id } = request.call;
  const outcomes = qualified.flatMap((one) => one.outcomes);
  const campaign_ids = qualified.flatMap(({ candidate }) => candidate.traits.campaign_id ?? []);
  const ids = [...qualified.map(({ candidate }) => candidate.id), ...outcomes.map(({ redeemable }) => redeemable.id)];
  const [shown, named, assignments] = await Promise.all([
    readShown(db.of(project_id), expanded, outcomes, categoriesOfStacks(qualified)),
    show.expand.has("redeemable") ? readNames(db.of(project_id), project_id, ids) : new Map(),
    show.expand.has("validation_rules")
      ? findAssignmentsTo(db.of(project_id), project_id, [...new Set([...ids, ...campaign_ids])])
      : [],
  ]);
  return qualified.map((one) => entryOf(one, { ...show, request: expanded }, { shown, named, assignments }));
}

/** A stack's own or its campaign's, which its tiers have only where they have none. */
const categoriesOfStacks = (qualified: readonly Qualified[]): string[] =>
  qualified.flatMap(({ candidate: { object, traits } }) =>
    object === "promotion_stack" ? (traits.category_id ?? []) : [],
  );

async function readNames(db: ReturnType<Context["db"]["of"]>, project_id: string, ids: readonly string[]) {
  const [tiers, stacks, campaigns] = await Promise.all([
    findTiersByIds(db, project_id, ids),
    findStacksByIds(db, project_id, ids),
    findCampaignsByIds(db, project_id, ids),
  ]);
  const rows: { id: string; name: string; banner?: string | null; metadata?: Record<string, unknown> }[] = [
    ...tiers.map(({ id, name, banner }) => ({ id, name, banner })),
    ...stacks.map(({ id, name }) => ({ id, name })),
    ...campaigns.map(({ id, name, metadata }) => ({ id, name, metadata })),
  ];
  return new Map(rows.map((row) => [row.id, row]));
}

type Showing = Show & { request: DecidingRequest };

function entryOf(qualified: Qualified, showing: Showing, around: Around): QualifiedEntry {
  const { candidate, outcomes, decision } = qualified;
  const [first] = outcomes as [Applicable];
  if (candidate.object !== "promotion_stack") {
    return partOf(qualified, first, { ...candidate, id: candidate.traits.code ?? candidate.id }, showing, around);
  }
  const nothing = { object: "list" as const, data_ref: "data" as const, data: [], total: 0 };
  return {
    id: candidate.id,
    object: candidate.object,
    created_at: isoOf(candidate.created_at),
    ...(decision.order ? { order: orderView(decision.order, decision.applied, showing.stored) } : {}),
    applicable_to: nothing,
    inapplicable_to: nothing,
    ...categoriesView(showing, showing.request, around.shown, candidate.traits.category_id),
    ...expansionOf(candidate.id, candidate.traits.campaign_id, undefined, showing, around),
    redeemables: outcomes.map((outcome) => {
      const { id, object } = outcome.redeemable;
      const created_at = showing.catalogue.shelf(tierShelf).get(id)?.created_at ?? candidate.created_at;
      return partOf(qualified, outcome, { id, object: object as "promotion_tier", created_at }, showing, around);
    }),
  };
}

/** One redeemable with the order it leaves. */
function partOf(
  qualified: Qualified,
  outcome: Applicable,
  { id, object, created_at }: Pick<Qualified["candidate"], "id" | "object" | "created_at">,
  showing: Showing,
  around: Around,
): QualifiedTier {
  const view = applicableView(showing, showing.request, outcome, around.shown, showing.stored);
  const { redeemable } = outcome;
  const campaign_id = "not_found" in redeemable ? null : (redeemable.campaign?.id ?? null);
  const own_metadata = "not_found" in redeemable ? undefined : redeemable.metadata;
  const rule_id = ruledBy(qualified.shared, { object: redeemable.object, id: redeemable.id })?.rules[0]?.id;
  return {
    id,
    object,
    created_at: isoOf(created_at),
    result: resultOf(qualified, outcome, view.result, showing),
    ...(view.order ? { order: view.order } : {}),
    applicable_to: view.applicable_to,
    inapplicable_to: view.inapplicable_to,
    ...(rule_id ? { validation_rule_id: rule_id } : {}),
    ...(view.categories ? { categories: view.categories } : {}),
    ...expansionOf(redeemable.id, campaign_id, object === "campaign" ? undefined : own_metadata, showing, around),
  };
}

function resultOf(
  { shared }: Qualified,
  { redeemable }: Applicable,
  { gift, loyalty_card, ...result }: ReturnType<typeof applicableView>["result"],
  { locked_credits }: Wanted,
): QualifiedTier["result"] {
  if (gift) {
    const held = "gift" in redeemable ? (redeemable.gift?.held_balance ?? 0) : 0;
    return { ...result, gift: { ...gift, ...(locked_credits ? { locked_credits: held } : {}) } };
  }
  if (!loyalty_card) return result;
  const card = voucherOf(shared, redeemable.id);
  return { ...result, loyalty_card: { points: card?.added ?? 0, balance: card?.balance ?? 0 } };
}

/** What `options.expand` adds. */
function expansionOf(
  id: string,
  campaign_id: string | null,
  own_metadata: Readonly<Record<string, unknown>> | undefined,
  { expand, catalogue, scenario }: Showing,
  { named, assignments }: Around,
) {
  const named_as = named.get(id);
  const of_it = assignments.filter(
    ({ related_object_id }) => related_object_id === id || related_object_id === campaign_id,
  );
  const campaign = campaign_id === null ? undefined : catalogue.shelf(campaignShelf).get(campaign_id);
  return {
    ...(expand.has("redeemable")
      ? withoutNulls({
          metadata: { ...(own_metadata ?? named_as?.metadata) },
          name: named_as?.name,
          banner: named_as?.banner,
          campaign_id: campaign?.id,
          campaign_name: campaign?.name,
        })
      : {}),
    ...(expand.has("validation_rules")
      ? { validation_rules_assignments: ruleAssignments(of_it, (rule_id) => omitted(catalogue, rule_id, scenario)) }
      : {}),
  };
}

/** Leaves of a rule that the scenario has taken as true without looking (rules.md §12). */
const omitted = (catalogue: Qualifying["catalogue"], rule_id: string, scenario: Qualification["scenario"]) =>
  scenario === null ? [] : (catalogue.shelf(ruleShelf).get(rule_id)?.omittedLeaves(scenario) ?? []);
