import { type OrderPart, type RunningOrder, totalAmount } from "@guerdon/engine";
import type { Static } from "typebox";
import type { Instant } from "../../platform/clock.js";
import type { OrderItemBody, OrderStatus } from "./order.schemas.js";

/** A line as stored, which is as the API shows it. */
export type OrderItem = Static<typeof OrderItemBody>;

/** An order as stored (rules.md §19). Money in minor units; null where nothing in the order has a price. */
export interface Order {
  id: string;
  source_id: string | null;
  status: OrderStatus;
  customer_id: string | null;
  referrer_id: string | null;
  currency: string;
  /** 1 when it is made; every change makes the next, so that a redemption can name the state that it left. */
  version: number;
  amount: number | null;
  initial_amount: number | null;
  /** Order-level discounts so far. */
  discount_amount: number;
  /** Item-level discounts so far: the sum over the items. */
  items_discount_amount: number;
  /** What the latest redemption took off. */
  applied_discount_amount: number;
  items_applied_discount_amount: number;
  total_amount: number | null;
  items: OrderItem[];
  metadata: Record<string, unknown>;
  /** When it was paid first; what follows from that follows once (loyalty.md §4.7). */
  paid_at: Instant | null;
  created_at: Instant;
  updated_at: Instant | null;
}

/** When an order was paid first, now that it gets a status. A version before this one wrote orders without it. */
export function paidAt(known: Order | undefined, status: OrderStatus, instant: Instant): Instant | null {
  if (known?.paid_at) return known.paid_at;
  if (known?.status === "PAID") return known.updated_at ?? known.created_at;
  return status === "PAID" ? instant : null;
}

export type OrderMoney = Pick<
  Order,
  | "amount"
  | "initial_amount"
  | "discount_amount"
  | "items_discount_amount"
  | "applied_discount_amount"
  | "items_applied_discount_amount"
  | "total_amount"
>;

/** The money columns of an order as redeemables, if any, left it; `applied` is what this request did. */
export function moneyOf(running: RunningOrder, applied: OrderPart = { discount_amount: 0, lines: [] }): OrderMoney {
  return {
    amount: running.amount ?? null,
    initial_amount: running.initial_amount ?? null,
    discount_amount: running.discount_amount,
    items_discount_amount: sumOfDiscounts(running.lines),
    applied_discount_amount: applied.discount_amount,
    items_applied_discount_amount: sumOfDiscounts(applied.lines),
    total_amount: running.amount === undefined ? null : totalAmount(running),
  };
}

const sumOfDiscounts = (lines: readonly { discount_amount: number }[]) =>
  lines.reduce((sum, line) => sum + line.discount_amount, 0);
