import {
  decimalOf,
  decimalText,
  flooredPart,
  partAbove,
  partOf,
  percentage,
  ratioOf,
  roundedAbove,
  roundedPart,
} from "../money/ratio.js";
import { shareOut, uncapped } from "../money/share.js";
import { type LinePart, linePart, type OrderPart, subtotal } from "../orders/part.js";
import {
  type CompiledDiscount,
  type Effect,
  minorUnits,
  moneyOf,
  percentOf,
  perLine,
  priceOf,
  type Value,
} from "./compile.js";
import type { EffectContext, SelectedLine } from "./effect.js";
import { type LineLimits, lineLimits } from "./limits.js";
import { selectLines } from "./selection.js";
import { type AmountStep, type How, sourceOf } from "./trace.js";

/** The money and units that stand for a line's selected units; `money × part ÷ whole` is what they are worth. */
interface Basis {
  readonly money: number;
  readonly part: number;
  readonly whole: number;
  readonly base_mode: AmountStep["base_mode"];
}

/** What a line would get if no limit held: a whole number of minor units, rounded once. */
interface Wish {
  readonly selected: SelectedLine;
  readonly basis: Basis;
  readonly wanted: number;
  /** Null where no explanation is wanted. */
  readonly how: How | null;
}

/** The lines of an item-level discount, in application order, with bundles and budgets counted in. */
export function selectForDiscount(discount: CompiledDiscount, effect: Effect, context: EffectContext): SelectedLine[] {
  const { order, applicable_to, taken_lines, selection, bundles } = context;
  // These effects value units, so bundles multiply the units; the others multiply the amount instead.
  const per_unit =
    effect === "APPLY_TO_ITEMS_BY_QUANTITY" || (discount.type === "FIXED" && effect === "APPLY_TO_ITEMS");
  const budgeted = per_unit || (discount.type === "PERCENT" && effect === "APPLY_TO_ITEMS");
  return selectLines(order.lines, applicable_to, {
    in_collection: selection.in_collection,
    taken_lines,
    work: context.work,
    budgetLeft: budgeted ? selection.budgetLeft : null,
    limit_factor: per_unit ? bundles : 1,
    default_quantity_limit: null,
    // Other effects only list the lines that the rule names.
    trace: effect.startsWith("APPLY_TO_ITEMS") ? context.trace : null,
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

function granted({ selected, basis, wanted, how }: Wish, limits: LineLimits, { trace }: EffectContext): LinePart[] {
  const { line, units } = selected;
  // Asked before anything is granted, since granting uses the limits up.
  const held = trace === null ? null : limits.holdingBack(selected, wanted);
  const amount = limits.grant(selected, wanted);
  if (trace !== null && how !== null && held !== null) {
    const of_units = { discounted: basis.part, of: basis.whole };
    const { money: base, base_mode } = basis;
    trace.amount({ line: line.index, base, base_mode, units: of_units, ...how, wanted, limits: held, amount });
  }
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

const runningBasis = ({ line, units }: SelectedLine): Basis => ({
  money: subtotal(line),
  part: units,
  whole: line.quantity,
  base_mode: "DISCOUNTED_AMOUNT",
});

/** What the units were worth before any discount; units that an earlier redeemable added were not there then. */
function initialBasis({ line, units }: SelectedLine): Basis {
  const whole = line.initial_quantity;
  if (whole === 0) return { money: 0, part: 0, whole: 1, base_mode: "INITIAL_AMOUNT" };
  const part = Math.min(units, whole);
  return { money: line.initial_amount ?? 0, part, whole, base_mode: "INITIAL_AMOUNT" };
}

type WishOf = (selected: SelectedLine) => Wish;

function amountWish(value: Value, effect: Effect, { operands, bundles, trace }: EffectContext): WishOf {
  const by_quantity = effect === "APPLY_TO_ITEMS_BY_QUANTITY";
  // Bundles multiply the units of an amount off each unit, and any other amount itself.
  const factor = by_quantity ? 1 : bundles;
  const amountOff = perLine(value, (line) => moneyOf(value, () => operands(line)));
  return (selected) => {
    const { value: amount_off, computed } = amountOff(selected.line);
    const amount = (amount_off ?? 0) * factor;
    const basis = by_quantity ? unitBasis(selected) : runningBasis(selected);
    const wanted = by_quantity
      ? Math.min(amount * selected.units, roundedPart(basis.money, basis.part, basis.whole))
      : Math.min(amount, flooredPart(basis.money, basis.part, basis.whole));
    const how: How | null = trace && {
      rate: { kind: "amount", value: amount, bundles: factor, source: sourceOf(computed) },
      exact: String(wanted),
    };
    return { selected, basis, wanted, how };
  };
}

/** Each unit at its price; the line's amount decides what a unit costs, since it wins over price × quantity. */
const unitBasis = ({ line, units }: SelectedLine): Basis => ({
  money: line.amount ?? 0,
  part: units,
  whole: line.quantity,
  base_mode: "DISCOUNTED_AMOUNT",
});

function percentWish(value: Value, { operands, bundles, on_initial_amount, trace }: EffectContext): WishOf {
  const basisOf = on_initial_amount ? initialBasis : runningBasis;
  const percentOff = perLine(value, (line) => percentOf(value, () => operands(line), bundles));
  return (selected) => {
    const basis = basisOf(selected);
    const { money, part, whole } = basis;
    const { value: percent, computed } = percentOff(selected.line);
    const how: How | null = trace && {
      rate: { kind: "percent", value: percentage(percent), bundles, source: sourceOf(computed) },
      exact: decimalText(partOf(money, part, whole, percent)),
    };
    return { selected, basis, wanted: roundedPart(money, part, whole, percent), how };
  };
}

function priceWish(value: Value, { operands, on_initial_amount, trace }: EffectContext): WishOf {
  const basisOf = on_initial_amount ? initialBasis : runningBasis;
  const fixedAmount = perLine(value, (line) => priceOf(value, () => operands(line)));
  return (selected) => {
    const { entry, line } = selected;
    const basis = basisOf(selected);
    // The entry's own price, formula first, before the discount's.
    const computed = entry.price_formula?.evaluate(operands(line)) ?? null;
    const own = computed === null ? entry.price : minorUnits(computed);
    const fixed = own === null ? fixedAmount(line) : null;
    const price = own === null ? (fixed?.value ?? null) : ratioOf(own);
    const { money, part, whole } = basis;
    const wanted = price === null ? 0 : roundedAbove(price, money, part, whole);
    const how: How | null = trace && {
      rate: {
        kind: "fixed",
        value: price === null ? 0 : decimalOf(price),
        bundles: 1,
        source: fixed !== null ? sourceOf(fixed.computed) : computed === null ? "entry_price" : "entry_price_formula",
      },
      exact: price === null ? "0" : decimalText(partAbove(price, money, part, whole)),
    };
    return { selected, basis, wanted, how };
  };
}

/** One amount shared out over the lines, by what they are worth or by their discountable units. */
function shares(
  discount: CompiledDiscount,
  effect: Effect,
  selected: readonly SelectedLine[],
  { operands, bundles, trace }: EffectContext,
): Wish[] {
  const { value: amount_off, computed } = moneyOf(discount.value, () => operands(null));
  const amount = (amount_off ?? 0) * bundles;
  // A unit that could go to either of two lines goes to the earlier line, whichever is discounted first.
  const in_line_order = [...selected].sort((a, b) => a.line.index - b.line.index);
  const worths = in_line_order.map(({ line, units }) => flooredPart(subtotal(line), units, line.quantity));
  const total = Math.min(amount, sumOf(worths));
  const by_quantity = effect === "APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY";
  const weights = by_quantity ? in_line_order.map(({ units }) => units) : worths;
  const given = shareOut(total, weights, worths);
  const exactOf = trace && exactShares(total, weights, worths);
  const wishes = in_line_order.map((one, i): [SelectedLine, Wish] => {
    const how: How | null = exactOf && {
      rate: { kind: "share", value: total, bundles, source: sourceOf(computed) },
      exact: exactOf(i),
    };
    return [one, { selected: one, basis: runningBasis(one), wanted: given[i] as number, how }];
  });
  const wish_of = new Map(wishes);
  return selected.flatMap((one) => wish_of.get(one) ?? []);
}

/** What each would get in fractions of a minor unit. */
function exactShares(total: number, weights: readonly number[], worths: readonly number[]) {
  const { rest, open } = uncapped(total, weights, worths);
  const whole = sumOf(weights.map((weight, i) => (open.has(i) ? weight : 0)));
  return (i: number) => (open.has(i) ? decimalText(partOf(rest, weights[i] as number, whole)) : String(worths[i]));
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
