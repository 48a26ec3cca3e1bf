import type { Applicable, Decision } from "@guerdon/engine";
import type { DayMove, LedgerEntry, RedemptionRow, VoucherAfter } from "../books/index.js";
import type { NewEvent } from "../events/index.js";
import { type Customer, changed, customerEvent, newCustomer } from "../features/customers/index.js";
import type { Order } from "../features/orders/index.js";
import type { LockedVoucher, VoucherRow } from "../features/vouchers/index.js";
import { isoOf } from "../platform/clock.js";
import { newId } from "../platform/ids.js";
import { moveCounters, ruledBy } from "./counters.js";
import { type OrderChange, orderAfter } from "./order-after.js";
import { type OrderView, orderView } from "./order-view.js";
import { rowOfRequest } from "./redemption-row.js";
import type { DecidingRequest } from "./request.js";
import type { SharedFacts } from "./shared-facts.js";
import { itemUnits } from "./unit-usage.js";
import { spendUnits } from "./unit-usage-facts.js";
import { emptyWriteSet, type WriteSet } from "./write-set.js";

/** What a successful request recorded, for its answer. */
export interface RecordedRedemption {
  request: DecidingRequest;
  decision: Decision;
  /** The children in the order of application, or the single redemption. */
  redemptions: RedemptionRow[];
  /** Only with two or more redeemed. */
  parent: RedemptionRow | null;
  customer: Customer | null;
  order: Order | null;
  shared: SharedFacts;
}

/**
 * Everything that a granted request changes, and the shared facts as it leaves them. Without an order in the request none
 * comes into being (redemption.md §8, §9).
 */
export function recordSuccess(
  shared: SharedFacts,
  request: DecidingRequest,
  decision: Decision,
): { redeemed: RecordedRedemption; writes: WriteSet } {
  const writes = emptyWriteSet();
  const customer = upsertCustomer(shared, request, writes);
  const applied = decision.outcomes.filter((outcome): outcome is Applicable => outcome.status === "APPLICABLE");
  const order = upsertOrder(shared, request, decision, customer, writes);
  const about = { shared, request, customer, order };

  const parent = applied.length > 1 ? parentRow(about, decision) : null;
  const redemptions = applied.map((outcome) => redeemOne(about, outcome, parent, writes));
  writes.redemptions.push(...redemptions, ...(parent ? [parent] : []));
  writes.events.push(...[...redemptions, ...(parent ? [parent] : [])].map(succeeded));
  return { redeemed: { request, decision, redemptions, parent, customer, order, shared }, writes };
}

interface About {
  shared: SharedFacts;
  request: DecidingRequest;
  customer: Customer | null;
  order: Order | null;
}

function upsertCustomer(shared: SharedFacts, request: DecidingRequest, writes: WriteSet): Customer | null {
  const { customer: input, call } = request;
  if (!input) return null;
  const known = shared.customer(input);
  const saved = known ? changed(known, input) : newCustomer(newId("cust"), input, call.instant);
  const event = customerEvent(known, input, saved);
  if (!event) return known ?? null;
  const stored = known ? { ...saved, updated_at: call.instant } : saved;
  shared.keepCustomer(stored);
  writes.customers.push(stored);
  writes.events.push(event);
  return stored;
}

function upsertOrder(
  shared: SharedFacts,
  request: DecidingRequest,
  decision: Decision,
  customer: Customer | null,
  writes: WriteSet,
): Order | null {
  if (!request.order || !decision.order) return null;
  const change: OrderChange = orderAfter(shared, request, decision.order, decision.applied, customer);
  shared.keepOrder(change.order);
  writes.orders.push(change.order);
  writes.events.push(...change.events);
  return change.order;
}

