import { isOfPoints, type LedgerEntry } from "../../books/index.js";
import { isoOf } from "../../platform/clock.js";
import type { TransactionBody } from "./transaction.schemas.js";

/** What an order is called. */
interface OrderName {
  id: string;
  source_id: string | null;
}

/** A line of the books as answered; what led to it stands in its details where it was written down. */
export function toTransactionBody(entry: LedgerEntry, orders: ReadonlyMap<string, OrderName>): TransactionBody {
  const { id, source_id, voucher_id, campaign_id, source, reason, type, created_at } = entry;
  const { order_id, redemption_id, rollback_id } = entry;
  return {
    id,
    source_id,
    voucher_id,
    campaign_id,
    source,
    reason,
    type,
    details: {
      balance: balanceOf(entry),
      ...(order_id === null ? {} : { order: { id: order_id, source_id: orders.get(order_id)?.source_id ?? null } }),
      ...(redemption_id === null ? {} : { redemption: { id: redemption_id } }),
      ...(rollback_id === null ? {} : { rollback: { id: rollback_id } }),
      ...entry.details,
    },
    related_transaction_id: entry.related_transaction_id ?? null,
    created_at: typeof created_at === "number" ? isoOf(created_at) : created_at,
  };
}

/** The balance after an entry that somebody asked for; what the service did by itself has written its own. */
function balanceOf(entry: LedgerEntry) {
  const { voucher_id, amount, total, balance } = entry;
  return {
    type: isOfPoints(entry) ? "loyalty_card" : "gift_voucher",
    total,
    object: "balance",
    [isOfPoints(entry) ? "points" : "amount"]: amount,
    balance,
    operation_type: entry.type === "POINTS_EXPIRATION" ? "AUTOMATIC" : "MANUAL",
    related_object: { id: voucher_id, type: "voucher" },
  };
}
