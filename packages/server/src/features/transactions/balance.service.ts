import { books, type LedgerEntry } from "../../books/index.js";
import { isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import { newId } from "../../platform/ids.js";
import { change, readUnderKeys } from "../../recording/index.js";
import { invalid, originOf, refusals } from "../../terms/index.js";
import type { Call } from "../projects/index.js";
import { knownVoucher, type VoucherRow, type VoucherType } from "../vouchers/index.js";
import { movedEvent } from "./transaction.events.js";
import type { BalanceBody, BalanceInput } from "./transaction.schemas.js";

/** How each card calls it. */
const kinds = {
  DISCOUNT_VOUCHER: null,
  GIFT_VOUCHER: {
    type: "gift_voucher",
    added: "CREDITS_ADDITION",
    removed: "CREDITS_REMOVAL",
    event: "voucher.gift.balance_added",
  },
  LOYALTY_CARD: {
    type: "loyalty_card",
    added: "POINTS_ADDITION",
    removed: "POINTS_REMOVAL",
    event: "voucher.loyalty_card.points_adjusted",
  },
} as const satisfies Record<VoucherType, unknown>;

/**
 * `POST /v1/vouchers/:code/balance`: adds credits or points by hand, or takes them away (vouchers-and-campaigns.md §14.1).
 * A card that is switched off or over takes part.
 */
export async function adjustBalance(
  context: Context,
  call: Call,
  code_or_id: string,
  input: BalanceInput,
): Promise<BalanceBody> {
  const { project_id } = call;
  return change(context, call, async ({ tx, add, tell }) => {
    const card = await readUnderKeys(
      tx,
      () => knownVoucher(tx, call, code_or_id),
      ({ id }) => [{ project_id, kind: "voucher", id }],
    );
    const kind = kinds[card.type];
    if (!kind) throw invalid("voucher", "A voucher of type DISCOUNT_VOUCHER has no balance");
    const entry = entryOf(call, card, input.amount > 0 ? kind.added : kind.removed, input);
    add(books.entries, entry);
    tell(movedEvent(kind.event, entry, card.holder_id));
    return {
      amount: entry.amount,
      total: entry.total,
      balance: entry.balance,
      type: kind.type,
      operation_type: "MANUAL",
      object: "balance",
      related_object: { type: "voucher", id: card.id },
    };
  });
}

function entryOf(
  { project, caller, label, instant }: Call,
  card: VoucherRow,
  type: LedgerEntry["type"],
  { amount, source_id, reason }: BalanceInput,
): LedgerEntry {
  assertAdjustable(card, amount);
  return {
    id: newId("vtx"),
    voucher_id: card.id,
    campaign_id: card.campaign_id,
    type,
    amount,
    balance: (card.balance ?? 0) + amount,
    // Both ways: what is taken away counts as subtracted, what is added as added.
    total: (card.added ?? 0) - (card.subtracted ?? 0) - (card.expired ?? 0) + amount,
    currency: project.currency,
    redemption_id: null,
    rollback_id: null,
    order_id: null,
    source_id: source_id ?? null,
    source: label || originOf(caller),
    reason: reason ?? null,
    details: null,
    created_at: isoOf(instant),
  };
}

function assertAdjustable({ type, holder_id, balance, added, subtracted }: VoucherRow, amount: number): void {
  if (amount === 0) throw refusals.invalidAddBalanceParams("Amount cannot be zero");
  if (type === "LOYALTY_CARD" && holder_id === null)
    throw refusals.invalidAddBalanceParams("Loyalty card must have a holder");
  if ((balance ?? 0) + amount < 0) throw refusals.invalidAddBalanceParams("Amount cannot exceed the balance");
  const sum = (amount > 0 ? (added ?? 0) : (subtracted ?? 0)) + Math.abs(amount);
  if (!Number.isSafeInteger(sum)) throw refusals.invalidAddBalanceParams("Balance cannot be that high");
}
