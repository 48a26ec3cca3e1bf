import type { Applicable, Decision } from "@guerdon/engine";
import {
  books,
  type DayMove,
  type LedgerEntry,
  type RedemptionRow,
  unitMovesOf,
  type VoucherAfter,
} from "../../books/index.js";
import {
  type DecidingRequest,
  itemUnits,
  moveCounters,
  type OrderView,
  orderView,
  ruledBy,
  type SharedFacts,
  spendUnits,
} from "../../deciding/index.js";
import type { NewEvent } from "../../events/index.js";
import { isoOf } from "../../platform/clock.js";
import { newId } from "../../platform/ids.js";
import type { Change } from "../../recording/index.js";
import { type Customer, upsertNamed } from "../customers/index.js";
import { type Order, order_rows, orderEvents } from "../orders/index.js";
import type { LockedVoucher, VoucherRow } from "../vouchers/index.js";
import { orderAfter } from "./order-after.js";
import { rowOfRequest } from "./redemption.row.js";

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
  change: Change,
  shared: SharedFacts,
  request: DecidingRequest,
  decision: Decision,
): RecordedRedemption {
  const customer = upsertCustomer(change, shared, request);
  const applied = decision.outcomes.filter((outcome): outcome is Applicable => outcome.status === "APPLICABLE");
  // Of the parent of a stack, else of the one redemption.
  const whole_id = newId("r");
  const order = upsertOrder(change, shared, request, decision, customer, whole_id);
  const about = { change, shared, request, customer, order, whole_id };

  const parent = applied.length > 1 ? parentRow(about, decision) : null;
  const redemptions = applied.map((outcome) => redeemOne(about, outcome, parent));
  const rows = [...redemptions, ...(parent ? [parent] : [])];
  change.add(books.redemptions, ...rows);
  change.tell(...rows.map(succeeded));
  return { request, decision, redemptions, parent, customer, order, shared };
}

interface About {
  change: Change;
  shared: SharedFacts;
  request: DecidingRequest;
  customer: Customer | null;
  order: Order | null;
  whole_id: string;
}

function upsertCustomer(change: Change, shared: SharedFacts, { customer: input }: DecidingRequest): Customer | null {
  if (!input) return null;
  const stored = upsertNamed(change, shared.customer(input), input);
  shared.keepCustomer(stored);
  return stored;
}

function upsertOrder(
  change: Change,
  shared: SharedFacts,
  request: DecidingRequest,
  decision: Decision,
  customer: Customer | null,
  redemption_id: string,
): Order | null {
  if (!request.order || !decision.order) return null;
  const order = orderAfter(shared, request, decision.order, decision.applied, customer);
  change.add(order_rows, order);
  change.tell(...orderEvents(shared.order(request.order), order, redemption_id));
  shared.keepOrder(order);
  return order;
}

/** Counts one applied redeemable, moves its balance, and makes its row. */
function redeemOne(about: About, outcome: Applicable, parent: RedemptionRow | null): RedemptionRow {
  const { change, shared, request, order, whole_id } = about;
  const { redeemable, increments } = outcome;
  const voucher = redeemable.object === "voucher" ? shared.voucher(redeemable.id) : undefined;
  const after = voucher
    ? redeemVoucher(shared, voucher, increments.gift_credits, request.session?.key ?? undefined)
    : undefined;
  const view = order && outcome.order ? childView(order, outcome, parent) : null;
  const row: RedemptionRow = {
    ...commonRow(about),
    id: parent ? newId("r") : whole_id,
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
  change.add(books.days, ...dayMoves(row, outcome));
  change.add(books.units, ...unitMovesOf(row, 1));
  const ruled = "not_found" in redeemable ? undefined : ruledBy(shared, redeemable);
  if (ruled) moveCounters(shared, request, ruled, increments);
  spendUnits(shared, row);
  if (voucher && after) {
    change.add(books.usage, { voucher_id: voucher.id, quantity: voucher.quantity, redemptions: 1 });
    change.add(books.entries, ...creditEntries(row, after, request));
    const session_key = request.session?.key;
    if (session_key) change.add(books.sessions_dropped, { voucher_id: voucher.id, session_key });
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
  const { order, whole_id } = about;
  return {
    ...commonRow(about),
    id: whole_id,
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
