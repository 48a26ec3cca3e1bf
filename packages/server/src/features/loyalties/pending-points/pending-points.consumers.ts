import { books, findPendingOfOrders, type PendingPoints } from "../../../books/index.js";
import { type Cause, type Consumer, consumerOf, type ToldEvent } from "../../../events/index.js";
import type { Tx } from "../../../platform/db/database.js";
import { keys_max, type LockKey } from "../../../platform/db/locks.js";
import { type Sql, sql } from "../../../platform/db/sql.js";
import { type Change, changeWithin, readUnderKeys } from "../../../recording/index.js";
import { eventSourceOf, the_service } from "../../../terms/index.js";
import { findVouchersByIds } from "../../vouchers/index.js";
import { orderPointsKey } from "./order-points.js";
import { pendingEvent } from "./pending-points.events.js";

type Canceled = ToldEvent<"customer.order.canceled">;

/** Of rows `gone` of the outbox, those of projects in which orders have ever been waited for. */
const has_pending_rules: Sql = sql`
  (exists (select from earning_rules
            where earning_rules.project_id = gone.project_id and earning_rules.event = 'order.paid'
              and earning_rules.pending_points is not null)
    or exists (select from pending_points
                where pending_points.project_id = gone.project_id and pending_points.status = 'PENDING'))`;

/** Orders of one transaction: each is a key, and so is the card that its customer has in each program. */
const orders_max = 20;

/** Points of an order that was canceled become nobody's, unless their day has come (loyalty.md §4.7). */
const cancellations = consumerOf({
  name: "pending points",
  names: ["customer.order.canceled"],
  is_told: has_pending_rules,
  when: "inbox",
  events_max: orders_max,
  async take(tx, events, { instant }) {
    const pending = await pendingOf(tx, events);
    await changeWithin(tx, async (changeBy) => {
      for (const project_id of new Set(events.map((event) => event.project_id))) {
        const own = events.filter((event) => event.project_id === project_id);
        const causes = new Map(own.map(({ data, group_id }) => [data.order_id, group_id]));
        await cancel(tx, project_id, pending.get(project_id) ?? [], (order_id) =>
          changeBy(causeOf(project_id, causes.get(order_id) ?? "", instant)),
        );
      }
    });
    return undefined;
  },
});

const causeOf = (project_id: string, request_id: string, instant: number): Cause => ({
  project_id,
  request_id,
  event_source: eventSourceOf(the_service),
  instant,
});

/** What pends for the orders, by project, under the keys of the orders and of the cards. */
function pendingOf(tx: Tx, events: readonly Canceled[]): Promise<Map<string, PendingPoints[]>> {
  const order_keys = events.map(({ project_id, data }) => orderPointsKey(project_id, data.order_id));
  const project_ids = [...new Set(events.map(({ project_id }) => project_id))].sort();
  const find = async () => {
    const found = new Map<string, PendingPoints[]>();
    for (const project_id of project_ids) {
      const order_ids = events.flatMap((event) => (event.project_id === project_id ? event.data.order_id : []));
      found.set(project_id, await findPendingOfOrders(tx, project_id, order_ids));
    }
    return found;
  };
  return readUnderKeys(tx, find, (found) => {
    const cards = [...found].flatMap(([project_id, pending]) =>
      [...new Set(pending.map(({ voucher_id }) => voucher_id))].map(
        (id): LockKey => ({ project_id, kind: "voucher", id }),
      ),
    );
    // More programs than keys: no customer has so many cards. Should one, the event is tried alone.
    if (order_keys.length + cards.length > keys_max) throw new Error("points of too many cards pend for these orders");
    return [...order_keys, ...cards];
  });
}

async function cancel(
  tx: Tx,
  project_id: string,
  pending: readonly PendingPoints[],
  changeFor: (order_id: string) => Change,
): Promise<void> {
  if (pending.length === 0) return;
  const card_ids = [...new Set(pending.map(({ voucher_id }) => voucher_id))];
  const left = new Map((await findVouchersByIds(tx, project_id, card_ids)).map((card) => [card.id, card.pending ?? 0]));
  for (const one of pending) {
    const change = changeFor(one.order_id);
    const canceled: PendingPoints = { ...one, status: "CANCELED", updated_at: change.cause.instant };
    const total = (left.get(one.voucher_id) ?? one.points) - one.points;
    left.set(one.voucher_id, total);
    change.add(books.pending_moved, canceled);
    const points = -one.points;
    change.tell(pendingEvent("canceled", { pending_points: canceled, points, total, operation_type: "AUTOMATIC" }));
  }
}

export const consumers: readonly Consumer[] = [cancellations];
