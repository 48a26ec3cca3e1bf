import type { Discount } from "../facts.js";
import { percentage } from "../money/ratio.js";
import { NOTHING, type OrderPart } from "../orders/part.js";
import { type CompiledDiscount, type Effect, effectInForce, moneyOf, percentOf, unitsOff } from "./compile.js";
import type { EffectContext, SelectedLine, UnitObject } from "./effect.js";
import type { FormulaOperands } from "./formula.contract.js";
import { itemLevel } from "./items.js";
import { orderLevel } from "./order-level.js";
import { replaceUnits } from "./replacement.js";
import { unitLevel } from "./units.js";

/** The discount as it counted: effect in force, formulas replaced by what they gave (discounts.md §3, `result`). */
export type DiscountInForce = Discount & { effect: Effect; is_dynamic: boolean } & Partial<UnitObject>;

/**
 * Computes a discount on a running order. An order without any price, or without lines, simply gets
 * nothing. `selected` are the lines that {@link selectForDiscount} found for item-level effects.
 */
export function applyDiscount(
  discount: CompiledDiscount,
  selected: readonly SelectedLine[],
  context: EffectContext,
): OrderPart {
  const effect = effectInForce(discount, context.applicable_to);
  if (effect === "REPLACE_ITEMS") return replaceUnits(discount, context);
  if (discount.type === "UNIT") return unitLevel(discount, context);
  if (context.order.amount === undefined) return NOTHING;
  return effect === "APPLY_TO_ORDER" ? orderLevel(discount, context) : itemLevel(discount, effect, selected, context);
}

/** What {@link applyDiscount} used, for the answer. `operands` are those without a line. */
export function discountInForce(
  compiled: CompiledDiscount,
  { applicable_to, unit_objects }: Pick<EffectContext, "applicable_to" | "unit_objects">,
  operands: () => FormulaOperands,
): DiscountInForce {
  const { discount, type, value } = compiled;
  const effect = effectInForce(compiled, applicable_to);
  if (type === "UNIT") return unitsInForce(compiled, effect, unit_objects, operands);
  if (value.formula === null) return { ...discount, effect, is_dynamic: false };
  // A formula that reads the line has one value per line; the static field stands for them all.
  if (value.formula.reads_line && isPerLine(effect)) return { ...discount, effect, is_dynamic: true };
  const resolved = type === "PERCENT" ? percentOf(value, operands, 1) : moneyOf(value, operands);
  if (!resolved.computed) return { ...discount, effect, is_dynamic: false };
  const computed =
    typeof resolved.value === "object" && resolved.value !== null ? percentage(resolved.value) : resolved.value;
  return { ...discount, effect, [FIELDS[type]]: computed, is_dynamic: true };
}

/** Effects with a value for each line; the others share one out, or take it off the order. */
const isPerLine = (effect: Effect) => effect === "APPLY_TO_ITEMS" || effect === "APPLY_TO_ITEMS_BY_QUANTITY";

const FIELDS = { AMOUNT: "amount_off", PERCENT: "percent_off", FIXED: "fixed_amount" } as const;

function unitsInForce(
  { discount, units }: CompiledDiscount,
  effect: Effect,
  unit_objects: EffectContext["unit_objects"],
  operands: () => FormulaOperands,
): DiscountInForce {
  const given = units.map(({ listed, unit_off, unit_type }) => {
    const { value, computed } = unitsOff(unit_off, operands);
    return { computed, shown: { ...listed, unit_off: value, ...unit_objects.get(unit_type) } };
  });
  const is_dynamic = given.some(({ computed }) => computed);
  if (effect === "ADD_MANY_ITEMS") return { ...discount, effect, units: given.map(({ shown }) => shown), is_dynamic };
  return { ...discount, ...given[0]?.shown, effect, is_dynamic };
}
