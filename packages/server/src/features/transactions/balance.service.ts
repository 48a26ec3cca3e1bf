import type { Day } from "@guerdon/engine";
import { addToCard, books, entryOf, localDay, takeFromCard } from "../../books/index.js";
import { isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { Tx } from "../../platform/db/database.js";
import { instantFrom, isDay } from "../../platform/http/dates.js";
import { problems } from "../../platform/http/problems.js";
import { type Change, change, readUnderKeys } from "../../recording/index.js";
import { invalid, originOf, refusals } from "../../terms/index.js";
import { knownCard } from "../loyalties/members/index.js";
import type { Call } from "../projects/index.js";
import { knownVoucher, readLastDays, type VoucherRow, type VoucherType } from "../vouchers/index.js";
import { movedEvent } from "./transaction.events.js";
import type { BalanceBody, BalanceInput, PointsBalanceBody, PointsInput } from "./transaction.schemas.js";

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

/** Days on which points of one card may expire that were dated by hand: each is a row, and read with the card. */
const custom_days_max = 1_000;

/**
 * `POST /v1/vouchers/:code/balance`: adds credits or points by hand, or takes them away (vouchers-and-campaigns.md §14.1).
 * A card that is switched off or over takes part.
 */
export const adjustBalance = (
  context: Context,
  call: Call,
  code_or_id: string,
  input: BalanceInput,
): Promise<BalanceBody> =>
  change(context, call, async (change) => {
    const find = () => knownVoucher(change.tx, call, code_or_id);
    const { amount, ...rest } = await adjust(change, call, find, input);
    return { amount, ...rest };
  });

/** `POST /v1/loyalties/members/:memberId/balance`, under its program or not: the same in points, which may be dated (loyalty.md §3.1). */
export const adjustPoints = (
  context: Context,
  call: Call,
  code_or_id: string,
  program: string | null,
  { points: amount, ...input }: PointsInput,
): Promise<PointsBalanceBody> =>
  change(context, call, async (change) => {
    const find = () => knownCard(change.tx, call, code_or_id, program);
    const { amount: points, ...rest } = await adjust(change, call, find, { ...input, amount });
    return { points, ...rest };
  });

type Adjustment = BalanceInput & Pick<PointsInput, "expiration_type" | "expiration_date">;

async function adjust(
  { tx, add, tell }: Change,
  call: Call,
  find: () => Promise<VoucherRow>,
  input: Adjustment,
): Promise<BalanceBody> {
  const { project_id } = call;
  const card = await readUnderKeys(tx, find, ({ id }) => [{ project_id, kind: "voucher", id }]);
  const kind = kinds[card.type];
  if (!kind) throw invalid("voucher", "A voucher of type DISCOUNT_VOUCHER has no balance");
  const { amount } = input;
  assertAdjustable(card, amount);
  const today = localDay(call.instant, call.project.timezone);
  const { card: after, lots } =
    amount > 0
      ? addToCard(card, amount, await lastDayOf(tx, call, card, input, today))
      : takeFromCard(card, -amount, "subtracted", today);
  const entry = entryOf(after, {
    ...{ type: amount > 0 ? kind.added : kind.removed, amount, currency: call.project.currency, lots },
    ...{ source_id: input.source_id, source: call.label || originOf(call.caller), reason: input.reason },
    created_at: isoOf(call.instant),
  });
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
}

/** The last day of points that are added; null where they do not expire, as credits do not. */
async function lastDayOf(
  tx: Tx,
  { project_id, project }: Call,
  { type, campaign_id, lots }: VoucherRow,
  { expiration_type, expiration_date }: Adjustment,
  today: Day,
): Promise<Day | null> {
  if (type !== "LOYALTY_CARD" || expiration_type === "NON_EXPIRING") return null;
  if (expiration_type !== "CUSTOM_DATE") {
    const lastDay = await readLastDays(tx, project_id, [campaign_id]);
    return lastDay(campaign_id, today);
  }
  if (!expiration_date) throw problems.invalidPayload("Property .expiration_date is required for CUSTOM_DATE");
  const day = isDay(expiration_date) ? expiration_date : localDay(instantFrom(expiration_date) ?? 0, project.timezone);
  if (day < today) throw refusals.invalidExpirationDate();
  const is_new = lots?.every(({ expires_on }) => expires_on !== day) ?? true;
  if (is_new && (lots?.length ?? 0) >= custom_days_max)
    throw refusals.invalidAddBalanceParams(`Points of a card cannot expire on more than ${custom_days_max} days`);
  return day;
}

function assertAdjustable({ type, holder_id, balance, added, subtracted }: VoucherRow, amount: number): void {
  if (amount === 0) throw refusals.invalidAddBalanceParams("Amount cannot be zero");
  if (type === "LOYALTY_CARD" && holder_id === null)
    throw refusals.invalidAddBalanceParams("Loyalty card must have a holder");
  if ((balance ?? 0) + amount < 0) throw refusals.invalidAddBalanceParams("Amount cannot exceed the balance");
  const sum = (amount > 0 ? (added ?? 0) : (subtracted ?? 0)) + Math.abs(amount);
  if (!Number.isSafeInteger(sum)) throw refusals.invalidAddBalanceParams("Balance cannot be that high");
}
