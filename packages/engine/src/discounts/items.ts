import {
  decimalText,
  flooredPart,
  partOf,
  percentage,
  type Ratio,
  ratioOf,
  rounded,
  roundedPart,
} from "../money/ratio.js";
import { shareOut } from "../money/share.js";
import { type LinePart, linePart, type OrderPart, subtotal, totalAmount } from "../orders/part.js";
import { type CompiledDiscount, type Effect, minorUnits, moneyOf, percentOf, perLine, type Value } from "./compile.js";
import type { EffectContext, SelectedLine } from "./effect.js";
import { holdingBack, type LineLimits, lineLimits } from "./limits.js";
import { selectLines } from "./selection.js";
import type { AmountStep } from "./trace.js";

/** The money and units that stand for a line's selected units; `money × part ÷ whole` is what they are worth. */
interface Basis {
  readonly money: number;
  readonly part: number;
  readonly whole: number;
}

/** What a line would get if no limit held: a whole number of minor units, rounded once. */
interface Wish {
  readonly selected: SelectedLine;
  readonly basis: Basis;
  readonly rate: AmountStep["rate"];
  readonly wanted: number;
  /** Before rounding; only worked out for an explanation. */
  readonly exact?: () => Ratio;
}

/** The lines of an item-level discount, in application order, with bundles and budgets counted in. */
export function selectForDiscount(discount: CompiledDiscount, effect: Effect, context: EffectContext): SelectedLine[] {
  const { order, applicable_to, taken_lines, selection, bundles } = context;
  const lines = taken_lines.size === 0 ? order.lines : order.lines.filter((line) => !taken_lines.has(line.index));
  // These effects value units, so bundles multiply the units; the others multiply the amount instead.
  const per_unit =
    effect === "APPLY_TO_ITEMS_BY_QUANTITY" || (discount.type === "FIXED" && effect === "APPLY_TO_ITEMS");
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

function granted(wish: Wish, limits: LineLimits, { trace }: EffectContext): LinePart[] {
  const { selected, wanted } = wish;
  const { line, units } = selected;
  const holding = trace === null ? [] : holdingBack(limits.of(selected), wanted);
  const amount = limits.grant(selected, wanted);
  trace?.({
    line: line.index,
    base: wish.basis.money,
    units: { discounted: wish.basis.part, of: wish.basis.whole },
    rate: wish.rate,
    exact: wish.exact === undefined ? String(wanted) : decimalText(wish.exact()),
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
  if (discount.type === "PERCENT") return selected.map(percentWish(discount.value, context));
  if (discount.type === "FIXED") return selected.map(priceWish(discount.value, context));
  return selected.map(amountWish(discount.value, effect, context));
}

const runningBasis = ({ line, units }: SelectedLine): Basis => {
  return { money: subtotal(line), part: units, whole: line.quantity };
};

/** What the units were worth before any discount; units that an earlier redeemable added were not there then. */
function initialBasis({ line, units }: SelectedLine): Basis {
  const whole = line.initial_quantity;
  if (whole === 0) return { money: 0, part: 0, whole: 1 };
  return { money: line.initial_amount ?? 0, part: Math.min(units, whole), whole };
}

type WishOf = (selected: SelectedLine) => Wish;

function amountWish(value: Value, effect: Effect, { operands, bundles }: EffectContext): WishOf {
  const amountOff = perLine(value, (line) => moneyOf(value, () => operands(line)).value ?? 0);
  if (effect === "APPLY_TO_ITEMS_BY_QUANTITY") {
    return (selected) => {
      const { line, units } = selected;
      const amount_off = amountOff(line);
      // Per unit at most its price; the line's amount decides what a unit costs, since it wins over price × quantity.
      const basis = { money: line.amount ?? 0, part: units, whole: line.quantity };
      const wanted = Math.min(amount_off * units, roundedPart(basis.money, units, basis.whole));
      return { selected, basis, wanted, rate: { kind: "amount", value: amount_off } };
    };
  }
  return (selected) => {
    const basis = runningBasis(selected);
    const amount = amountOff(selected.line) * bundles;
    const wanted = Math.min(amount, flooredPart(basis.money, basis.part, basis.whole));
    return { selected, basis, wanted, rate: { kind: "amount", value: amount } };
  };
}

function percentWish(value: Value, { operands, bundles, on_initial_amount }: EffectContext): WishOf {
  const basisOf = on_initial_amount ? initialBasis : runningBasis;
  const percentOff = perLine(value, (line) => {
    const { value: percent } = percentOf(value, () => operands(line), bundles);
    return { percent, rate: { kind: "percent" as const, value: percentage(percent) } };
  });
  return (selected) => {
    const basis = basisOf(selected);
    const { money, part, whole } = basis;
    const { percent, rate } = percentOff(selected.line);
    const exact = () => partOf(money, part, whole, percent);
    return { selected, basis, rate, wanted: roundedPart(money, part, whole, percent), exact };
  };
}

function priceWish(value: Value, { operands, on_initial_amount }: EffectContext): WishOf {
  const basisOf = on_initial_amount ? initialBasis : runningBasis;
  const fixedAmount = perLine(value, (line) => moneyOf(value, () => operands(line)).value);
  // The entry's own price, formula first, before the discount's.
  const newPrice = ({ entry, line }: SelectedLine) => {
    const computed = entry.price_formula?.evaluate(operands(line)) ?? null;
    if (computed !== null) return minorUnits(computed);
    return entry.price === null ? fixedAmount(line) : rounded(ratioOf(entry.price));
  };
  return (selected) => {
    const basis = basisOf(selected);
    const price = newPrice(selected);
    const worth = roundedPart(basis.money, basis.part, basis.whole);
    const wanted = price === null ? 0 : Math.max(0, worth - price * basis.part);
    return { selected, basis, wanted, rate: { kind: "fixed", value: price ?? 0 } };
  };
}

/** One amount shared out over the lines, by what they are worth or by their discountable units. */
function shares(
  discount: CompiledDiscount,
  effect: Effect,
  selected: readonly SelectedLine[],
  context: EffectContext,
): Wish[] {
  const amount_off = (moneyOf(discount.value, () => context.operands(null)).value ?? 0) * context.bundles;
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
  const whole = Math.max(
    1,
    weights.reduce((sum, weight) => sum + weight, 0),
  );
  return selected.map((one, i) => ({
    selected: one,
    basis: runningBasis(one),
    rate: { kind: "share", value: total },
    wanted: given[i] as number,
    exact: () => partOf(total, weights[i] as number, whole),
  }));
}
