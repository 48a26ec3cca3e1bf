import { checkPointsFormula, type PointsSource } from "@guerdon/engine";
import { type Problem, problems } from "../../../platform/http/problems.js";
import { points_max } from "../../vouchers/index.js";
import type { CalculationType, Loyalty, LoyaltyInput, LoyaltyUpdate } from "./loyalty.schemas.js";
import { type EventKind, kindOf } from "./triggers.js";

type Group = "order" | "order_items" | "customer" | "custom_event";

interface Calculation {
  /** Where its step stands. */
  group: Group;
  part: string;
  /** The events that it can be computed from (loyalty.md §4.2). */
  events: readonly EventKind[];
}

const calculations: Record<CalculationType, Calculation> = {
  ORDER_AMOUNT: { group: "order", part: "amount", events: ["order"] },
  ORDER_TOTAL_AMOUNT: { group: "order", part: "total_amount", events: ["order"] },
  ORDER_METADATA: { group: "order", part: "metadata", events: ["order"] },
  ORDER_ITEMS_QUANTITY: { group: "order_items", part: "quantity", events: ["order"] },
  ORDER_ITEMS_AMOUNT: { group: "order_items", part: "amount", events: ["order"] },
  ORDER_ITEMS_SUBTOTAL_AMOUNT: { group: "order_items", part: "subtotal_amount", events: ["order"] },
  CUSTOMER_METADATA: { group: "customer", part: "metadata", events: ["order", "segment", "tier", "custom"] },
  CUSTOM_EVENT_METADATA: { group: "custom_event", part: "metadata", events: ["custom"] },
};

/** A step of any calculation; only some of them have all fields. */
interface Step {
  every: number | string;
  points: number | string;
  points_formula?: string | undefined;
  property?: string | undefined;
  object?: "products_collection" | "product" | "sku" | undefined;
  id?: string | undefined;
  applicable_to?: { object: "products_collection" | "product" | "sku"; id: string }[] | undefined;
}

/** The part of the points that counts, its numbers read; what belongs to another kind is not kept (loyalty.md §4.3). */
export function readLoyalty(input: LoyaltyInput, event: string, at: string): Loyalty {
  if (input.type === "FIXED") {
    if (input.points === undefined) throw missing(at, "points");
    return { type: "FIXED", points: pointsOf(input.points, `${at}.points`), ...formulaOf(input, at) };
  }
  const { calculation_type } = input;
  if (calculation_type === undefined) throw missing(at, "calculation_type");
  const { group, part, events } = calculations[calculation_type];
  if (!events.includes(kindOf(event)))
    throw problems.invalidPayload(
      `Property ${at}.calculation_type ${calculation_type} does not go with event ${event}`,
    );
  const sent = (input[group] as Record<string, Step | undefined> | undefined)?.[part];
  if (!sent)
    throw problems.invalidPayload(
      `Loyalty ${group.replace("_", " ")} rules must contain one of the following properties - '${part}'`,
    );
  const step = readStep(sent, group, `${at}.${group}.${part}`);
  return { type: "PROPORTIONAL", calculation_type, [group]: { [part]: step } } as Loyalty;
}

/** The points of an edited rule; what kind they are need not be said again (loyalty.md §4.1). */
export function changedLoyalty(stored: Loyalty, input: LoyaltyUpdate, event: string): Loyalty {
  const { type = stored.type } = input;
  const { calculation_type = type === stored.type ? stored.calculation_type : undefined } = input;
  return readLoyalty({ ...input, type, ...(calculation_type ? { calculation_type } : {}) }, event, ".loyalty");
}

function readStep(sent: Step, group: Group, at: string) {
  const every = Number(sent.every);
  if (every < 1) throw problems.invalidPayload(`Property ${at}.every must be >= 1`);
  return {
    every,
    points: pointsOf(sent.points, `${at}.points`),
    ...formulaOf(sent, at),
    ...(sent.property === undefined ? {} : { property: sent.property }),
    ...(group === "order_items" ? itemsOf(sent, at) : {}),
  };
}

/** The first of the items stands beside the list too. */
function itemsOf({ object, id, applicable_to }: Step, at: string) {
  const named = object !== undefined && id !== undefined ? [{ object, id }] : [];
  const items = (applicable_to?.length ? applicable_to : named).map(({ object, id }) => ({ object, id }));
  const [first] = items;
  if (!first) throw missing(at, "applicable_to");
  return { ...first, applicable_to: items };
}

function pointsOf(sent: number | string, at: string): number {
  const points = Number(sent);
  if (points > points_max) throw problems.invalidPayload(`Property ${at} must be <= ${points_max}`);
  return points;
}

function formulaOf({ points_formula }: { points_formula?: string | undefined }, at: string) {
  if (points_formula === undefined) return {};
  const fault = checkPointsFormula(points_formula);
  if (fault !== null) throw problems.invalidPayload(`Property ${at}.points_formula cannot be read: ${fault}`);
  return { points_formula };
}

/** What a rule pays, as the engine reads it. */
export function pointsSourceOf(loyalty: Loyalty): PointsSource {
  const { calculation_type = "FIXED", points = 0, points_formula = null } = loyalty;
  if (loyalty.type === "FIXED" || calculation_type === "FIXED")
    return { calculation: "FIXED", points, points_formula, every: 1, property: null, items: [] };
  const { group, part } = calculations[calculation_type];
  const step = (loyalty[group] as Record<string, KeptStep>)[part] as KeptStep;
  return {
    calculation: calculation_type,
    points: step.points,
    points_formula: step.points_formula ?? null,
    every: step.every,
    property: step.property ?? null,
    items: step.applicable_to ?? [],
  };
}

type KeptStep = Step & { every: number; points: number };

const missing = (at: string, property: string): Problem =>
  problems.invalidPayload(`Property ${at} should have required property '${property}'`);
