import {
  type ApplicableEntry,
  KeptOn,
  normaliseOrder,
  type OrderLine,
  type UnitBudget,
  unitCounterKey,
} from "@guerdon/engine";
import {
  countedIds,
  hasHistory,
  type ItemNames,
  type ItemUnits,
  type LongHistory,
  type RedemptionRow,
  sumUnits,
  sumUnitsOfHistories,
} from "../../books/index.js";
import { lineInputOf } from "../../features/orders/index.js";
import { catalogueOf } from "../../features/products/index.js";
import type { Queries } from "../../platform/db/database.js";
import { ruledBy, singlesOf, unitsGiven } from "../candidates.js";
import type { DecidingRequest } from "../requests/request.js";
import type { Ruled } from "../ruled.js";
import type { SharedFacts } from "../shared-facts.js";
import { scopeOf } from "./counters.js";
import { HistoriesTooLong } from "./histories.js";
import type { UnitOwner } from "./unit-usage.js";

type InCollection = (collection_id: string, line: OrderLine) => boolean;

/** With the history that has the units; null: there are sums of them. */
type Owner = UnitOwner & { history: LongHistory | null };
type OwnerWithHistory = Owner & { history: LongHistory };

/** A budget, the entry it limits, and whose units it counts; null: those of a customer who has none yet. */
interface Asked {
  entry: ApplicableEntry;
  budget: UnitBudget;
  owner: Owner | null;
}

/**
 * Reads the units that the budgets of the requests count; without budgets there is nothing to read (discounts.md §5).
 * @throws {@link HistoriesTooLong} see `withHistories`
 */
export async function readUnitUsage(
  db: Queries,
  shared: SharedFacts,
  requests: readonly DecidingRequest[],
): Promise<void> {
  const asked = requests.flatMap((request) =>
    singlesOf(shared, request).flatMap((redeemable) => {
      const ruled = ruledBy(shared, redeemable);
      return ruled ? askedBy(shared, request, ruled) : [];
    }),
  );
  if (asked.length === 0) return;
  for (const request of requests) for (const line of linesOf(shared, request)) shared.unit_usage.keepNames(line);
  const by_collection = asked.some(
    ({ entry, budget }) => entry.object === "products_collection" && !budget.each_product,
  );
  const items = await readItems(db, shared, asked, by_collection ? null : namesOf(shared, asked));
  if (!by_collection) return;
  const { id } = shared.catalogue.project;
  shared.unit_usage.catalogue_of_items = await catalogueOf(db, id, items.map(namedBy));
}

/** Units discounted so far, for the budgets of one redeemable, by `unitCounterKey`. */
export function unitsDiscounted(
  shared: SharedFacts,
  request: DecidingRequest,
  ruled: Ruled,
  inCollection: InCollection,
): Map<string, number> {
  const { unit_usage } = shared;
  const counted = new Map<string, number>();
  const each_product_done = new Set<string>();
  for (const { entry, budget, owner } of askedBy(shared, request, ruled)) {
    if (owner === null) continue;
    const { scope, per_customer } = budget;
    const count = (item: Pick<ApplicableEntry, "object" | "strict"> & { id: string }, units: number) =>
      counted.set(unitCounterKey({ ...item, scope, per_customer }), units);
    if (!budget.each_product) {
      const isMember = (item: ItemUnits) => entry.id !== null && inCollection(entry.id, lineOf(shared, item));
      const { object, strict, id, source_id } = entry;
      count({ object, strict, id: id ?? source_id ?? "" }, unit_usage.ofEntry(owner, entry, isMember));
    } else if (!each_product_done.has(`${scope} ${per_customer}`)) {
      each_product_done.add(`${scope} ${per_customer}`);
      for (const id of unit_usage.products) {
        count({ object: "product", strict: false, id }, unit_usage.ofProduct(owner, id));
      }
    }
  }
  return counted;
}

/** What a redemption has discounted counts for the requests behind it in the batch. */
export function spendUnits({ unit_usage }: SharedFacts, row: RedemptionRow): void {
  const { customer_id, units } = row;
  if (units === null) return;
  for (const id of countedIds(row)) {
    unit_usage.add({ id, customer_id: null }, units);
    if (customer_id !== null) unit_usage.add({ id, customer_id }, units);
  }
}