/** Counts one applied redeemable, moves its balance, and makes its row. */
function redeemOne(about: About, outcome: Applicable, parent: RedemptionRow | null, writes: WriteSet): RedemptionRow {
  const { shared, request, order } = about;
  const { redeemable, increments } = outcome;
  const voucher = redeemable.object === "voucher" ? shared.voucher(redeemable.id) : undefined;
  const after = voucher
    ? redeemVoucher(shared, voucher, increments.gift_credits, request.session?.key ?? undefined)
    : undefined;
  const view = order && outcome.order ? childView(order, outcome, parent) : null;
  const row: RedemptionRow = {
    ...commonRow(about),
    id: newId("r"),
    voucher_id: voucher?.id ?? null,
    promotion_tier_id: redeemable.object === "promotion_tier" ? redeemable.id : null,
    campaign_id: "campaign" in redeemable ? (redeemable.campaign?.id ?? null) : null,
    parent_id: parent?.id ?? null,
    amount: voucher?.type === "GIFT_VOUCHER" ? increments.gift_credits : null,
    order_amount: order ? increments.order_amount : null,
    discount_amount: increments.discount_amount,
    parts: outcome.applied,
    units: itemUnits(increments),
    order_after: view,
    voucher_after: after ? voucherAfter(after) : null,
  };
  writes.days.push(...dayMoves(row, outcome));
  const ruled = "not_found" in redeemable ? undefined : ruledBy(shared, redeemable);
  if (ruled) moveCounters(shared, request, ruled, increments);
  spendUnits(shared, row);
  if (voucher && after) {
    writes.usage.push({ voucher_id: voucher.id, quantity: voucher.quantity, redemptions: 1 });
    writes.entries.push(...creditEntries(row, after, request));
    const session_key = request.session?.key;
    if (session_key) {
      writes.dropped_sessions.push({ voucher_id: voucher.id, session_key });
    }
  }
  return row;
}

/** The voucher after one more redemption, for the requests behind this one too. */
function redeemVoucher(shared: SharedFacts, voucher: LockedVoucher, credits: number, key: string | undefined) {
  const after = {
    ...voucher,
    redeemed_quantity: voucher.redeemed_quantity + 1,
    balance: voucher.balance === null ? null : voucher.balance - credits,
    redeemed: voucher.redeemed === null ? null : voucher.redeemed + credits,
    locks: voucher.locks.filter(({ session_key }) => session_key !== key),
  };
  shared.keepVoucher(after);
  return after;
}

export function voucherAfter({ redeemed_quantity, balance, redeemed }: VoucherRow): VoucherAfter {
  return { redeemed_quantity, ...(balance === null ? {} : { balance, redeemed: redeemed ?? 0 }) };
}

/** A single redemption shows the stored order; a child the running one, without what belongs to the whole. */
function childView(order: Order, outcome: Applicable, parent: RedemptionRow | null): OrderView {
  const running = outcome.order;
  if (!running) return {};
  return orderView(running, outcome.applied, parent ? null : order);
}

function parentRow(about: About, decision: Decision): RedemptionRow {
  const { order } = about;
  return {
    ...commonRow(about),
    id: newId("r"),
    discount_amount: 0,
    parts: decision.applied,
    order_after: order && decision.order ? orderView(decision.order, decision.applied, order) : null,
  };
}

function commonRow({ shared, request, customer, order }: About): Omit<RedemptionRow, "id"> {
  return {
    ...rowOfRequest(shared, request, customer ?? undefined),
    result: "SUCCESS",
    status: "SUCCEEDED",
    order_id: order?.id ?? null,
    session_key: request.session?.key ?? null,
  };
}

function dayMoves(row: RedemptionRow, { increments }: Applicable): DayMove[] {
  const objects = [row.campaign_id, row.promotion_tier_id].filter((id) => id !== null);
  return objects.map((object_id) => ({
    object_id,
    day: row.day,
    redemptions: 1,
    orders_amount: increments.order_amount,
    discount_amount: increments.discount_amount,
    gift_credits: increments.gift_credits,
    units: increments.units.reduce((sum, { units }) => sum + units, 0),
  }));
}

function creditEntries(row: RedemptionRow, after: VoucherRow, { call }: DecidingRequest): LedgerEntry[] {
  if (!row.amount || after.balance === null) return [];
  return [
    {
      id: newId("vtx"),
      voucher_id: after.id,
      campaign_id: after.campaign_id,
      type: "CREDITS_REDEMPTION",
      amount: -row.amount,
      balance: after.balance,
      total: (after.added ?? 0) - (after.subtracted ?? 0) - (after.expired ?? 0),
      currency: row.currency,
      redemption_id: row.id,
      rollback_id: null,
      order_id: row.order_id,
      source_id: null,
      source: null,
      reason: null,
      details: null,
      created_at: isoOf(call.instant),
    },
  ];
}

function succeeded(row: RedemptionRow): NewEvent {
  const { id, voucher_id, promotion_tier_id, campaign_id, parent_id, order_id, amount, discount_amount } = row;
  return {
    type: "redemption.succeeded",
    entity_id: id,
    customer_id: row.customer_id,
    data: {
      redemption_id: id,
      voucher_id,
      promotion_tier_id,
      campaign_id,
      parent_id,
      order_id,
      amount,
      discount_amount,
    },
  };
}
