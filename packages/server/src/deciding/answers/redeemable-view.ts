import type {
  Applicable,
  BundleCount,
  Inapplicable,
  Outcome,
  ProductFacts,
  ResolvedItem,
  Skipped,
  UnitObject,
} from "@guerdon/engine";
import { campaignShelf } from "../../features/campaigns/index.js";
import { toCategoryBody } from "../../features/categories/index.js";
import type { Order } from "../../features/orders/index.js";
import { withoutNulls } from "../../platform/fields.js";
import type { DecidingRequest } from "../requests/request.js";
import type { SharedFacts } from "../shared-facts.js";
import { explanationView } from "./explanation-view.js";
import { orderView } from "./order-view.js";
import { refusalBody, skip_messages } from "./refusals.js";
import { categoryIdOf, type Shown } from "./shown.js";

/** A redeemable's outcome as validations and redemptions answer it (redemption.md §6). */
export function redeemableView(
  shared: SharedFacts,
  request: DecidingRequest,
  outcome: Outcome,
  shown: Shown,
  stored: Order | null,
) {
  const { redeemable } = outcome;
  const id = "code" in redeemable ? redeemable.code : redeemable.id;
  const common = { status: outcome.status, id, object: redeemable.object };
  const expanded = { ...expansionOf(shared, request, outcome, shown), ...explanationView(outcome) };
  switch (outcome.status) {
    case "APPLICABLE":
      return { ...common, ...applicable(outcome, stored), ...expanded };
    case "INAPPLICABLE":
      return { ...common, result: inapplicable(request, outcome), ...expanded };
    case "SKIPPED":
      return { ...common, result: skipped(outcome), ...expanded };
  }
}

function applicable(outcome: Applicable, stored: Order | null) {
  const { order, applied, result, bundle } = outcome;
  return {
    ...(order ? { order: orderView(order, applied, stored) } : {}),
    applicable_to: itemList(outcome.applicable_to),
    inapplicable_to: itemList(outcome.inapplicable_to),
    result: { ...resultView(result), ...bundleView(bundle) },
  };
}

/** A unit discount names what it gives away; that is all an answer shows of it (discounts.md §3). */
function resultView(result: Applicable["result"]) {
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

function inapplicable({ call }: DecidingRequest, { refusal, redeemable, bundle }: Inapplicable) {
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

function itemList(items: readonly ResolvedItem[]) {
  const data = items.map(({ entry, ...item }) => {
    // Formulas and budgets are closures by now; an answer shows what an entry says in plain numbers.
    const { price_formula, budgets, ...said } = entry ?? { price_formula: null, budgets: [] };
    return withoutNulls({ effect: "APPLY_TO_EVERY", ...withoutNulls(said), ...withoutNulls(item) });
  });
  return { data, total: data.length, object: "list", data_ref: "data" };
}

/** What `options.expand` adds (redemption.md §3). */
function expansionOf(
  shared: SharedFacts,
  { expand }: DecidingRequest,
  { redeemable }: Outcome,
  { expansions, categories }: Shown,
): Record<string, unknown> {
  if ("not_found" in redeemable) return {};
  const campaign = redeemable.campaign ? shared.catalogue.shelf(campaignShelf).get(redeemable.campaign.id) : undefined;
  const category = categories.get(categoryIdOf(redeemable) ?? "");
  return {
    ...(expand.has("redeemable")
      ? withoutNulls({
          metadata: redeemable.metadata,
          campaign_id: campaign?.id,
          campaign_name: campaign?.name,
          ...expansions.get(redeemable.id),
        })
      : {}),
    ...(expand.has("category") ? { categories: category ? [toCategoryBody(category)] : [] } : {}),
  };
}
