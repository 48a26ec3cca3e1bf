import {
  type Applicable,
  type BundleCount,
  eligibilityOf,
  type Inapplicable,
  isSingle,
  type Outcome,
  type ProductFacts,
  type ResolvedItem,
  type Skipped,
  type UnitObject,
} from "@guerdon/engine";
import { campaignShelf } from "../../features/campaigns/index.js";
import { type Category, toCategoryBody } from "../../features/categories/index.js";
import type { Order } from "../../features/orders/index.js";
import { withoutNulls } from "../../platform/fields.js";
import { problems } from "../../platform/http/problems.js";
import type { Turns } from "../../platform/sharing/turns.js";
import { refusalBody, skip_messages } from "../../terms/index.js";
import type { DecidingRequest } from "../requests/request.js";
import type { SharedFacts } from "../shared-facts.js";
import { referrerByCode, referrerOf } from "../situation/referrer.js";
import type { ApplicableView, InapplicableView, RedeemableView } from "./answer.schemas.js";
import { explanationView } from "./explanation-view.js";
import { orderView } from "./order-view.js";
import { categoryIdOf, type Shown } from "./shown.js";

/** What showing a redeemable with an order costs, and each of the lines. */
const work_of_view = { redeemable: 100, line: 40 };

/** The outcomes of a request as validations and redemptions answer them; with many lines, others have turns meanwhile. */
export async function redeemableViews(
  turns: Turns,
  shared: SharedFacts,
  request: DecidingRequest,
  outcomes: readonly Outcome[],
  shown: Shown,
  stored: Order | null,
): Promise<RedeemableView[]> {
  const { project_id } = request.call;
  const referrer_id = referrerOf(shared, request, outcomes);
  const views: RedeemableView[] = [];
  for (const outcome of outcomes) {
    views.push(redeemableView(shared, request, outcome, shown, stored, referrer_id));
    const lines = outcome.status === "APPLICABLE" ? (outcome.order?.lines.length ?? 0) : 0;
    if (turns.took(project_id, work_of_view.redeemable + work_of_view.line * lines)) await turns.next(project_id);
  }
  return views;
}

/** A redeemable's outcome as validations and redemptions answer it (redemption.md §6). */
function redeemableView(
  shared: SharedFacts,
  request: DecidingRequest,
  outcome: Outcome,
  shown: Shown,
  stored: Order | null,
  referrer_id: string | null,
): RedeemableView {
  if (outcome.status === "APPLICABLE") return applicableView(shared, request, outcome, shown, stored, referrer_id);
  const expanded = expandedView(shared, request, outcome, shown);
  return outcome.status === "INAPPLICABLE"
    ? { status: outcome.status, ...nameOf(outcome), result: inapplicable(request, outcome), ...expanded }
    : { status: outcome.status, ...nameOf(outcome), result: skipped(outcome), ...expanded };
}

/** What did not apply, and why; for an error, which is made before anything more is read. */
export const leftOut = (request: DecidingRequest, outcomes: readonly Outcome[]) => ({
  inapplicable_redeemables: outcomes.flatMap((outcome) =>
    outcome.status === "INAPPLICABLE" ? leftOutView(request, outcome) : [],
  ),
  skipped_redeemables: outcomes.flatMap((outcome) =>
    outcome.status === "SKIPPED" ? leftOutView(request, outcome) : [],
  ),
});

function leftOutView<Left extends Inapplicable | Skipped>(request: DecidingRequest, outcome: Left) {
  const { status } = outcome;
  const result = outcome.status === "INAPPLICABLE" ? inapplicable(request, outcome) : skipped(outcome);
  return { status, ...nameOf(outcome), result };
}

/** The same, of one that is known to be applicable; it stands alone unless it is said who referred. */
export function applicableView(
  shared: Pick<SharedFacts, "catalogue">,
  request: DecidingRequest,
  outcome: Applicable,
  shown: Shown,
  stored: Order | null,
  referrer_id = referrerByCode([outcome]),
): ApplicableView {
  const { order, applied, result, bundle } = outcome;
  return {
    status: outcome.status,
    ...nameOf(outcome),
    ...(order ? { order: orderView(order, applied, stored, referrer_id) } : {}),
    applicable_to: itemList(outcome.applicable_to),
    inapplicable_to: itemList(outcome.inapplicable_to),
    result: { ...resultView(result), ...bundleView(bundle) },
    ...expandedView(shared, request, outcome, shown),
  };
}

