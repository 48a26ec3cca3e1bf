import type { Day, Lot, OrderPart } from "@guerdon/engine";
import {
  books,
  countedByDay,
  type DayMove,
  entryOf,
  historyMoves,
  type LedgerEntry,
  localDay,
  type RedemptionRow,
  type RewardRedemption,
  redeemedOf,
  returnToCard,
  type Standing,
  takeFromCard,
  unitMovesOf,
  type VoucherAfter,
} from "../../books/index.js";
import { kindOf, type OrderView } from "../../deciding/index.js";
import { isoOf } from "../../platform/clock.js";
import type { Problem } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import type { Change } from "../../recording/index.js";
import { redemptionChannelOf } from "../../terms/index.js";
import { type Order, order_rows, orderEvents } from "../orders/index.js";
import type { Call } from "../projects/index.js";
import { moveForReward, rewardReturnedEvent } from "../rewards/index.js";
import { movedEvent } from "../transactions/index.js";
import type { LastDayOf, VoucherRow } from "../vouchers/index.js";
import { totalsOf } from "./order-left.js";
import { rollbackEvent } from "./redemption.events.js";
import type { RollbackInput } from "./redemption.schemas.js";

/** What a rollback wrote. */
export interface Undone {
  /** One for each redemption that was undone, in their order. */
  rollbacks: RedemptionRow[];
  /** Only for a stack. */
  parent: RedemptionRow | null;
  order: Order | undefined;
}

interface ToUndo {
  root: RedemptionRow;
  parts: readonly RedemptionRow[];
  /** What the books say of the vouchers of the parts. */
  standings: ReadonlyMap<string, Standing>;
  /** What parts gave for points, by the part. */
  rewards: ReadonlyMap<string, RewardRedemption>;
  /** Vouchers of other campaigns that rewards gave or added to, by id; in the bin too. */
  given: ReadonlyMap<string, VoucherRow>;
  /** What parts took from lots, by the part. */
  lots: ReadonlyMap<string, readonly Lot[]>;
  lastDayOf: LastDayOf;
  /** The order as it shall be. */
  order: Order | undefined;
  mode: "WITH_ORDER" | "WITHOUT_ORDER";
  changed: boolean;
}

/** Gives back everything that the redemption took: usage, credits, counters of its own day, the order's discounts. */
export function undo(
  change: Change,
  call: Call,
  { root, parts, standings: known, rewards, given, lots: taken, lastDayOf, order, mode, changed }: ToUndo,
  input: RollbackInput,
): Undone {
  const is_stack = parts[0] !== root;
  const today = localDay(call.instant, call.project.timezone);
  const standings = new Map(known);
  const rollbacks = parts.map((part) => {
    const row = rollbackRow(call, part, "rr", input, mode);
    const standing = part.voucher_id === null ? undefined : standings.get(part.voucher_id);
    if (!standing) return { ...row, ...orderLeft(order, is_stack) };
    const comes_to = lastDayOf(part.campaign_id, today);
    const { card, lots } = returnToCard(standing, part.amount ?? 0, taken.get(part.id) ?? [], { today, comes_to });
    const returned = oneUseLess(card, standing);
    standings.set(standing.voucher_id, returned);
    const reward = rewards.get(part.id);
    const entry = refundOf(call, part, row, returned, reward, lots);
    if (entry) change.add(books.entries, entry);
    if (reward) takeBack(change, reward, entry);
    else if (entry)
      change.tell(movedEvent("voucher.gift.transaction.created", entry, standing.holder_id ?? part.customer_id));
    return { ...row, ...orderLeft(order, is_stack), voucher_after: afterOf(returned) };
  });
  // Once everything is refunded: what was given may have been spent in the same stack.
  for (const [i, part] of parts.entries()) {
    const reward = rewards.get(part.id);
    const rollback = rollbacks[i];
    if (reward && rollback) takeGiven(change, standings, given, reward, rollback, today);
  }
  const parent = is_stack ? { ...rollbackRow(call, root, "rr", input, mode), ...orderLeft(order, false) } : null;
  const rows = [...rollbacks, ...(parent ? [parent] : [])];
  change.add(books.rolled_back, ...new Set([root.id, ...parts.map(({ id }) => id)]));
  change.add(books.redemptions, ...rows);
  for (const part of parts) {
    const redeemed = redeemedOf(part);
    if (redeemed) kindOf(redeemed.object)?.undoing?.undo(change, redeemed.id);
  }
  change.add(books.days, ...parts.flatMap((part) => takenBack(part, rewards.has(part.id))));
  change.add(books.histories, ...parts.flatMap((part) => historyMoves(part, -1)));
  change.add(books.units, ...parts.flatMap((part) => unitMovesOf(part, -1)));
  change.tell(...rows.map((row) => rollbackEvent(row, "redemption.rollback.succeeded")));
  if (order && changed) {
    change.add(order_rows, order);
    change.tell(...orderEvents({ ...order, status: "PAID" }, order, rows.at(-1)?.id));
  }
  return { rollbacks, parent, order };
}

