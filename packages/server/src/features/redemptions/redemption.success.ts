import type { Applicable, Decision } from "@guerdon/engine";
import {
  books,
  countedByDay,
  type DayMove,
  historyMoves,
  type Redeemed,
  type RedemptionRow,
  unitMovesOf,
} from "../../books/index.js";
import {
  type DecidingRequest,
  itemUnits,
  kindOf,
  moveCounters,
  orderView,
  referrerByCode,
  ruledIn,
  type SharedFacts,
  spendUnits,
} from "../../deciding/index.js";
import { newId } from "../../platform/ids.js";
import type { Change } from "../../recording/index.js";
import { type Customer, type CustomerInput, upsertNamed } from "../customers/index.js";
import { type Order, order_rows, orderEvents, overrideSaid, referrerIn } from "../orders/index.js";
import { orderAfter } from "./order-after.js";
import { redemptionEvent } from "./redemption.events.js";
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
): RecordedRedemption | Promise<RecordedRedemption> {
  const customer = upsertCustomer(change, shared, request.customer);
  const applied = decision.outcomes.filter((outcome): outcome is Applicable => outcome.status === "APPLICABLE");
  // Of the parent of a stack, else of the one redemption.
  const whole_id = newId("r");
  const order = upsertOrder(change, shared, request, decision, customer, whole_id);
  const later: (() => Promise<void>)[] = [];
  const about = { change, shared, request, customer, order, whole_id, later };

  const parent = applied.length > 1 ? parentRow(about, decision) : null;
  const redemptions = applied.map((outcome) => redeemOne(about, outcome, parent));
  const rows = [...redemptions, ...(parent ? [parent] : [])];
  change.add(books.redemptions, ...rows);
  change.tell(...rows.map((row) => redemptionEvent(row, "redemption.succeeded")));
  const recorded = { request, decision, redemptions, parent, customer, order, shared };
  return later.length === 0 ? recorded : doneWith(later, recorded);
}

/** In their order: what one hands over the next one must see. */
async function doneWith(later: readonly (() => Promise<void>)[], recorded: RecordedRedemption) {
  for (const work of later) await work();
  return recorded;
}

interface About {
  change: Change;
  shared: SharedFacts;
  request: DecidingRequest;
  customer: Customer | null;
  order: Order | null;
  whole_id: string;
  later: (() => Promise<void>)[];
}

function upsertCustomer(change: Change, shared: SharedFacts, input: CustomerInput | null | undefined): Customer | null {
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
  // Should both be one person, the referrer is laid over what has just been said of the customer.
  const referrer = upsertCustomer(change, shared, referrerIn(request.order));
  const known = shared.order(request.order);
  const referrer_id = referrer?.id ?? known?.referrer_id ?? referrerByCode(decision.outcomes);
  const order = orderAfter(shared, request, decision.order, decision.applied, { customer, referrer_id });
  // Of an order that is known by its source id nothing that was sent counts (discounts.md §2).
  if (!known || request.order.id) overrideSaid(change, request.call, request.order.items, decision.order);
  change.add(order_rows, order);
  change.tell(...orderEvents(known, order, redemption_id));
  shared.keepOrder(order);
  return order;
}

/** Counts one applied redeemable and makes its row, with what its kind adds to both. */
function redeemOne(about: About, outcome: Applicable, parent: RedemptionRow | null): RedemptionRow {
  const { change, shared, request, order, whole_id, later } = about;
  const { redeemable, increments } = outcome;
  const kind = kindOf(redeemable.object);
  if (!kind) throw new Error(`a ${redeemable.object} was decided on that nobody knows`);
  const row = commonRow(about, parent ? newId("r") : whole_id, { object: kind.object, id: redeemable.id });
  row.campaign_id = "campaign" in redeemable ? (redeemable.campaign?.id ?? null) : null;
  row.order_amount = order ? increments.order_amount : null;
  row.discount_amount = increments.discount_amount;
  row.parts = outcome.applied;
  row.units = itemUnits(increments);
  // A single redemption leaves the stored order; a child one between, without what belongs to the whole.
  if (parent) {
    row.parent_id = parent.id;
    row.order_after = order && outcome.order ? orderView(outcome.order, outcome.applied, null) : null;
  } else row.order_version = order?.version ?? null;
  kind.redeem?.({ change, shared, request, outcome, row, later: (work) => later.push(work) });
  change.add(books.days, ...dayMoves(row, outcome));
  change.add(books.histories, ...historyMoves(row, 1, (id) => shared.held_in_rows.has(id)));
  change.add(books.units, ...unitMovesOf(row, 1));
  const ruled = ruledIn(shared, request, redeemable.id);
  if (ruled) moveCounters(shared, request, ruled, increments);
  spendUnits(shared, row);
  return row;
}

function parentRow(about: About, decision: Decision): RedemptionRow {
  const row = commonRow(about, about.whole_id, null);
  row.parts = decision.applied;
  row.order_version = about.order?.version ?? null;
  return row;
}

function commonRow({ shared, request, customer, order }: About, id: string, redeemed: Redeemed | null): RedemptionRow {
  const row = rowOfRequest(shared, request, customer ?? undefined, {
    id,
    result: "SUCCESS",
    status: "SUCCEEDED",
    redeemed,
  });
  row.order_id = order?.id ?? null;
  row.session_key = request.session?.key ?? null;
  return row;
}

function dayMoves(row: RedemptionRow, { increments }: Applicable): DayMove[] {
  return countedByDay(row).map((object_id) => ({
    object_id,
    day: row.day,
    redemptions: 1,
    orders_amount: increments.order_amount,
    discount_amount: increments.discount_amount,
    gift_credits: increments.gift_credits,
    units: increments.units.reduce((sum, { units }) => sum + units, 0),
  }));
}
