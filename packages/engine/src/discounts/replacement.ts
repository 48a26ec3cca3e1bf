import type { OrderLine, RunningOrder } from "../orders/order.js";
import {
  addParts,
  applyPart,
  linePart,
  NOTHING,
  type OrderPart,
  subtotal,
  totalAmount,
  worthOf,
} from "../orders/part.js";
import { type CompiledDiscount, unitsOff } from "./compile.js";
import type { EffectContext, UnitObject } from "./effect.js";
import { selectLines } from "./selection.js";
import { type Rate, sourceOf } from "./trace.js";
import { additionTo, isTaken, isUnit, newLine, roomFor, unitsFor } from "./units.js";

/**
 * REPLACE_ITEMS (discounts.md §6.4): units of the selected lines go, `unit_off` units of `unit_type`
 * come for each. A dearer target costs no more than what it replaces; a cheaper one lowers the order.
 */
export function replaceUnits(discount: CompiledDiscount, context: EffectContext): OrderPart {
  const [unit] = discount.units;
  if (unit === undefined) return NOTHING;
  const { value: per_unit, computed } = unitsOff(unit.unit_off, () => context.operands(null));
  if (per_unit === 0) return NOTHING;
  const source = sourceOf(computed);
  const object = context.unit_objects.get(unit.unit_type) ?? { product: { id: unit.unit_type }, sku: null };
  let order = context.order;
  let all = NOTHING;
  for (const { line, units } of sources(object, context)) {
    const part = replaceLine(order, order.lines[line.index] as OrderLine, units, { object, per_unit, source }, context);
    order = applyPart(order, part);
    all = addParts(all, part);
  }
  return all;
}

/** What comes for each unit that goes. */
interface Target {
  readonly object: UnitObject;
  readonly per_unit: number;
  readonly source: Rate["source"];
}

/** Lines whose units may go; what already is the target stays. One unit of each line unless limits say otherwise. */
function sources(object: UnitObject, { order, applicable_to, taken_lines, selection, bundles, trace }: EffectContext) {
  const lines = order.lines.filter((line) => !isUnit(line, object));
  return selectLines(lines, applicable_to, {
    in_collection: selection.in_collection,
    taken_lines,
    budgetLeft: null,
    limit_factor: bundles,
    default_quantity_limit: 1,
    trace,
  });
}

function replaceLine(
  order: RunningOrder,
  source: OrderLine,
  units: number,
  { object, per_unit, source: of_rate }: Target,
  context: EffectContext,
): OrderPart {
  const existing = order.lines.find((line) => isUnit(line, object));
  const target = existing ?? newLine(object, order.lines.length);
  // What is worth nothing known cannot stand in for something with a price.
  if (target.amount === undefined || isTaken(target, context)) return NOTHING;
  const replaced = mostReplaceable(order, source, units, target, per_unit);
  if (replaced === 0) return NOTHING;
  const [addition] = additionTo(target, replaced * per_unit, existing === undefined);
  if (addition === undefined) return NOTHING;
  const come = addition.quantity_amount;
  // Where no price is known, rounding may make several units worth more than as many single ones.
  const gone = Math.min(worthOf(source, replaced), subtotal(source), totalAmount(order) + come);
  const discount_amount = Math.max(0, come - gone);
  context.trace?.amount({
    line: target.index,
    base: come,
    base_mode: "DISCOUNTED_AMOUNT",
    units: { discounted: addition.quantity, of: target.quantity + addition.quantity },
    rate: { kind: "replacement", value: gone, bundles: context.bundles, source: of_rate },
    exact: String(discount_amount),
    wanted: discount_amount,
    limits: [],
    amount: discount_amount,
  });
  const replacement = {
    source_index: source.index,
    source_applied_quantity: -replaced,
    source_applied_quantity_amount: -gone,
    target_index: target.index,
    target_applied_quantity: addition.quantity,
    target_applied_quantity_amount: come,
    target_applied_discount_amount: discount_amount,
  };
  const leaving = linePart(source.index, { quantity: -replaced, quantity_amount: -gone, replacements: [replacement] });
  const lines = [leaving, { ...addition, discount_amount }].sort((a, b) => a.index - b.index);
  return { discount_amount: 0, lines };
}

/**
 * A replaced unit must not leave the line, or the order, worth less than the discounts they already
 * carry, nor the order worth more than can be computed exactly.
 */
function mostReplaceable(
  order: RunningOrder,
  source: OrderLine,
  units: number,
  target: OrderLine,
  per_unit: number,
): number {
  const loss = worthOf(source, 1) - worthOf(target, per_unit);
  const by_order = loss <= 0 ? units : Math.floor(totalAmount(order) / loss);
  const by_room = Math.floor(roomFor(order, target) / per_unit);
  return Math.max(0, Math.min(units, unitsFor(source, subtotal(source)), by_order, by_room));
}