function askedBy(shared: SharedFacts, request: DecidingRequest, ruled: Ruled): Asked[] {
  return ruled.rules.flatMap(({ applicable_to }) =>
    applicable_to.included.flatMap((entry) =>
      entry.budgets.map((budget) => ({ entry, budget, owner: ownerOf(shared, request, ruled, budget) })),
    ),
  );
}

function ownerOf(shared: SharedFacts, request: DecidingRequest, ruled: Ruled, budget: UnitBudget): Owner | null {
  const { object, id } = scopeOf(ruled, budget.scope === "campaign");
  if (!budget.per_customer) {
    // Vouchers of campaigns are too many for sums of their own, and a tier's budget on one is rare.
    const has_no_sums = object !== "campaign" && hasHistory(object) && ruled.campaign_id !== null;
    return { id, customer_id: null, history: has_no_sums ? { kind: object, id } : null };
  }
  const customer = shared.customer(request.customer);
  return customer ? { id, customer_id: customer.id, history: { kind: "customer", id: customer.id } } : null;
}

/** The lines that the request may be decided on: those sent, those stored, and what its unit discounts may add. */
function linesOf(shared: SharedFacts, request: DecidingRequest): OrderLine[] {
  const { catalogue_of_lines } = shared;
  const { order } = request;
  const given = unitsGiven(shared, request)
    .map((unit_type) => catalogue_of_lines.unit(unit_type) ?? { product: { id: unit_type }, sku: null })
    .map(({ product, sku }) => ({ sku_id: sku?.id ?? null, catalogue_product: product, catalogue_sku: sku }));
  const sent = (order?.items ?? []).map((item) => catalogue_of_lines.under(lineInputOf(item)));
  return normaliseOrder({ items: [...(shared.order(order)?.items ?? []), ...sent, ...given] }).lines;
}

/** Under what the units that the budgets count may be kept: what their entries name, and products of the lines. */
function namesOf({ unit_usage }: SharedFacts, asked: readonly Asked[]): ItemNames {
  const named = (kind: "product" | "sku") =>
    asked.flatMap(({ entry, budget }) =>
      entry.object === kind && !budget.each_product ? [entry.id, entry.source_id] : [],
    );
  const of_lines = asked.some(({ budget }) => budget.each_product) ? unit_usage.products : [];
  return {
    products: [...unit_usage.namesOfProduct(...named("product"), ...of_lines)],
    skus: [...unit_usage.namesOfSku(...named("sku"))],
  };
}

/** Reads what the owners have discounted, of the named items or of all; answers the items. */
async function readItems(
  db: Queries,
  shared: SharedFacts,
  asked: readonly Asked[],
  names: ItemNames | null,
): Promise<ItemUnits[]> {
  const { unit_usage, catalogue } = shared;
  const project_id = catalogue.project.id;
  const owners = [...new Map(asked.flatMap(({ owner }) => (owner ? [[JSON.stringify(owner), owner]] : []))).values()];
  const summed = owners.flatMap(({ id, history }) => (history === null ? id : []));
  const found: ItemUnits[] = [];
  for (const { object_id, ...item } of summed.length === 0 ? [] : await sumUnits(db, project_id, summed, names)) {
    unit_usage.add({ id: object_id, customer_id: null }, [item]);
    found.push(item);
  }
  const counted = owners.filter((owner): owner is OwnerWithHistory => owner.history !== null);
  if (counted.length === 0) return found;
  const asked_of = counted.map(({ id, history }) => ({ object_id: id, history }));
  const read = await sumUnitsOfHistories(db, project_id, asked_of, names);
  if ("too_long" in read) throw new HistoriesTooLong(read.too_long);
  for (const [i, items] of read.units.entries()) unit_usage.add(counted[i] as UnitOwner, items);
  return [...found, ...read.units.flat()];
}

const namedBy = ({ product, sku }: ItemUnits) => ({ product_id: product || null, sku_id: sku || null });

/** A line of what was discounted, as the catalogue knows it, so that a collection can be asked about it. */
function lineOf({ unit_usage, catalogue_of_lines }: SharedFacts, item: ItemUnits): OrderLine {
  let line = lines_of_items.of(item);
  if (line === undefined) {
    const named = catalogue_of_lines.under(namedBy(item));
    [line] = normaliseOrder({ items: [unit_usage.catalogue_of_items?.under(named) ?? named] }).lines as [OrderLine];
    lines_of_items.keep(item, line);
  }
  return line;
}

// Every request of a batch asks about the same items.
const lines_of_items = new KeptOn<ItemUnits, OrderLine>();
