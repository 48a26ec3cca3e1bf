import type { OrderLine, RunningOrder } from "../orders/order.js";
import { addParts, applyPart, linePart, NOTHING, type OrderPart, subtotal, totalAmount } from "../orders/part.js";
import { type CompiledDiscount, unitsOff } from "./compile.js";
import type { EffectContext, SelectedLine, UnitObject } from "./effect.js";
import { selectLines } from "./selection.js";
import { additionTo, isUnit, newLine, worthOf } from "./units.js";

/**
 * REPLACE_ITEMS (discounts.md §6.4): units of the selected lines go, `unit_off` units of `unit_type`
 * come for each. A dearer target costs no more than what it replaces; a cheaper one lowers the order.
 */
export function replaceUnits(discount: CompiledDiscount, context: EffectContext): OrderPart {
  const [unit] = discount.units;
  const per_unit = unit === undefined ? 0 : unitsOff(unit.unit_off, () => context.operands(null)).value;
  if (unit === undefined || per_unit === 0) return NOTHING;
  const object = context.unit_objects.get(unit.unit_type) ?? { product: { id: unit.unit_type }, sku: null };
  let order = context.order;
  let all = NOTHING;
  for (const { line, units } of sources(object, context)) {
    const part = replaceLine(order, order.lines[line.index] as OrderLine, units, per_unit, object);
    order = applyPart(order, part);
    all = addParts(all, part);
  }
  return all;
}

/** Lines whose units may go; what already is the target stays. One unit of each line unless limits say otherwise. */
function sources(object: UnitObject, context: EffectContext): SelectedLine[] {
  const { order, applicable_to, taken_lines, selection, bundles } = context;
  const lines = order.lines.filter((line) => !taken_lines.has(line.index) && !isUnit(line, object));
  return selectLines(lines, applicable_to, {
    in_collection: selection.in_collection,
    budgetLeft: null,
    limit_factor: bundles,
    default_quantity_limit: 1,
  });
}

function replaceLine(
  order: RunningOrder,
  source: OrderLine,
  units: number,
  per_unit: number,
  object: UnitObject,
): OrderPart {
  const existing = order.lines.find((line) => isUnit(line, object));
  const target = existing ?? newLine(object, order.lines.length);
  // What is worth nothing known cannot stand in for something with a price.
  if (target.amount === undefined) return NOTHING;
  const replaced = mostReplaceable(order, source, units, worthOf(target, per_unit));
  if (replaced === 0) return NOTHING;
  const gone = worthOf(source, replaced);
  const [addition] = additionTo(target, replaced * per_unit, existing === undefined);
  if (addition === undefined) return NOTHING;
  const discount_amount = Math.max(0, addition.quantity_amount - gone);
  const replacement = {
    source_index: source.index,
    source_applied_quantity: -replaced,
    source_applied_quantity_amount: -gone,
    target_index: target.index,
    target_applied_quantity: addition.quantity,
    target_applied_quantity_amount: addition.quantity_amount,
    target_applied_discount_amount: discount_amount,
  };
  const leaving = linePart(source.index, {
    quantity: -replaced,
    quantity_amount: -gone,
    replacements: [replacement],
  });
  const lines = [leaving, { ...addition, discount_amount }].sort((a, b) => a.index - b.index);
  return { discount_amount: 0, lines };
}

/** A replaced unit must not leave the line, or the order, worth less than the discounts they already carry. */
function mostReplaceable(order: RunningOrder, source: OrderLine, units: number, target_worth: number): number {
  const worth = worthOf(source, 1);
  const by_line = worth === 0 ? units : Math.floor(subtotal(source) / worth);
  const loss = worth - target_worth;
  const by_order = loss <= 0 ? units : Math.floor(totalAmount(order) / loss);
  return Math.min(units, by_line, by_order);
}
