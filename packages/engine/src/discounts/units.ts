import { decimalText, flooredPart, partOf } from "../money/ratio.js";
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
  worthOf,
} from "../orders/part.js";
import { type CompiledDiscount, type CompiledUnit, type Resolved, unitsOff } from "./compile.js";
import type { EffectContext, UnitObject } from "./effect.js";
import { holdingBack } from "./limits.js";
import { LEFT_OUT } from "./selection.js";
import { type Rate, sourceOf } from "./trace.js";

/** What giving a unit costs beside the lines that are looked through for it. */
const work_of_unit = 20;

/** UNIT discounts but replacement: units given free, in list order (discounts.md §6). */
export function unitLevel(discount: CompiledDiscount, context: EffectContext): OrderPart {
  let order = context.order;
  let all = NOTHING;
  for (const unit of discount.units) {
    context.work?.spend(work_of_unit + order.lines.length);
    const part = giveUnits(
      order,
      unit,
      unitsOff(unit.unit_off, () => context.operands(null)),
      context,
    );
    order = applyPart(order, part);
    all = addParts(all, part);
  }
  return all;
}

/** Adds what the effect asks for to the first line of the unit, then takes the price off the units in line order. */
function giveUnits(
  order: RunningOrder,
  { unit_type, effect }: CompiledUnit,
  { value, computed }: Resolved<number>,
  context: EffectContext,
): OrderPart {
  const given = value * context.bundles;
  if (given === 0) return NOTHING;
  const object = context.unit_objects.get(unit_type) ?? { product: { id: unit_type }, sku: null };
  const lines = order.lines.filter((line) => isUnit(line, object));
  const open = lines.filter((line) => !isTaken(line, context));
  if (lines.length > 0 && open.length === 0) return NOTHING;
  const in_cart = lines.reduce((sum, line) => sum + line.quantity, 0);
  const first = open[0] ?? newLine(object, order.lines.length);
  const wanted_units = effect === "ADD_NEW_ITEMS" ? given : Math.max(0, given - in_cart);
  const added = Math.min(wanted_units, roomFor(order, first));
  const addition = additionTo(first, added, lines.length === 0);
  const after = applyPart(order, { discount_amount: 0, lines: addition });
  const of_unit = lines.length === 0 ? [first] : open;
  const touched = of_unit.map((line) => after.lines[line.index] ?? line);
  const freed = freeUnits(touched, given, totalAmount(after), context, sourceOf(computed));
  return addParts({ discount_amount: 0, lines: addition }, { discount_amount: 0, lines: freed });
}

/** Products mode ONCE leaves a line out that an earlier redeemable discounted. */
export function isTaken(line: OrderLine, { taken_lines, trace }: EffectContext): boolean {
  if (!taken_lines.has(line.index)) return false;
  trace?.line({ ...LEFT_OUT, line: line.index, left_out: "discounted_before" });
  return true;
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

/** How many units may be added: a formula may ask for any number, and amounts must stay exact. */
export function roomFor(order: RunningOrder, line: OrderLine): number {
  const of_lines = order.lines.reduce((sum, { amount }) => sum + (amount ?? 0), 0);
  const money = Number.MAX_SAFE_INTEGER - Math.max(order.amount ?? 0, of_lines);
  return Math.max(0, Math.min(Number.MAX_SAFE_INTEGER - line.quantity, unitsFor(line, money)));
}

/** How many units of a line cost no more than a sum of money. */
export function unitsFor(line: OrderLine, money: number): number {
  if (line.price !== undefined) return line.price === 0 ? Number.POSITIVE_INFINITY : Math.floor(money / line.price);
  return line.amount ? flooredPart(money, line.quantity, line.amount) : Number.POSITIVE_INFINITY;
}

/** Units already free are not given a second time, so a repeated gift of the same unit has no effect. */
function freeUnits(
  lines: readonly OrderLine[],
  given: number,
  total: number,
  { bundles, trace }: EffectContext,
  source: Rate["source"],
): LinePart[] {
  let wanted = given;
  let left = total;
  return lines.flatMap((line) => {
    const units = Math.min(wanted, Math.max(0, line.quantity - line.discount_quantity));
    if (units === 0) return [];
    const worth = worthOf(line, units);
    const amount = Math.min(worth, subtotal(line), left);
    trace?.amount({
      line: line.index,
      base: line.amount ?? 0,
      base_mode: "DISCOUNTED_AMOUNT",
      units: { discounted: units, of: line.quantity },
      rate: { kind: "units", value: given, bundles, source },
      exact: exactWorth(line, units),
      wanted: worth,
      limits: holdingBack(
        [
          { name: "subtotal_amount", left: subtotal(line) },
          { name: "total_amount", left },
        ],
        worth,
      ),
      amount,
    });
    wanted -= units;
    left -= amount;
    return [linePart(line.index, { discount_amount: amount, discounted_units: units, discount_quantity: units })];
  });
}

function exactWorth(line: OrderLine, units: number): string {
  if (line.price !== undefined || line.amount === undefined) return String(worthOf(line, units));
  return decimalText(partOf(line.amount, units, line.quantity));
}
