import { effectInForce } from "../discounts/compile.js";
import type { OrderPart } from "../orders/part.js";
import type { Scenario } from "../rules/contract.js";
import { NamedItems } from "../rules/named-items.js";
import { inCollection, ruleContext, type Turn } from "./context.js";
import type { LineTie } from "./outcome.js";

const SCENARIOS: ReadonlySet<Scenario> = new Set<Scenario>([
  "PRODUCTS",
  "PRODUCTS_DISCOUNT",
  "PRODUCTS_BY_CUSTOMER",
  "PRODUCTS_DISCOUNT_BY_CUSTOMER",
]);

/** Scenarios that show what has to do with the products at hand, and nothing else. */
export const asksForLines = (scenario: Scenario | null | undefined): boolean =>
  scenario != null && SCENARIOS.has(scenario);

/**
 * What ties a redeemable to the lines of the order. A discount counts that takes something off lines, or names one while
 * its bundle is incomplete; one of the whole order does not.
 */
export function tieToLines(turn: Turn, part: OrderPart, selected: readonly unknown[]): LineTie | null {
  if (discountsLines(turn, part, selected)) return "discounted";
  const context = ruleContext(turn, null);
  const is_wanted = turn.rules.some((rule) => rule.wantsLines(context)) || hasBundled(turn);
  return is_wanted ? "wanted" : null;
}

function discountsLines(turn: Turn, part: OrderPart, selected: readonly unknown[]): boolean {
  const { redeemable, applicable_to, order, facts } = turn;
  const lines = order?.lines ?? [];
  if (redeemable.discount === null) return selected.length > 0;
  if (effectInForce(redeemable.discount, applicable_to) === "APPLY_TO_ORDER") return false;
  if (selected.length > 0 || part.lines.some(({ index }) => index < lines.length)) return true;
  const named = new NamedItems(applicable_to.included);
  return lines.some((line) => named.names(line, inCollection(facts), facts.work));
}

const hasBundled = ({ bundles }: Turn) => [...bundles.values()].some(({ identified }) => identified.length > 0);
