import type { InputFault } from "../calendar/window-fault.js";
import { normaliseLine } from "./normalise.js";
import type { OrderInput } from "./order.js";

/** An order that cannot be computed: its amount makes no sense, or a line does (discounts.md §2, redemption.md §18.2). */
export type OrderFault = { readonly key: "invalid_amount" } | ({ readonly key: "invalid_payload" } & InputFault);

/**
 * Checks an order before it is decided on. All amounts must be whole, not negative and sum to at most 2^53 − 1. How many lines
 * there may be is a bound on what is sent (discounts.md §2): a stored order may have got more by free units.
 */
export function checkOrder(order: OrderInput): OrderFault | null {
  if (order.amount != null && !isAmount(order.amount)) return { key: "invalid_amount" };
  const items = order.items ?? [];
  let sum = 0;
  for (const [i, input] of items.entries()) {
    for (const field of ["quantity", "price", "amount"] as const) {
      const value = input[field];
      if (value != null && !isAmount(value)) return fault(`items[${i}].${field}`, "must be a non-negative integer");
    }
    const { price, amount } = normaliseLine(input, i);
    if (price !== undefined && !isAmount(price)) return fault(`items[${i}].price`, "must be a non-negative integer");
    sum += amount ?? 0;
    if (!isAmount(sum)) return fault(`items[${i}].amount`, "must keep the order below 2^53");
  }
  return null;
}

const isAmount = (value: number) => Number.isSafeInteger(value) && value >= 0;

const fault = (path: string, problem: string): OrderFault => ({
  key: "invalid_payload",
  kind: "payload",
  path,
  problem,
});
