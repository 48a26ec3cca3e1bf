import { roundedPart } from "../money/ratio.js";
import { normaliseLine } from "../orders/normalise.js";
import type { OrderLine, OrderLineInput, RunningOrder } from "../orders/order.js";
import {
  addParts,
  applyPart,
  type LinePart,
  linePart,
  NOTHING,
  type OrderPart,
  subtotal,
  totalAmount,
} from "../orders/part.js";
import { type CompiledDiscount, type CompiledUnit, type Effect, unitsOff } from "./compile.js";
import type { EffectContext, UnitObject } from "./effect.js";

/** UNIT discounts but replacement: units given free, in list order (discounts.md §6). */
export function unitLevel(discount: CompiledDiscount, context: EffectContext): OrderPart {
  let order = context.order;
  let all = NOTHING;
  for (const unit of discount.units) {
    const given = unitsOff(unit.unit_off, () => context.operands(null)).value * context.bundles;
    const part = giveUnits(order, unit, unit.effect, given, context);
    order = applyPart(order, part);
    all = addParts(all, part);
  }
  return all;
}

/** Adds what the effect asks for to the first line of the unit, then takes the price off `given` units in line order. */
function giveUnits(
  order: RunningOrder,
  { unit_type }: CompiledUnit,
  effect: Effect,
  given: number,
  { unit_objects, taken_lines, trace }: EffectContext,
): OrderPart {
  if (given === 0) return NOTHING;
  const object = unit_objects.get(unit_type) ?? { product: { id: unit_type }, sku: null };
  const lines = order.lines.filter((line) => isUnit(line, object));
  if (lines.some((line) => taken_lines.has(line.index))) return NOTHING;
  const in_cart = lines.reduce((sum, line) => sum + line.quantity, 0);
  const first = lines[0] ?? newLine(object, order.lines.length);
  const wanted_units = effect === "ADD_NEW_ITEMS" ? given : Math.max(0, given - in_cart);
  const added = Math.min(wanted_units, roomFor(order, first));
  const addition = additionTo(first, added, lines.length === 0);
  const after = applyPart(order, { discount_amount: 0, lines: addition });
  const of_unit = lines.length === 0 ? [first] : lines;
  const touched = of_unit.map((line) => after.lines[line.index] as OrderLine);
  const freed = freeUnits(touched, given, totalAmount(after));
  for (const { index, discount_amount, discount_quantity } of freed) {
    const line = after.lines[index] as OrderLine;
    const units = { discounted: discount_quantity, of: line.quantity };
    const wanted = worthOf(line, discount_quantity);
    const rate = { kind: "units" as const, value: given };
    const base = line.amount ?? 0;
    trace?.({ line: index, base, units, rate, exact: String(wanted), wanted, limits: [], amount: discount_amount });
  }
  return addParts({ discount_amount: 0, lines: addition }, { discount_amount: 0, lines: freed });
}

/** The line names the unit itself: for a product not one of its SKUs, for a SKU no other one. */
export function isUnit(line: OrderLine, { product, sku }: UnitObject): boolean {
  if (sku !== null) return matches(line.sku_id, sku.id) || matches(line.sku_source_id, sku.source_id);
  if ((line.sku_id ?? line.sku_source_id) !== null) return false;
  return matches(line.product_id, product?.id) || matches(line.product_source_id, product?.source_id);
}

const matches = (found: string | null, wanted: string | null | undefined) => wanted != null && found === wanted;

/** A line for the unit, still without units; its price is the catalogue's. */
export function newLine({ product, sku }: UnitObject, index: number): OrderLine {
  const input: OrderLineInput = {
    product_id: product?.id ?? sku?.product_id ?? null,
    sku_id: sku?.id ?? null,
    catalogue_product: product,
    catalogue_sku: sku,
    quantity: 0,
  };
  return normaliseLine(input, index);
}

/** The change that puts units onto a line, at the line's own price. */
export function additionTo(line: OrderLine, units: number, is_new: boolean): LinePart[] {
  if (units === 0) return [];
  const created = is_new ? { created: line.input } : {};
  return [linePart(line.index, { quantity: units, quantity_amount: worthOf(line, units), ...created })];
}

/** A formula may ask for any number of units; the order's amount must stay exact. */
function roomFor(order: RunningOrder, line: OrderLine): number {
  const worth = Math.max(1, worthOf(line, 1));
  return Math.floor((Number.MAX_SAFE_INTEGER - Math.max(order.amount ?? 0, line.quantity)) / worth);
}

/** Minor units that some units of a line cost. */
export function worthOf(line: OrderLine, units: number): number {
  if (line.price !== undefined) return line.price * units;
  return line.amount === undefined || line.quantity === 0 ? 0 : roundedPart(line.amount, units, line.quantity);
}

/** Units already free are not given a second time, so a repeated gift of the same unit has no effect. */
function freeUnits(lines: readonly OrderLine[], given: number, total: number): LinePart[] {
  let wanted = given;
  let left = total;
  return lines.flatMap((line) => {
    const units = Math.min(wanted, Math.max(0, line.quantity - line.discount_quantity));
    if (units === 0) return [];
    const amount = Math.min(worthOf(line, units), subtotal(line), left);
    wanted -= units;
    left -= amount;
    return [linePart(line.index, { discount_amount: amount, discounted_units: units, discount_quantity: units })];
  });
}
