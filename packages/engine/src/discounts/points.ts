import { decimalText, floored, isZero, type Ratio, raised, ratioOf, rounded, times } from "../money/ratio.js";
import type { Trace } from "./trace.js";

/** What a pay-with-points reward says: `points_ratio` points are worth `exchange_ratio` major units. */
export interface CoinReward {
  readonly exchange_ratio: number;
  readonly points_ratio: number;
}

/** Points spent and the minor units they take off an order. */
export interface PointsPayment {
  readonly points: number;
  readonly discount_amount: number;
}

/**
 * Pays `total` minor units with points in full multiples of the ratio (discounts.md §7). The last
 * step that is begun is consumed whole: what it pays too much is lost.
 */
export function payWithPoints(
  requested: number,
  total: number,
  { exchange_ratio, points_ratio }: CoinReward,
  trace: Trace = null,
): PointsPayment {
  const per_step = times(ratioOf(exchange_ratio), { num: 100n, den: 1n });
  const points = ratioOf(points_ratio);
  if (total === 0 || isZero(per_step) || isZero(points)) return { points: 0, discount_amount: 0 };
  const affordable = floored({ num: BigInt(requested) * points.den, den: points.num });
  const needed = raised({ num: BigInt(total) * per_step.den, den: per_step.num });
  const steps: Ratio = { num: BigInt(Math.min(affordable, needed)), den: 1n };
  const spent = raised(times(steps, points));
  const worth = times(steps, per_step);
  const wanted = rounded(worth);
  const discount_amount = Math.min(wanted, total);
  trace?.amount({
    line: null,
    base: total,
    base_mode: "DISCOUNTED_AMOUNT",
    units: null,
    rate: { kind: "points", value: spent, bundles: 1, source: "static" },
    exact: decimalText(worth),
    wanted,
    limits: wanted > total ? [{ name: "total_amount", left: total }] : [],
    amount: discount_amount,
  });
  return { points: spent, discount_amount };
}
