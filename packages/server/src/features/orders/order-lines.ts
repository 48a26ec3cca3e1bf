import {
  KeptOn,
  type LinePart,
  type OrderInput,
  type OrderLine,
  type OrderLineInput,
  type OrderPart,
  type RunningOrder,
  renderLineAmounts,
  type SkuFacts,
  sentAgain,
} from "@guerdon/engine";
import { newId } from "../../platform/ids.js";
import { writtenOnce } from "../../platform/lists/written-once.js";
import type { Change } from "../../recording/index.js";
import { type CatalogueOfLines, type OverridingCall, overrideCatalogue, overridesOf } from "../products/index.js";
import type { Call } from "../projects/index.js";
import type { Order, OrderItem } from "./order.js";
import type { OrderInputBody, OrderItemInput } from "./order.schemas.js";

/** A line as sent, as the engine reads it; under the id by which every answer about the order will name it, and the order. */
export function lineInputOf(item: OrderItemInput): OrderLineInput {
  const { source_id, related_object, product_id, sku_id, quantity, price, amount, product, sku, metadata } = item;
  return {
    id: newId("ordli"),
    source_id,
    related_object,
    product_id,
    sku_id,
    quantity: typeof quantity === "string" ? Number(quantity) : quantity,
    price,
    amount,
    product,
    sku,
    metadata,
  };
}

/** A stored order as the engine reads it, with what earlier redemptions took off (discounts.md §2). */
export function toOrderInput(order: Order): OrderInput {
  return {
    amount: order.amount,
    initial_amount: order.initial_amount ?? undefined,
    discount_amount: order.discount_amount,
    items: order.items,
    metadata: order.metadata,
  };
}

/**
 * What was sent, laid over the stored order: absent fields stay, items are replaced as a whole, metadata merges key by
 * key. Discounts of earlier redemptions stay, those on items, and units given, with the line that names the same thing (ADR 122).
 */
export function laidOver(
  stored: Order | undefined,
  { amount, items, metadata }: Pick<OrderInputBody, "amount" | "items" | "metadata">,
  catalogue: CatalogueOfLines,
): OrderInput {
  const lines = items?.map((item) => catalogue.under(lineInputOf(item)));
  if (!stored) return { amount, items: lines, metadata };
  const base = { ...toOrderInput(stored), metadata: { ...stored.metadata, ...metadata } };
  const sent_amount = amount ?? undefined;
  if (!lines) return sent_amount === undefined ? base : { ...base, amount: sent_amount, initial_amount: undefined };
  const carried = withDiscountsOf(stored.items, lines);
  // What redemptions added to an amount that was sent is worth something by its lines, and of those none is left.
  const kept_amount = lines.some(hasMoney) || followsItems(stored) ? undefined : (base.initial_amount ?? base.amount);
  return { ...base, amount: sent_amount ?? kept_amount, initial_amount: undefined, items: carried };
}

/** Has the catalogue know what the lines that were sent say of it. Lines that a discount added come after them. */
export function overrideSaid(
  change: Change,
  call: OverridingCall,
  items: readonly OrderItemInput[] | null | undefined,
  { lines }: RunningOrder,
): void {
  const overriding = overridingLines(items, lines);
  if (overriding.length > 0) overrideCatalogue(change, call, overriding);
}

/** Refuses lines that would make a product without the metadata that it needs; nothing is written. */
export function assertOverrides(
  call: Call,
  items: readonly OrderItemInput[] | null | undefined,
  { lines }: RunningOrder,
): void {
  overridesOf(call, overridingLines(items, lines));
}

function overridingLines(items: readonly OrderItemInput[] | null | undefined, lines: RunningOrder["lines"]) {
  if (!items?.some(({ product, sku }) => product?.override || sku?.override)) return [];
  return lines.filter(({ index }) => index < items.length).map(({ input }) => input);
}

/** Whether a line brings money of its own, so that the order's amount follows from its items again. */
const hasMoney = ({ amount, price, sku, product, catalogue_sku, catalogue_product }: OrderLineInput) =>
  (amount ?? price ?? sku?.price ?? product?.price ?? catalogue_sku?.price ?? catalogue_product?.price ?? null) !==
  null;

