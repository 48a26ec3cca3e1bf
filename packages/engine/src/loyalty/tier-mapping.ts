import { Decimal } from "decimal.js";
import { floored, raised, ratioOf, times } from "../money/ratio.js";

/** What a tier makes of the points of a rule, or of a price (loyalty.md §4.4, §9.3). */
export type PointsMapping = { type: "MULTIPLY"; multiplier: number } | { type: "CUSTOM"; points: number };

/** Points times a multiplier, without binary fractions; a part of a point is not paid. */
export const multiplied = (points: number, multiplier: number): number =>
  floored(times(ratioOf(points), ratioOf(multiplier)));

/** The formula that pays as many times the points, for whoever reads it. */
export const multipliedFormula = (formula: string, multiplier: number): string =>
  `(${formula}) * ${new Decimal(multiplier).toFixed()}`;

/**
 * What a tier's members pay for a price; null where the reward is switched off for them: a price below one. Unlike points that
 * are paid, a price is never rounded in favour of nothing: a part of a point costs a point.
 */
export function mappedPrice(price: number, mapping: PointsMapping | undefined): number | null {
  if (!mapping) return price;
  const mapped =
    mapping.type === "CUSTOM" ? mapping.points : raised(times(ratioOf(price), ratioOf(mapping.multiplier)));
  return mapped >= 1 ? mapped : null;
}

/** The points that paying with points takes for its worth; a price of one's own is not offered there. Null: switched off. */
export function mappedRatio(points_ratio: number, mapping: PointsMapping | undefined): number | null {
  if (mapping?.type !== "MULTIPLY") return points_ratio;
  return mapping.multiplier > 0 ? new Decimal(points_ratio).times(mapping.multiplier).toNumber() : null;
}
