import { flooredPart, ratioOf, rounded, roundedPart } from "../money/ratio.js";
import { shareOut } from "../money/share.js";
import { type LinePart, linePart, type OrderPart, subtotal, totalAmount } from "../orders/part.js";
import { type CompiledDiscount, type Effect, minorUnits, moneyOf, percentOf } from "./compile.js";
import type { EffectContext, SelectedLine } from "./effect.js";
import { holdingBack, type LineLimits, lineLimits } from "./limits.js";
import { selectLines } from "./selection.js";
import type { AmountStep } from "./trace.js";

type Rate = AmountStep["rate"];

/** What a line would get if no limit held: a whole number of minor units, rounded once. */
interface Wish {
  readonly selected: SelectedLine;
  readonly wanted: number;
  readonly rate: Rate;
}

/** The lines of an item-level discount, in application order, with bundles and budgets counted in. */
export function selectForDiscount(discount: CompiledDiscount, effect: Effect, context: EffectContext): SelectedLine[] {
  const { order, applicable_to, taken_lines, selection, bundles } = context;
  const lines = taken_lines.size === 0 ? order.lines : order.lines.filter((line) => !taken_lines.has(line.index));
  // These effects value units, so bundles multiply the units; the others multiply the amount instead.
  const per_unit = effect === "APPLY_TO_ITEMS_BY_QUANTITY" || (discount.type === "FIXED" && effect === "APPLY_TO_ITEMS");
  const budgeted = per_unit || (discount.type === "PERCENT" && effect === "APPLY_TO_ITEMS");
  return selectLines(lines, applicable_to, {
    in_collection: selection.in_collection,
    budgetLeft: budgeted ? selection.budgetLeft : null,
    limit_factor: per_unit ? bundles : 1,
    default_quantity_limit: null,
  });
}

/**
 * Item-level AMOUNT, PERCENT and FIXED on selected lines (discounts.md §4, §5): a wish for each line,
 * granted within the limits. Also how a gift card pays for items (discounts.md §7).
 */
export function itemLevel(
  discount: CompiledDiscount,
  effect: Effect,
  selected: readonly SelectedLine[],
  context: EffectContext,
): OrderPart {
  const limits = lineLimits(discount, context.order);
  const wishes = wishesOf(discount, effect, selected, context);
  const lines = wishes.flatMap((wish) => granted(wish, limits, context));
  return { discount_amount: 0, lines: lines.sort((a, b) => a.index - b.index) };
}

function granted({ selected, wanted, rate }: Wish, limits: LineLimits, { trace }: EffectContext): LinePart[] {
  const { line, units } = selected;
  const holding = trace === null ? [] : holdingBack(limits.of(selected), wanted);
  const amount = limits.grant(selected, wanted);
  trace?.({
    line: line.index,
    base: subtotal(line),
    units: { discounted: units, of: line.quantity },
    rate,
    wanted,
    limits: holding,
    amount,
  });
  return amount === 0 ? [] : [linePart(line.index, { discount_amount: amount, discounted_units: units })];
}

function wishesOf(
  discount: CompiledDiscount,
  effect: Effect,
  selected: readonly SelectedLine[],
  context: EffectContext,
): Wish[] {
  if (effect.startsWith("APPLY_TO_ITEMS_PROPORTIONALLY")) return shares(discount, effect, selected, context);
  return selected.map((one) => {
    if (discount.type === "PERCENT") return percentWish(discount, one, context);
    if (discount.type === "FIXED") return priceWish(discount, one, context);
    return amountWish(discount, effect, one, context);
  });
}

/** The money and units that stand for a line's selected units: what is left of it, or its worth before any discount. */
function basis({ line, units }: SelectedLine, on_initial_amount: boolean): { money: number; part: number; whole: number } {
  if (!on_initial_amount) return { money: subtotal(line), part: units, whole: line.quantity };
  // Units that an earlier redeemable added are no part of the cart the customer came with.
  const whole = line.initial_quantity;
  if (whole === 0) return { money: 0, part: 0, whole: 1 };
  return { money: line.initial_amount ?? 0, part: Math.min(units, whole), whole };
}

function amountWish({ value }: CompiledDiscount, effect: Effect, selected: SelectedLine, context: EffectContext): Wish {
  const { line, units } = selected;
  const amount_off = moneyOf(value, context.operands(line)).value ?? 0;
  if (effect === "APPLY_TO_ITEMS_BY_QUANTITY") {
    // Per unit at most its price; the line's amount decides what a unit costs, since it wins over price × quantity.
    const worth = roundedPart(line.amount ?? 0, units, line.quantity);
    const wanted = Math.min(amount_off * units, worth);
    return { selected, wanted, rate: { kind: "amount", value: amount_off } };
  }
  const amount = amount_off * context.bundles;
  const wanted = Math.min(amount, flooredPart(subtotal(line), units, line.quantity));
  return { selected, wanted, rate: { kind: "amount", value: amount } };
}

function percentWish({ value }: CompiledDiscount, selected: SelectedLine, context: EffectContext): Wish {
  const { money, part, whole } = basis(selected, context.on_initial_amount);
  const percent = percentOf(value, context.operands(selected.line), context.bundles).value;
  const rate = { kind: "percent" as const, value: (100 * Number(percent.num)) / Number(percent.den) };
  return { selected, wanted: roundedPart(money, part, whole, percent), rate };
}

function priceWish(discount: CompiledDiscount, selected: SelectedLine, context: EffectContext): Wish {
  const { money, part, whole } = basis(selected, context.on_initial_amount);
  const price = newPrice(discount, selected, context);
  const worth = roundedPart(money, part, whole);
  const wanted = price === null ? 0 : Math.max(0, worth - price * part);
  return { selected, wanted, rate: { kind: "fixed", value: price ?? 0 } };
}

/** Minor units for one unit: the entry's own price, formula first, else the discount's. */
function newPrice({ value }: CompiledDiscount, { entry, line }: SelectedLine, context: EffectContext): number | null {
  const operands = context.operands(line);
  const computed = entry.price_formula?.evaluate(operands) ?? null;
  if (computed !== null) return minorUnits(computed);
  return entry.price === null ? moneyOf(value, operands).value : rounded(ratioOf(entry.price));
}

/** One amount shared out over the lines, by what they are worth or by their discountable units. */
function shares(
  discount: CompiledDiscount,
  effect: Effect,
  selected: readonly SelectedLine[],
  context: EffectContext,
): Wish[] {
  const amount_off = (moneyOf(discount.value, context.operands(null)).value ?? 0) * context.bundles;
  const worths = selected.map(({ line, units }) => flooredPart(subtotal(line), units, line.quantity));
  const by_quantity = effect === "APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY";
  // Limits on the sum lower what is shared out; applied to the shares they would spoil the proportions.
  const total = Math.min(
    amount_off,
    discount.aggregated_amount_limit ?? Number.POSITIVE_INFINITY,
    totalAmount(context.order),
    worths.reduce((sum, worth) => sum + worth, 0),
  );
  const weights = by_quantity ? selected.map(({ units }) => units) : worths;
  const given = shareOut(total, weights, worths);
  return selected.map((one, i) => ({
    selected: one,
    wanted: given[i] as number,
    rate: { kind: "share", value: total },
  }));
}
