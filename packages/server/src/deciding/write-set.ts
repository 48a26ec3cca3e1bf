import {
  appendEntries,
  type DayMove,
  dropSessions,
  insertRedemptions,
  type LedgerEntry,
  moveDays,
  moveUnits,
  moveUsage,
  type RedemptionRow,
  saveSessions,
  type UsageMove,
  type VoucherSession,
} from "../books/index.js";
import { appendEventsOf, type NewEvent } from "../events/index.js";
import { type Customer, saveCustomers } from "../features/customers/index.js";
import { type Order, saveOrders } from "../features/orders/index.js";
import type { Call } from "../features/projects/index.js";
import type { Tx } from "../platform/database.js";

/** Everything that one request changes, as values: decided first, written with those of the requests beside it. */
export interface WriteSet {
  customers: Customer[];
  orders: Order[];
  redemptions: RedemptionRow[];
  usage: UsageMove[];
  days: DayMove[];
  entries: LedgerEntry[];
  opened_sessions: (VoucherSession & { expires_at: string })[];
  dropped_sessions: { voucher_id: string; session_key: string }[];
  events: NewEvent[];
}

export function emptyWriteSet(): WriteSet {
  return {
    customers: [],
    orders: [],
    redemptions: [],
    usage: [],
    days: [],
    entries: [],
    opened_sessions: [],
    dropped_sessions: [],
    events: [],
  };
}

/** The fifth step (architecture.md §3): array statements for all requests, inside their transaction and keys. */
export async function write(
  tx: Tx,
  project_id: string,
  sets: readonly { call: Call; writes: WriteSet }[],
): Promise<void> {
  const all = <Part extends keyof WriteSet>(part: Part) =>
    sets.flatMap(({ writes }) => writes[part] as WriteSet[Part][number][]) as WriteSet[Part];
  // Sent together, done one after the other: should one fail, those behind it fail with it. The counters that a campaign's
  // redemptions share come last, since their rows are held until the commit.
  await Promise.all([
    saveCustomers(tx, project_id, latest(all("customers"))),
    saveOrders(tx, project_id, latest(all("orders"))),
    insertRedemptions(tx, project_id, all("redemptions")),
    moveUsage(tx, project_id, all("usage")),
    appendEntries(tx, project_id, all("entries")),
    saveSessions(tx, project_id, all("opened_sessions")),
    dropSessions(tx, project_id, all("dropped_sessions")),
    appendEventsOf(
      tx,
      sets.map(({ call, writes }) => ({ cause: call, events: writes.events })),
    ),
    moveDays(tx, project_id, all("days")),
    moveUnits(tx, project_id, all("redemptions"), 1),
  ]);
}

/** One statement cannot write a row twice: of several states of one object the last counts. */
function latest<Row extends { id: string }>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
