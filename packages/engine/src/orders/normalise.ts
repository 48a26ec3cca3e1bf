import type { OrderInput, OrderLine, OrderLineInput, ProductFacts, RunningOrder } from "./order.js";

/**
 * The order before any redeemable (discounts.md §2): prices found, amounts settled, the snapshot
 * `initial_*` taken. Sent amounts win over price × quantity and over the sum of the lines, 0 included.
 */
export function normaliseOrder(input: OrderInput): RunningOrder {
  const lines = (input.items ?? []).map(normaliseLine);
  const amount = input.amount ?? itemsAmount(lines);
  return withoutExcess({
    lines,
    amount,
    initial_amount: input.initial_amount ?? initialAmount(amount, lines),
    discount_amount: input.discount_amount ?? 0,
    metadata: input.metadata ?? {},
  });
}

/** One line of {@link normaliseOrder}; also how a line that a discount creates comes into being. */
export function normaliseLine(input: OrderLineInput, index: number): OrderLine {
  const quantity = input.quantity ?? 1;
  const price = priceOf(input);
  const amount = amountOf(input, quantity, price);
  return {
    index,
    input,
    ...identityOf(input),
    product_metadata: {
      ...input.catalogue_product?.metadata,
      ...input.catalogue_sku?.metadata,
      ...input.product?.metadata,
      ...input.sku?.metadata,
    },
    metadata: input.metadata ?? {},
    quantity,
    price,
    amount,
    initial_quantity: input.initial_quantity ?? quantity,
    initial_amount: amount === undefined ? undefined : (input.initial_amount ?? amount),
    discount_amount: Math.min(input.discount_amount ?? 0, amount ?? 0),
    discount_quantity: input.discount_quantity ?? 0,
  };
}

/** Minor units for one unit: what the line says, then its SKU and product as sent, then the catalogue. */
function priceOf({ price, sku, product, catalogue_sku, catalogue_product }: OrderLineInput): number | undefined {
  return price ?? sku?.price ?? product?.price ?? catalogue_sku?.price ?? catalogue_product?.price ?? undefined;
}

/** A line without units is worth nothing, whatever amount came with it. */
function amountOf(input: OrderLineInput, quantity: number, price: number | undefined): number | undefined {
  const amount = input.amount ?? (price === undefined ? undefined : price * quantity);
  return quantity === 0 && amount !== undefined ? 0 : amount;
}

function itemsAmount(lines: readonly OrderLine[]): number | undefined {
  const priced = lines.filter((line) => line.amount !== undefined);
  return priced.length === 0 ? undefined : priced.reduce((sum, line) => sum + (line.amount as number), 0);
}

/**
 * An order's amount is the initial one and what redemptions added to its lines (discounts.md §3): of lines that are sent for
 * a stored order they may still hold some of that.
 */
function initialAmount(amount: number | undefined, lines: readonly OrderLine[]): number | undefined {
  if (amount === undefined) return undefined;
  let added = 0;
  for (const line of lines) added += (line.amount ?? 0) - (line.initial_amount ?? 0);
  return Math.min(Math.max(0, amount - added), Number.MAX_SAFE_INTEGER);
}

function identityOf(input: OrderLineInput) {
  const { related_object, catalogue_product, catalogue_sku, product, sku } = input;
  const named = input.source_id ?? null;
  return {
    product_id:
      catalogue_product?.id ?? input.product_id ?? product?.id ?? sku?.product_id ?? catalogue_sku?.product_id ?? null,
    product_source_id:
      sourceIdOf(product, catalogue_product) ??
      (related_object === "sku" ? null : named) ??
      eitherId(input.product_id, product, catalogue_product ?? catalogue_sku),
    sku_id: catalogue_sku?.id ?? input.sku_id ?? sku?.id ?? null,
    sku_source_id:
      sourceIdOf(sku, catalogue_sku) ??
      (related_object === "sku" ? named : null) ??
      eitherId(input.sku_id, sku, catalogue_sku),
  };
}

const sourceIdOf = (sent: ProductFacts | null | undefined, stored: ProductFacts | null | undefined) =>
  stored?.source_id ?? sent?.source_id ?? null;

/**
 * `product_id` and `sku_id` take an id of ours or the shop's (rules.md §17.1). Of what the catalogue does not know
 * nobody can tell which it is, so it stands for both. It is no source id where the catalogue has the thing, or where
 * the line shows its id beside, as those of a stored order do.
 */
const eitherId = (
  named: string | null | undefined,
  sent: ProductFacts | null | undefined,
  stored: ProductFacts | null | undefined,
) => (stored || sent?.id ? null : (named ?? null));

/**
 * An order whose items or amount were lowered since it was discounted may carry more discount than it
 * is worth. What no longer fits is dropped, from the last line on, so that no total goes below zero.
 */
export function withoutExcess(order: RunningOrder): RunningOrder {
  let rest = order.amount ?? 0;
  const lines = order.lines.map((line) => {
    const discount_amount = Math.min(line.discount_amount, rest);
    rest -= discount_amount;
    return discount_amount === line.discount_amount ? line : { ...line, discount_amount };
  });
  return { ...order, lines, discount_amount: Math.min(order.discount_amount, rest) };
}