/** Whether the stored amount is what its items come to, and not one that was sent beside them. */
function followsItems({ amount, items }: Order): boolean {
  const priced = items.filter((item) => item.amount !== undefined);
  return priced.length > 0 && amount === priced.reduce((sum, item) => sum + (item.amount ?? 0), 0);
}

/** Gives each line the id of the stored line of the same product or SKU, and what redemptions did to it; each of those is taken once. */
function withDiscountsOf(stored: readonly OrderItem[], lines: readonly OrderLineInput[]): OrderLineInput[] {
  const by_name = new Map<string, Set<OrderItem>>();
  for (const item of stored) {
    for (const name of namesOf(item)) by_name.set(name, (by_name.get(name) ?? new Set()).add(item));
  }
  return lines.map((line) => {
    const [item] = namesOf(line).flatMap((name) => [...(by_name.get(name) ?? [])].slice(0, 1));
    if (!item) return line;
    for (const name of namesOf(item)) by_name.get(name)?.delete(item);
    return { ...sentAgain(item, line), id: item.id };
  });
}

/** Every name of what a line sells. A SKU's line is not one of its product. */
function namesOf({ source_id, related_object, product_id, sku_id, product, sku }: OrderLineInput): string[] {
  const of_sku = [sku_id, sku?.id, sku?.source_id, related_object === "sku" ? source_id : null];
  const skus = of_sku.flatMap((name) => (name ? `sku ${name}` : []));
  if (skus.length > 0) return skus;
  return [product_id, product?.id, product?.source_id, source_id].flatMap((name) => (name ? `product ${name}` : []));
}

/**
 * The lines of an order as they are stored and shown (discounts.md §3). A line keeps its id, or gets one.
 * @param applied what this request did, for the `applied_*` fields
 */
export function itemsOf(running: RunningOrder, applied?: OrderPart): OrderItem[] {
  const known = rendered.of(running);
  if (known && known.applied === applied) return known.items;
  const parts = new Map<number, LinePart>(applied?.lines.map((part) => [part.index, part]));
  const items = writtenOnce(running.lines.map((line) => itemOf(line, parts.get(line.index))));
  rendered.keep(running, { applied, items });
  return items;
}

// The order's row, its redemption's and the answer show the same lines.
const rendered = new KeptOn<RunningOrder, { applied: OrderPart | undefined; items: OrderItem[] }>();

function itemOf(line: OrderLine, applied: LinePart | undefined): OrderItem {
  const { id, source_id, related_object, product, sku, catalogue_product, catalogue_sku } = line.input;
  const named: Partial<OrderItem> & Pick<OrderItem, "id"> = { id: id ?? newId("ordli") };
  if (isSaid(source_id)) named.source_id = source_id;
  if (isSaid(related_object)) named.related_object = related_object;
  if (isSaid(line.product_id)) named.product_id = line.product_id;
  if (isSaid(line.sku_id)) named.sku_id = line.sku_id;
  const item = renderLineAmounts(line, applied, named) as OrderItem;
  const product_shown = shownOf("name", catalogue_product, product);
  if (product_shown) item.product = product_shown;
  const sku_shown = shownOf("sku", catalogue_sku, sku);
  if (sku_shown) item.sku = sku_shown;
  item.metadata = line.metadata;
  item.object = "order_item";
  return item;
}

const isSaid = <Value>(value: Value | null | undefined): value is Value => value !== null && value !== undefined;

type Sold = SkuFacts & { override?: boolean | null };

/** What the catalogue knows of a product or SKU, with what the line says laid over it. */
function shownOf(called: "name" | "sku", known: Sold | null | undefined, sent: Sold | null | undefined) {
  if (!known && !sent) return undefined;
  const shown: Partial<Record<keyof Sold, unknown>> = {};
  let is_known = false;
  for (const field of ["id", "source_id", "override", called, "price", "metadata"] as const) {
    const said = sent?.[field] ?? known?.[field];
    if (!isSaid(said)) continue;
    shown[field] = said;
    is_known = true;
  }
  return is_known ? (shown as NonNullable<OrderItem["product"] & OrderItem["sku"]>) : undefined;
}
