import type { Day, Lot } from "@guerdon/engine";
import type { Queries } from "../platform/db/database.js";
import { forAny, type Sql, sql } from "../platform/db/sql.js";
import { insertInto, int8, json, jsonb, table, text, timestamptz } from "../platform/db/table.js";
import { assertLots, moveLots } from "./points/lots.store.js";

/** How a card's balance moved (vouchers-and-campaigns.md §14). The first four are credits, the rest points. */
export type EntryType =
  | "CREDITS_REDEMPTION"
  | "CREDITS_REFUND"
  | "CREDITS_ADDITION"
  | "CREDITS_REMOVAL"
  | "POINTS_ACCRUAL"
  | "POINTS_REDEMPTION"
  | "POINTS_REFUND"
  | "POINTS_ADDITION"
  | "POINTS_REMOVAL"
  | "POINTS_EXPIRATION"
  | "POINTS_TRANSFER_IN"
  | "POINTS_TRANSFER_OUT"
  | "PENDING_POINTS_ACTIVATION";

/** One line of the books: minor units of credit, or points. Never changed, never deleted. */
export interface LedgerEntry {
  id: string;
  voucher_id: string;
  campaign_id: string | null;
  type: EntryType;
  /** Positive adds, negative takes away. */
  amount: number;
  /** What is left on the card after this entry. */
  balance: number;
  /** Added less subtracted and expired, after this entry: the `total` that the API shows. */
  total: number;
  currency: string;
  redemption_id: string | null;
  rollback_id: string | null;
  order_id: string | null;
  source_id: string | null;
  source: string | null;
  reason: string | null;
  details: Record<string, unknown> | null;
  /** The event and the earning rule that gave the points; an event pays a card by a rule once. */
  event_id?: string | null;
  earning_rule_id?: string | null;
  /**
   * What it does to points that expire: negative where they are taken. What comes to the card with one day for all of it
   * says `expires_on` instead.
   */
  lots?: readonly Lot[] | null;
  /** The entry on the other side of a transfer. */
  related_transaction_id?: string | null;
  /** ISO 8601. */
  created_at: string;
}

const ledger_entries = table<LedgerEntry>("ledger_entries", {
  id: text,
  voucher_id: text,
  campaign_id: text,
  type: text,
  amount: int8,
  balance: int8,
  total: int8,
  currency: text,
  redemption_id: text,
  rollback_id: text,
  order_id: text,
  source_id: text,
  source: text,
  reason: text,
  details: jsonb,
  event_id: text,
  earning_rule_id: text,
  lots: json,
  related_transaction_id: text,
  created_at: timestamptz,
});

/** An entry that is to be made. */
export interface NewEntry extends LedgerEntry {
  /** The last day of points that are added, in place of `lots`; null: they do not expire. */
  expires_on?: Day | null;
}

/** A {@link LedgerEntry} as a statement selects it. */
export const ledger_fields = ledger_entries.fields;

export const findEntriesByIds = (db: Queries, project_id: string, ids: readonly string[]) =>
  db.many<LedgerEntry>(sql`
    select ${ledger_fields} from ledger_entries
     where ledger_entries.project_id = ${project_id} and ledger_entries.id = any(${ids}::text[])`);

/** What of a card's points an entry moves: credits are in no lots. */
export const isOfPoints = ({ type }: Pick<LedgerEntry, "type">): boolean => !type.startsWith("CREDITS_");

/**
 * Appends entries, and moves the cards' balances and lots with them, under the cards' keys. A card or a lot that holds too
 * little was missed by the decision: that is a bug of ours, and nothing is written. Credits, and points that do not expire,
 * are one statement; points that go are looked after once more.
 */
export function appendEntries(project_id: string, made: readonly NewEntry[]): readonly Sql[] {
  const entries = made.map((entry) => ({ ...entry, lots: lotsOf(entry) }));
  const moves = entries.flatMap(({ type, lots, voucher_id, campaign_id, created_at: at }) =>
    // Whoever ends lots has done so: what they held is known from that.
    type === "POINTS_EXPIRATION" ? [] : (lots ?? []).map((lot) => ({ ...lot, voucher_id, campaign_id, at })),
  );
  const losing = entries.filter((entry) => isOfPoints(entry) && entry.amount < 0).map(({ voucher_id }) => voucher_id);
  return [
    writeEntries(project_id, entries),
    ...moveLots(project_id, moves),
    ...forAny([...new Set(losing)], (ids) => assertLots(project_id, ids)),
  ];
}

const lotsOf = ({ lots, expires_on, amount }: NewEntry): readonly Lot[] | null =>
  lots ?? (expires_on ? [{ expires_on, points: amount }] : null);

const writeEntries = (project_id: string, entries: readonly LedgerEntry[]): Sql => sql`
    with entry as (
      ${insertInto(ledger_entries, project_id, entries)}
      returning ledger_entries.voucher_id, ledger_entries.type, ledger_entries.amount
    ), sums as (
      select entry.voucher_id,
             sum(entry.amount) as balance,
             coalesce(sum(entry.amount) filter (where entry.type like '%\_ADDITION' or entry.type like '%\_ACCRUAL'
                                                      or entry.type like '%\_IN' or entry.type like '%\_ACTIVATION'), 0) as added,
             coalesce(-sum(entry.amount) filter (where entry.type like '%\_REMOVAL' or entry.type like '%\_OUT'), 0) as subtracted,
             coalesce(-sum(entry.amount) filter (where entry.type like '%\_EXPIRATION'), 0) as expired,
             coalesce(-sum(entry.amount) filter (where entry.type like '%\_REDEMPTION' or entry.type like '%\_REFUND'), 0) as redeemed
        from entry
       group by entry.voucher_id
    ), moved as (
      update card_balances
         set added = card_balances.added + sums.added,
             subtracted = card_balances.subtracted + sums.subtracted,
             expired = card_balances.expired + sums.expired,
             redeemed = card_balances.redeemed + sums.redeemed,
             balance = card_balances.balance + sums.balance
        from sums
       where card_balances.project_id = ${project_id}
         and card_balances.voucher_id = sums.voucher_id
         and card_balances.balance + sums.balance >= 0
      returning card_balances.voucher_id
    )
    select must_be((select count(*) from moved), (select count(*) from sums), 'cards whose balance does not go below zero')`;
