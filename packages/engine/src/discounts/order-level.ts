import {
  decimalOf,
  decimalText,
  partAbove,
  partOf,
  percentage,
  ratioOf,
  roundedAbove,
  roundedPart,
} from "../money/ratio.js";
import { type OrderPart, totalAmount } from "../orders/part.js";
import { type CompiledDiscount, moneyOf, percentOf, priceOf } from "./compile.js";
import type { EffectContext } from "./effect.js";
import { holdingBack } from "./limits.js";
import { type How, sourceOf } from "./trace.js";

/** AMOUNT, PERCENT and FIXED on the whole order (discounts.md §4). */
export function orderLevel(discount: CompiledDiscount, context: EffectContext): OrderPart {
  const total = totalAmount(context.order);
  // An AMOUNT has no base: it is the same in both calculation modes.
  const on_initial_amount = context.on_initial_amount && discount.type !== "AMOUNT";
  const base = on_initial_amount ? (context.order.initial_amount ?? 0) : total;
  const { wanted, how } = wish(discount, context, base);
  const amount_limit = discount.amount_limit ?? Number.POSITIVE_INFINITY;
  const aggregated_amount_limit = discount.aggregated_amount_limit ?? Number.POSITIVE_INFINITY;
  const amount = Math.min(wanted, amount_limit, aggregated_amount_limit, total);
  if (context.trace !== null && how !== null) {
    const limits = [
      { name: "amount_limit" as const, left: amount_limit },
      { name: "aggregated_amount_limit" as const, left: aggregated_amount_limit },
      { name: "total_amount" as const, left: total },
    ];
    const base_mode = on_initial_amount ? "INITIAL_AMOUNT" : "DISCOUNTED_AMOUNT";
    const held = holdingBack(limits, wanted);
    context.trace.amount({ line: null, base, base_mode, units: null, ...how, wanted, limits: held, amount });
  }
  return { discount_amount: amount, lines: [] };
}

interface Wish {
  readonly wanted: number;
  /** Null where no explanation is wanted. */
  readonly how: How | null;
}

function wish({ type, value }: CompiledDiscount, context: EffectContext, base: number): Wish {
  const { bundles, trace } = context;
  const operands = () => context.operands(null);
  if (type === "PERCENT") {
    const { value: percent, computed } = percentOf(value, operands, bundles);
    const how: How | null = trace && {
      rate: { kind: "percent", value: percentage(percent), bundles, source: sourceOf(computed) },
      exact: decimalText(partOf(base, 1, 1, percent)),
    };
    return { wanted: roundedPart(base, 1, 1, percent), how };
  }
  if (type === "FIXED") {
    const { value: target, computed } = priceOf(value, operands);
    // A target above the cart is no surcharge; without any target there is nothing to come down to.
    const price = target ?? ratioOf(base);
    const how: How | null = trace && {
      rate: { kind: "fixed", value: decimalOf(price), bundles: 1, source: sourceOf(computed) },
      exact: decimalText(partAbove(price, base, 1, 1)),
    };
    return { wanted: roundedAbove(price, base, 1, 1), how };
  }
  const { value: money, computed } = moneyOf(value, operands);
  const source = sourceOf(computed);
  const wanted = (money ?? 0) * bundles;
  return { wanted, how: trace && { rate: { kind: "amount", value: wanted, bundles, source }, exact: String(wanted) } };
}