/** Of a stack that nobody knows there are no tiers to tell of, and no entry is ever a stack: it is the error of the whole. */
function nameOf({ redeemable }: Outcome) {
  const { object } = redeemable;
  if (!isSingle(object)) throw problems.notFound(object, redeemable.id);
  return { id: "code" in redeemable ? redeemable.code : redeemable.id, object };
}

const expandedView = (
  shared: Pick<SharedFacts, "catalogue">,
  request: DecidingRequest,
  outcome: Outcome,
  shown: Shown,
) => ({
  ...expansionOf(shared, request, outcome, shown),
  ...explanationView(outcome),
});

/** A unit discount names what it gives away; that is all an answer shows of it (discounts.md §3). */
function resultView(result: Applicable["result"]): ApplicableView["result"] {
  if (!("discount" in result)) return result;
  const { units, ...discount } = result.discount;
  return { discount: { ...withNames(discount), ...(units ? { units: units.map(withNames) } : {}) } };
}

function withNames(named: object) {
  const { product, sku, ...fields } = named as Partial<UnitObject>;
  return {
    ...fields,
    ...(product ? { product: namesOf(product, product.name) } : {}),
    // The reference's shape calls a SKU's name `name`, its examples `sku`.
    ...(sku ? { sku: { ...namesOf(sku, sku.sku), ...withoutNulls({ sku: sku.sku }) } } : {}),
  };
}

/** A name always stands there: what has none of its own goes by its source id or id. */
const namesOf = ({ id, source_id }: ProductFacts, name: string | null | undefined) =>
  withoutNulls({ id, source_id, name: name ?? source_id ?? id });

function inapplicable(
  { call }: DecidingRequest,
  { refusal, redeemable, bundle }: Inapplicable,
): InapplicableView["result"] {
  const error = refusalBody(refusal);
  const message = error.error?.message ?? error.message;
  return {
    error: {
      ...error,
      request_id: call.request_id,
      redeemable_id: "code" in redeemable ? redeemable.code : redeemable.id,
      redeemable_type: redeemable.object,
    },
    details: { key: error.key, message },
    ...bundleView(bundle),
  };
}

const skipped = ({ reason }: Skipped) => ({ details: { key: reason, message: skip_messages[reason] } });

const bundleView = (bundle: BundleCount | undefined) => (bundle ? { bundle } : {});

function itemList(items: readonly ResolvedItem[]): ApplicableView["applicable_to"] {
  const data = items.map(({ entry, ...item }) => {
    // Budgets are closures by now; of a formula there is the text (discounts.md §12), beside the price that counts where it gives none.
    const { price_formula, budgets, ...said } = entry ?? { price_formula: null, budgets: [] };
    const shown = withoutNulls({ effect: "APPLY_TO_EVERY", ...withoutNulls(said), ...withoutNulls(item) });
    return price_formula ? Object.assign(shown, { price_formula: price_formula.text }) : shown;
  });
  return { data, total: data.length, object: "list", data_ref: "data" };
}

/** A common category says nothing of how it stacks. */
function categoryView({ catalogue }: Pick<SharedFacts, "catalogue">, category: Category) {
  const stacking_rules_type = eligibilityOf({ category }, catalogue.stacking_rules);
  return { ...toCategoryBody(category), ...(stacking_rules_type === "COMMON" ? {} : { stacking_rules_type }) };
}

/** What `options.expand` adds (redemption.md §3). */
function expansionOf(
  shared: Pick<SharedFacts, "catalogue">,
  request: DecidingRequest,
  { redeemable }: Outcome,
  shown: Shown,
): Pick<RedeemableView, "metadata" | "campaign_id" | "campaign_name" | "name" | "categories"> {
  if ("not_found" in redeemable) return {};
  const campaign = redeemable.campaign ? shared.catalogue.shelf(campaignShelf).get(redeemable.campaign.id) : undefined;
  return {
    ...(request.expand.has("redeemable")
      ? withoutNulls({
          metadata: redeemable.metadata,
          campaign_id: campaign?.id,
          campaign_name: campaign?.name,
          ...shown.expansions.get(redeemable.id),
        })
      : {}),
    ...categoriesView(shared, request, shown, categoryIdOf(redeemable)),
  };
}

/** The category of a redeemable where the request asks for it, as a list of none or one. */
export function categoriesView(
  shared: Pick<SharedFacts, "catalogue">,
  { expand }: Pick<DecidingRequest, "expand">,
  { categories }: Shown,
  category_id: string | null | undefined,
): Pick<RedeemableView, "categories"> {
  if (!expand.has("category")) return {};
  const category = categories.get(category_id ?? "");
  return { categories: category ? [categoryView(shared, category)] : [] };
}