/** A rollback that was refused leaves a record and an event; answers the refusal, which names the record. */
export function recordRefusal(
  change: Change,
  call: Call,
  redemption: RedemptionRow,
  refusalOf: (rollback_id: string) => Problem,
  input: RollbackInput,
): Problem {
  const row = rollbackRow(call, redemption, "rrf", input, null);
  const refusal = refusalOf(row.id);
  const failed: RedemptionRow = {
    ...row,
    result: "FAILURE",
    status: "FAILED",
    amount: null,
    failure_code: refusal.body.key ?? null,
    failure_message: refusal.body.message,
  };
  change.add(books.redemptions, failed);
  change.tell(rollbackEvent(failed, "redemption.rollback.failed"));
  return refusal;
}

function rollbackRow(
  call: Call,
  redemption: RedemptionRow,
  prefix: "rr" | "rrf",
  input: RollbackInput,
  rollback_order_mode: string | null,
): RedemptionRow {
  return {
    ...redemption,
    id: newId(prefix),
    object: "redemption_rollback",
    status: "SUCCEEDED",
    redemption_id: redemption.id,
    parent_id: null,
    session_key: null,
    amount: redemption.amount === null ? null : -redemption.amount,
    parts: null,
    units: null,
    order_version: null,
    order_after: null,
    voucher_after: null,
    metadata: input.metadata ?? redemption.metadata,
    channel: redemptionChannelOf(call.caller),
    reason: input.reason ?? null,
    rollback_order_mode,
    created_at: call.instant,
  };
}

/** A child shows what the whole rollback left of the order, in short. */
function orderLeft(order: Order | undefined, is_child: boolean): Partial<RedemptionRow> {
  if (!order) return {};
  if (!is_child) return { order_version: order.version };
  const order_after: OrderView = { ...totalsOf(order), object: "order" };
  return { order_after };
}

/** What holds nothing stays so. */
function oneUseLess(returned: Standing, before: Standing): Standing {
  const { redeemed_quantity } = before;
  const standing = before.balance === null ? before : returned;
  return { ...standing, redeemed_quantity: redeemed_quantity === null ? null : redeemed_quantity - 1 };
}

function afterOf({ redeemed_quantity, balance, redeemed, lots }: Standing): VoucherAfter {
  return {
    redeemed_quantity: redeemed_quantity ?? 0,
    ...(balance === null ? {} : { balance, redeemed: redeemed ?? 0 }),
    ...(lots === null ? {} : { lots: lots.slice(0, 1) }),
  };
}

/** Points were spent on a reward, credits on nothing but the order. */
function refundOf(
  call: Call,
  part: RedemptionRow,
  rollback: RedemptionRow,
  after: Standing,
  reward: RewardRedemption | undefined,
  lots: readonly Lot[] | null,
): LedgerEntry | null {
  if (!part.amount) return null;
  if (after.balance === null) throw new Error(`redemption ${part.id} spent from ${after.voucher_id}, which is no card`);
  const { amount, campaign_id, currency, id: redemption_id, order_id } = part;
  return entryOf(
    { ...after, id: after.voucher_id, campaign_id },
    {
      ...{ type: reward ? "POINTS_REFUND" : "CREDITS_REFUND", amount, currency, redemption_id, order_id, lots },
      rollback_id: rollback.id,
      details: reward ? { reward: { id: reward.reward_id, name: reward.reward_name } } : null,
      created_at: isoOf(call.instant),
    },
  );
}

/** A reward cannot be kept and refunded (loyalty.md §9.5). */
function takeBack(change: Change, reward: RewardRedemption, refund: LedgerEntry | null): void {
  const { id, reward_id, reward_type, units } = reward;
  change.add(books.rewards_returned, { id, at: change.cause.instant });
  change.add(books.rewards, { reward_id, is_held: reward_type !== "COIN", stock: null, times: -units });
  change.tell(rewardReturnedEvent(reward, refund?.id ?? null));
}

/** Of credits or points that were given what is still there. */
function takeGiven(
  change: Change,
  standings: Map<string, Standing>,
  given: ReadonlyMap<string, VoucherRow>,
  { given_voucher_id, given_amount, reward_id, reward_name, redemption_id }: RewardRedemption,
  rollback: RedemptionRow,
  today: Day,
): void {
  const card = standings.get(given_voucher_id ?? "");
  const voucher = given.get(given_voucher_id ?? "");
  const amount = Math.min(given_amount ?? 0, card?.balance ?? 0);
  if (!card || !voucher || amount === 0) return;
  const { card: after, lots } = takeFromCard(card, amount, "subtracted", today);
  standings.set(card.voucher_id, after);
  const { id, type, campaign_id, holder_id } = voucher;
  const reward = { id: reward_id, name: reward_name };
  const because = { reward, currency: rollback.currency, redemption_id, rollback_id: rollback.id };
  moveForReward(change, { ...after, id, type, campaign_id, holder_id }, -amount, lots, because);
}

/** The counters of the redemption's own day, not of today's (rules.md §7). */
function takenBack(part: RedemptionRow, is_of_points: boolean): DayMove[] {
  const { parts, day, amount, order_amount, discount_amount } = part;
  const units = (parts as OrderPart | null)?.lines.reduce((sum, line) => sum + line.discounted_units, 0) ?? 0;
  return countedByDay(part).map((object_id) => ({
    object_id,
    day,
    redemptions: -1,
    orders_amount: -(order_amount ?? 0),
    discount_amount: -discount_amount,
    gift_credits: is_of_points ? 0 : -(amount ?? 0),
    units: -units,
  }));
}
