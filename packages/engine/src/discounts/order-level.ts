import { decimalText, partOf, percentage, type Ratio, roundedPart } from "../money/ratio.js";
import { type OrderPart, totalAmount } from "../orders/part.js";
import { type CompiledDiscount, moneyOf, percentOf } from "./compile.js";
import type { EffectContext } from "./effect.js";
import { holdingBack, type LineLimit } from "./limits.js";
import type { AmountStep } from "./trace.js";

/** AMOUNT, PERCENT and FIXED on the whole order (discounts.md §4). */
export function orderLevel(discount: CompiledDiscount, context: EffectContext): OrderPart {
  const total = totalAmount(context.order);
  const base = context.on_initial_amount ? (context.order.initial_amount ?? 0) : total;
  const { wanted, rate, exact } = wish(discount, context, base);
  const limits: { name: LineLimit; left: number }[] = [
    { name: "amount_limit", left: discount.amount_limit ?? Number.POSITIVE_INFINITY },
    { name: "aggregated_amount_limit", left: discount.aggregated_amount_limit ?? Number.POSITIVE_INFINITY },
    { name: "total_amount", left: total },
  ];
  const amount = Math.min(wanted, ...limits.map(({ left }) => left));
  if (context.trace !== null) {
    const unrounded = exact === undefined ? String(wanted) : decimalText(exact());
    const held = holdingBack(limits, wanted);
    context.trace({ line: null, base, units: null, rate, exact: unrounded, wanted, limits: held, amount });
  }
  return { discount_amount: amount, lines: [] };
}

interface Wish {
  readonly wanted: number;
  readonly rate: AmountStep["rate"];
  readonly exact?: () => Ratio;
}

function wish({ type, value }: CompiledDiscount, context: EffectContext, base: number): Wish {
  const operands = () => context.operands(null);
  if (type === "PERCENT") {
    const percent = percentOf(value, operands, context.bundles).value;
    const rate = { kind: "percent" as const, value: percentage(percent) };
    return { wanted: roundedPart(base, 1, 1, percent), rate, exact: () => partOf(base, 1, 1, percent) };
  }
  const money = moneyOf(value, operands).value;
  if (type === "FIXED") {
    // A target above the cart is no surcharge; without any target there is nothing to come down to.
    return { wanted: Math.max(0, base - (money ?? base)), rate: { kind: "fixed", value: money ?? base } };
  }
  const amount = (money ?? 0) * context.bundles;
  return { wanted: amount, rate: { kind: "amount", value: amount } };
}
