import type { Decimal } from "decimal.js";
import type { CustomerFacts, Instant } from "../facts.js";
import { type EarningOperands, parseFormula } from "../formulas/index.js";
import { Exact } from "../formulas/values.js";
import type { OrderLine, RunningOrder } from "../orders/order.js";
import { subtotal, totalAmount } from "../orders/part.js";
import { NamedItems } from "../rules/named-items.js";
import { readProperty, workOfPath } from "../rules/properties.js";
import type { Work } from "../work.js";
import type { PointsMapping } from "./tier-mapping.js";

/** What the points of an earning rule are in proportion to (loyalty.md §4.3). */
export type PointsCalculation =
  | "FIXED"
  | "ORDER_AMOUNT"
  | "ORDER_TOTAL_AMOUNT"
  | "ORDER_METADATA"
  | "ORDER_ITEMS_QUANTITY"
  | "ORDER_ITEMS_AMOUNT"
  | "ORDER_ITEMS_SUBTOTAL_AMOUNT"
  | "CUSTOMER_METADATA"
  | "CUSTOM_EVENT_METADATA";

export interface PointsSource {
  calculation: PointsCalculation;
  /** For each whole step of `every`, or once where they are fixed. */
  points: number;
  /** Takes the place of `points` where it comes to a number. */
  points_formula: string | null;
  /** Minor units, units, or whatever the property counts; 1 at least. */
  every: number;
  /** Of the metadata that is looked at; null where none is. */
  property: string | null;
  /** The lines that count, where lines do. */
  items: readonly { object: "product" | "sku" | "products_collection"; id: string }[];
}

/** Who and what earns. */
export interface EarningSituation {
  instant: Instant;
  time_zone: string;
  customer: CustomerFacts | null;
  /** As it was paid, with the discounts it had by then. */
  order: RunningOrder | null;
  event_metadata: Readonly<Record<string, unknown>> | null;
  in_collection(collection_id: string, line: OrderLine): boolean;
  work?: Work;
}

/** Points that a rule pays in a situation: whole, from 0 to 2^53 - 1. */
export type CompiledPoints = (situation: EarningSituation, mapping: PointsMapping | null) => number;

type Operands = ReturnType<typeof operandsOf>;

/** Parses what a rule pays once, its formula included (loyalty.md §4.3). */
export function compilePoints(source: PointsSource): CompiledPoints {
  const stepsIn = stepsReader(source);
  const parsed = source.points_formula === null ? null : parseFormula(source.points_formula);
  const formula = parsed && "formula" in parsed ? parsed.formula : null;
  const pointsOf = (operands: Operands): Decimal => formula?.evaluate(operands) ?? new Exact(source.points);

  return (situation, mapping) => {
    const steps = stepsIn(situation);
    if (steps === null || steps.lt(1)) return 0;
    if (mapping?.type === "CUSTOM") return whole(steps.times(mapping.points));
    const points = steps.times(pointsOf(operandsOf(situation)));
    return whole(mapping ? points.times(mapping.multiplier) : points);
  };
}

/** What is wrong with a formula before it is stored; null when nothing is. */
export function checkPointsFormula(text: string): string | null {
  const parsed = parseFormula(text);
  return "fault" in parsed ? parsed.fault.problem : null;
}

// At the very end, so that two and a half points a step for four steps are ten. What JSON cannot hold exactly is cut.
function whole(points: Decimal): number {
  if (!points.isFinite() || points.lt(1)) return 0;
  return Exact.min(points.floor(), Number.MAX_SAFE_INTEGER).toNumber();
}

/** How many whole steps there are; sums first, and divides once. Null where there is no number. */
function stepsReader(source: PointsSource): (situation: EarningSituation) => Decimal | null {
  const { calculation, every, property } = source;
  if (calculation === "FIXED") return () => new Exact(1);
  const steps = (value: unknown): Decimal | null =>
    typeof value === "number" && Number.isFinite(value) && value > 0 ? new Exact(value).div(every).floor() : null;
  const ofMetadata =
    (metadataOf: (situation: EarningSituation) => unknown) =>
    (situation: EarningSituation): Decimal | null => {
      if (property === null) return null;
      situation.work?.spend(workOfPath(property));
      return steps(readProperty(metadataOf(situation), property));
    };
  switch (calculation) {
    case "ORDER_AMOUNT":
      return ({ order }) => steps(order?.amount);
    case "ORDER_TOTAL_AMOUNT":
      return ({ order }) => steps(order && totalAmount(order));
    case "ORDER_METADATA":
      return ofMetadata(({ order }) => order?.metadata);
    case "CUSTOMER_METADATA":
      return ofMetadata(({ customer }) => customer?.metadata);
    case "CUSTOM_EVENT_METADATA":
      return ofMetadata(({ event_metadata }) => event_metadata);
    default:
      return linesReader(source, calculation, steps);
  }
}

const line_values = {
  // Units that were given for nothing do not count.
  ORDER_ITEMS_QUANTITY: (line: OrderLine) => line.quantity - line.discount_quantity,
  ORDER_ITEMS_AMOUNT: (line: OrderLine) => line.amount ?? 0,
  ORDER_ITEMS_SUBTOTAL_AMOUNT: subtotal,
};

function linesReader(
  { items }: PointsSource,
  calculation: keyof typeof line_values,
  steps: (value: number) => Decimal | null,
) {
  const countOf = line_values[calculation];
  // An id may be the shop's own, as in rules.
  const named = new NamedItems(items.map(({ object, id }) => ({ object, id, source_id: id, strict: false })));
  return ({ order, in_collection, work }: EarningSituation): Decimal | null => {
    let sum = 0;
    for (const line of order?.lines ?? []) if (named.names(line, in_collection, work)) sum += countOf(line);
    return steps(sum);
  };
}

/** What has to do with redeeming something is not there when something is earned (discounts.md §10). */
function operandsOf({ instant, time_zone, customer, order, event_metadata, work }: EarningSituation) {
  const operands: EarningOperands = {
    instant,
    time_zone,
    customer,
    order,
    event_metadata,
    line: null,
    redeemable_metadata: {},
    redemption_metadata: {},
    publication_metadata: {},
    voucher: null,
    promotion_tier: null,
    bundle_quantity: null,
    ...(work ? { work } : {}),
  };
  return operands;
}
