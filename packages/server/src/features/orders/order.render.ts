import { redeemedOf } from "../../books/index.js";
import { isoOf } from "../../platform/clock.js";
import type { Queries } from "../../platform/db/database.js";
import { grouped } from "../../platform/lists/grouped.js";
import { keyed } from "../../platform/lists/keyed.js";
import type { Order } from "./order.js";
import type { OrderBody, OrderRedemptionBody } from "./order.schemas.js";
import { findOrderRedemptions, type OrderRedemption } from "./order-redemptions.store.js";

/** An order as the API shows it (rules.md §19, discounts.md §3). */
export function toOrderBody(order: Order, redemptions: readonly OrderRedemption[]): OrderBody {
  return {
    id: order.id,
    source_id: order.source_id,
    status: order.status,
    ...orderAmounts(order),
    items: order.items,
    metadata: order.metadata,
    ...orderPeople(order),
    customer_id: order.customer_id,
    referrer_id: order.referrer_id,
    redemptions: keyed(redemptions.map((redemption) => [redemption.id, redemptionBody(redemption)])),
    created_at: isoOf(order.created_at),
    updated_at: isoOf(order.updated_at),
    object: "order",
  };
}

/** What every answer about a stored order begins with, whatever it shows of it. */
export const orderIdentity = (order: Order) => ({
  id: order.id,
  source_id: order.source_id,
  status: order.status,
  customer_id: order.customer_id,
  referrer_id: order.referrer_id,
  created_at: isoOf(order.created_at),
  updated_at: isoOf(order.updated_at),
});

/** Who bought it and who referred them, where somebody did. */
export const orderPeople = ({ customer_id, referrer_id }: Order) => ({
  ...(customer_id === null ? {} : { customer: { id: customer_id, object: "customer" as const } }),
  ...(referrer_id === null ? {} : { referrer: { id: referrer_id, object: "customer" as const } }),
});

/** Stored orders with the redemptions made on them. */
export async function toOrderBodies(db: Queries, project_id: string, orders: readonly Order[]): Promise<OrderBody[]> {
  const ids = orders.map((order) => order.id);
  const found = ids.length === 0 ? [] : await findOrderRedemptions(db, project_id, ids);
  const redemptions = grouped(found, ({ order_id }) => order_id);
  return orders.map((order) => toOrderBody(order, redemptions.get(order.id) ?? []));
}

/** Discount fields that are 0 are left out one by one; an order without any price shows no money at all. */
export function orderAmounts(order: Order) {
  if (order.amount === null) return {};
  const { discount_amount, items_discount_amount, applied_discount_amount, items_applied_discount_amount } = order;
  return {
    amount: order.amount,
    initial_amount: order.initial_amount ?? undefined,
    discount_amount: discount_amount || undefined,
    items_discount_amount: items_discount_amount || undefined,
    total_discount_amount: discount_amount + items_discount_amount || undefined,
    total_amount: order.total_amount ?? undefined,
    applied_discount_amount: applied_discount_amount || undefined,
    items_applied_discount_amount: items_applied_discount_amount || undefined,
    total_applied_discount_amount: applied_discount_amount + items_applied_discount_amount || undefined,
  };
}

function redemptionBody(redemption: OrderRedemption): OrderRedemptionBody {
  const { rollback_id, rollback_date, rollback_stacked } = redemption;
  return {
    date: isoOf(redemption.created_at),
    ...relatedObject(redemption),
    ...(rollback_id === null ? {} : { rollback_id }),
    ...(rollback_date === null ? {} : { rollback_date: isoOf(rollback_date) }),
    ...(rollback_stacked === null ? {} : { rollback_stacked }),
  };
}

/** A stack is told as its parent redemption; what was redeemed stands in its children. */
function relatedObject(redemption: OrderRedemption) {
  const { id, campaign_id, stacked } = redemption;
  const redeemed = redeemedOf(redemption);
  if (redeemed === null) {
    return { related_object_type: "redemption" as const, related_object_id: id, stacked: stacked ?? [] };
  }
  return {
    related_object_type: redeemed.object,
    related_object_id: redeemed.id,
    ...(campaign_id === null ? {} : { related_object_parent_id: campaign_id }),
  };
}
