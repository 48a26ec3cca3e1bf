import type { OrderLine } from "../../orders/order.js";
import { totalAmount } from "../../orders/part.js";
import type { RuleContext } from "../contract.js";
import { type Absence, NO_AMOUNT, NO_CUSTOMER, NO_ORDER, UNDECIDED } from "../nodes.js";
import { metadataOf, OF_REFERENCES, type RuleName, rule, value } from "./entry.js";

const ofCustomer = (read: (customer: NonNullable<RuleContext["customer"]>) => unknown) =>
  value(({ customer }) => (customer === null ? NO_CUSTOMER : read(customer)));

/** Lines that are added up in a unit of work. */
export const lines_in_unit = 8;

export const unitsOf = (lines: readonly OrderLine[]) => lines.reduce((units, line) => units + line.quantity, 0);

const tiers = ofCustomer(({ loyalty_tiers }) => loyalty_tiers);

const references = { operators: OF_REFERENCES };

export const CUSTOMER_RULES: readonly RuleName[] = [
  rule(
    "customer.segment",
    "customer",
    ofCustomer(({ segments }) => segments),
    references,
  ),
  rule("customer.loyalty_tier", "customer", tiers, references),
  rule("customer.loyalty.tier", "customer", tiers, references),
  rule(
    "customer.metadata",
    "customer",
    metadataOf(({ customer }) => customer?.metadata ?? NO_CUSTOMER),
    {
      metadata: "customer",
    },
  ),
];

type PricedOrder = NonNullable<RuleContext["order"]> & { amount: number };

const ofAmount = (read: (order: PricedOrder, context: RuleContext) => number | Absence) =>
  value((context) => {
    const { order, work } = context;
    if (order === null) return NO_ORDER;
    work?.spend(order.lines.length / lines_in_unit);
    return order.amount === undefined ? NO_AMOUNT : read(order as PricedOrder, context);
  });

const totalAfter = (order: PricedOrder, { discount, order_after }: RuleContext) => {
  if (discount === null) return UNDECIDED;
  return order_after === null ? totalAmount(order) - discount : totalAmount(order_after);
};

/** The three amounts under stacking: rules.md §3.1. */
export const ORDER_RULES: readonly RuleName[] = [
  rule("order.amount", "order", ofAmount(totalAmount)),
  rule(
    "order.initial_amount",
    "order",
    ofAmount((order) => order.initial_amount ?? order.amount),
  ),
  rule("order.total_amount", "order", ofAmount(totalAfter), { late: true }),
  rule(
    "order.metadata",
    "order",
    metadataOf(({ order }) => order?.metadata ?? NO_ORDER),
    { metadata: "order" },
  ),
  rule(
    "order.items.count",
    "order",
    value(({ order, work }) => {
      if (order === null) return NO_ORDER;
      work?.spend(order.lines.length / lines_in_unit);
      return unitsOf(order.lines);
    }),
  ),
];
