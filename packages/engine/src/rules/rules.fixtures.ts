import type { CustomerFacts, RequestFacts } from "../facts.js";
import { normaliseOrder } from "../orders/normalise.js";
import type { OrderInput, OrderLineInput } from "../orders/order.js";
import { type CounterRef, counterKey, type RuleContext, type RuleRefusal } from "./contract.js";
import { compileRule, type RuleEnvironment, type ValidationRule } from "./index.js";

/** A Tuesday in Warsaw, two hours ahead of UTC. */
export const noon = Date.parse("2025-06-10T10:00:00Z");

export const aCustomer = (fields: Partial<CustomerFacts> = {}): CustomerFacts => ({
  id: "cust_1",
  source_id: null,
  metadata: {},
  segments: new Set(),
  loyalty_tiers: new Set(),
  ...fields,
});

export const aProductLine = (
  product_id: string,
  price: number,
  quantity = 1,
  more: OrderLineInput = {},
): OrderLineInput => ({
  product_id,
  price,
  quantity,
  ...more,
});

interface Situation extends Partial<Omit<RuleContext, "order" | "counter" | "order_after" | "facts">> {
  order?: OrderInput | null;
  order_after?: OrderInput | null;
  metadata?: Record<string, unknown>;
  counters?: Record<string, number | undefined>;
  /** Product ids by collection. */
  collections?: Record<string, string[]>;
}

export function aContext(situation: Situation = {}): RuleContext {
  const { order = null, order_after = null, metadata = {}, counters = {}, collections = {}, ...more } = situation;
  return {
    facts: { metadata } as RequestFacts,
    customer: null,
    order: order && normaliseOrder(order),
    order_after: order_after && normaliseOrder(order_after),
    instant: noon,
    time_zone: "Europe/Warsaw",
    holder_id: null,
    is_standalone: false,
    api_key_id: null,
    user_login: null,
    event_metadata: null,
    counter: (ref: CounterRef) => counters[counterKey(ref)] ?? 0,
    discount: null,
    gift_credits: null,
    points: null,
    in_collection: (id, line) => collections[id]?.includes(line.product_id ?? "") ?? false,
    scenario: null,
    ...more,
  };
}

export function ruleOf(rules: unknown, more: object = {}, environment?: RuleEnvironment): ValidationRule {
  const compiled = compileRule({ id: "val_1", rules, ...more }, environment);
  if ("fault" in compiled) throw new Error(compiled.fault.details);
  return compiled.rule;
}

export function faultOf(source: object): string | null {
  const compiled = compileRule({ id: "val_1", ...source });
  return "fault" in compiled ? compiled.fault.details : null;
}

export const leaf = (name: string, conditions: object, more: object = {}) => ({ name, conditions, ...more });

/** `holds`, or the key of the refusal. */
export const outcomeOf = (rules: unknown, situation: Situation = {}): string =>
  keyOf(ruleOf(rules).judge(aContext(situation)));

export const keyOf = (refusal: RuleRefusal | null): string => refusal?.key ?? "holds";

/** Whether an operator holds for a value, asked through `custom_event.metadata`. */
export function holdsFor(
  operator: string,
  operands: unknown,
  value: unknown,
  { environment, ...situation }: Situation & { environment?: RuleEnvironment } = {},
): boolean {
  const rule = ruleOf(
    { "1": leaf("custom_event.metadata", { [operator]: operands }, { property: "value" }) },
    {},
    environment,
  );
  return rule.judge(aContext({ event_metadata: value === undefined ? {} : { value }, ...situation })) === null;
}
