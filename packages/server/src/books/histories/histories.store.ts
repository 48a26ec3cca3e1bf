import { randomInt } from "node:crypto";
import { isoOf } from "../../platform/clock.js";
import { column, forAny, type Sql, sql } from "../../platform/db/sql.js";
import { countedIds, hasHistory, redeemedOf } from "../redeemed.js";
import type { RedemptionRow } from "../redemptions.store.js";
import type { ItemUnits } from "../units.store.js";
import { slots } from "../usage.store.js";

/** What a redemption adds to the rows of one counter, money in minor units; all negative when it is rolled back. */
export interface HistoryMove {
  redemptions: number;
  orders_amount: number;
  discount_amount: number;
  gift_credits: number;
  /** Only where unit budgets look at them. */
  units: readonly ItemUnits[];
  object_id: string;
  whose: string;
  day: string;
  /** When it was redeemed, ISO 8601: rows hold what was made up to a moment. */
  created_at: string;
  /** The voucher or customer whose long history has this row; null: the row is always kept. */
  kept_by: string | null;
}

/** Of everybody. */
export const everybody = "";
export const ofCustomer = (id: string) => `customer ${id}`;
export const ofChannel = (id: string) => `channel ${id}`;

/**
 * The counters that a redemption moves beside those of its campaign and tier in all; with the sign −1 those that its
 * rollback gives back, on the redemption's own day.
 * @param inRows whether rows hold the history of a voucher or customer, as it was read under its key; without it the database is asked
 */
export function historyMoves(
  row: RedemptionRow,
  sign: 1 | -1,
  inRows: (id: string) => boolean = () => true,
): HistoryMove[] {
  const { customer_id, channel, day } = row;
  const items = (row.units ?? []).map((item) => ({ ...item, units: sign * item.units }));
  const created_at = isoOf(row.created_at);
  const moves: HistoryMove[] = [];
  const move = (object_id: string, whose: string, kept_by: string | null, units: readonly ItemUnits[] = []) => {
    if (kept_by !== null && !inRows(kept_by)) return;
    moves.push({
      object_id,
      whose,
      kept_by,
      redemptions: sign,
      orders_amount: sign * (row.order_amount ?? 0),
      discount_amount: sign * row.discount_amount,
      gift_credits: sign * (row.amount ?? 0),
      units,
      day,
      created_at,
    });
  };
  const redeemed = redeemedOf(row);
  if (redeemed !== null) {
    const { object, id } = redeemed;
    const kept_by = hasHistory(object) ? id : null;
    if (kept_by !== null) move(id, everybody, kept_by, items);
    move(id, ofChannel(channel.channel_id), kept_by);
  }
  if (customer_id !== null) for (const id of countedIds(row)) move(id, ofCustomer(customer_id), customer_id, items);
  return moves;
}

/** Moves the rows of long histories as far as they are counted; a slice that comes to the rest finds it as it is by then. */
export function moveHistories(project_id: string, moves: readonly HistoryMove[]): readonly Sql[] {
  const units = moves.flatMap((move) => move.units.map((item) => ({ ...move, ...item })));
  return [moveDaysOfHistories(project_id, moves), ...forAny(units, (rows) => moveUnitsOfHistories(project_id, rows))];
}

/**
 * Under the voucher's and the customer's key, so one row a day is enough; a tier's are spread over slots and written last,
 * as `moveDays` says.
 */
function moveDaysOfHistories(project_id: string, moves: readonly HistoryMove[]): Sql {
  const slot = randomInt(slots);
  return sql`
    insert into history_days (project_id, object_id, whose, day, slot, redemptions, orders_amount, discount_amount, gift_credits)
    select ${project_id}, move.object_id, move.whose, move.day, case when move.kept_by is null then ${slot}::int else 0 end,
           sum(move.redemptions), sum(move.orders_amount), sum(move.discount_amount), sum(move.gift_credits)
      from unnest(${column(moves, "object_id")}::text[], ${column(moves, "whose")}::text[], ${column(moves, "day")}::date[],
                  ${column(moves, "redemptions")}::bigint[], ${column(moves, "orders_amount")}::bigint[],
                  ${column(moves, "discount_amount")}::bigint[], ${column(moves, "gift_credits")}::bigint[],
                  ${column(moves, "created_at")}::timestamptz[], ${column(moves, "kept_by")}::text[])
             as move (object_id, whose, day, redemptions, orders_amount, discount_amount, gift_credits, created_at, kept_by)
     where move.kept_by is null
        or move.created_at <= (select long_histories.counted_to from long_histories
                                where long_histories.project_id = ${project_id} and long_histories.id = move.kept_by)
     group by move.object_id, move.whose, move.day, move.kept_by
     order by move.object_id, move.whose, move.day
    ${added_to_days}`;
}

const moveUnitsOfHistories = (
  project_id: string,
  moves: readonly (ItemUnits & Pick<HistoryMove, "object_id" | "whose" | "created_at" | "kept_by">)[],
): Sql => sql`
    insert into history_units (project_id, object_id, whose, product, sku, units)
    select ${project_id}, move.object_id, move.whose, move.product, move.sku, sum(move.units)
      from unnest(${column(moves, "object_id")}::text[], ${column(moves, "whose")}::text[], ${column(moves, "product")}::text[],
                  ${column(moves, "sku")}::text[], ${column(moves, "units")}::bigint[],
                  ${column(moves, "created_at")}::timestamptz[], ${column(moves, "kept_by")}::text[])
             as move (object_id, whose, product, sku, units, created_at, kept_by)
     where move.created_at <= (select long_histories.counted_to from long_histories
                                where long_histories.project_id = ${project_id} and long_histories.id = move.kept_by)
     group by move.object_id, move.whose, move.product, move.sku
     order by move.object_id, move.whose, move.product, move.sku
    ${added_to_units}`;

/** What an `insert` of moves does where a counter has its row. */
export const added_to_days = sql`
    on conflict (project_id, object_id, whose, day, slot) do update
       set redemptions = history_days.redemptions + excluded.redemptions,
           orders_amount = history_days.orders_amount + excluded.orders_amount,
           discount_amount = history_days.discount_amount + excluded.discount_amount,
           gift_credits = history_days.gift_credits + excluded.gift_credits`;

export const added_to_units = sql`
    on conflict (project_id, object_id, whose, product, sku) do update
       set units = history_units.units + excluded.units`;
