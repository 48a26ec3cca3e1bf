import { randomInt } from "node:crypto";
import type { Tx } from "../platform/db/database.js";
import { column, type Sql, sql } from "../platform/db/sql.js";
import type { RedemptionRow } from "./redemptions.store.js";
import { slots } from "./usage.store.js";

/** What a redemption adds to the rows of one counter, money in minor units; all negative when it is rolled back. */
export interface HistoryMove {
  redemptions: number;
  orders_amount: number;
  discount_amount: number;
  gift_credits: number;
  object_id: string;
  whose: string;
  day: string;
  /** The voucher or customer whose long history has this row; null: the row is always kept. */
  kept_by: string | null;
}

/** Of everybody. */
const everybody = "";
export const ofCustomer = (id: string) => `customer ${id}`;
export const ofChannel = (id: string) => `channel ${id}`;

/**
 * The counters that a redemption moves beside those of its campaign and tier in all; with the sign −1 those that its
 * rollback gives back, on the redemption's own day.
 */
export function historyMoves(row: RedemptionRow, sign: 1 | -1): HistoryMove[] {
  const { voucher_id, promotion_tier_id, campaign_id, customer_id, channel, day } = row;
  const added = {
    redemptions: sign,
    orders_amount: sign * (row.order_amount ?? 0),
    discount_amount: sign * row.discount_amount,
    gift_credits: sign * (row.amount ?? 0),
  };
  const move = (object_id: string | null, whose: string, kept_by: string | null): HistoryMove[] =>
    object_id === null ? [] : [{ ...added, object_id, whose, day, kept_by }];
  const by_key = ofChannel(channel.channel_id);
  return [
    ...move(voucher_id, everybody, voucher_id),
    ...move(voucher_id, by_key, voucher_id),
    ...move(promotion_tier_id, by_key, null),
    ...(customer_id === null
      ? []
      : [voucher_id, promotion_tier_id, campaign_id].flatMap((id) => move(id, ofCustomer(customer_id), customer_id))),
  ];
}

/**
 * Moves the rows of long histories. Under the voucher's and the customer's key, so one row a day is enough; a tier's are
 * spread over slots and written last, as `moveDays` says.
 */
export async function moveHistories(tx: Tx, project_id: string, moves: readonly HistoryMove[]): Promise<void> {
  if (moves.length === 0) return;
  const slot = randomInt(slots);
  await tx.run(sql`
    insert into history_days (project_id, object_id, whose, day, slot, redemptions, orders_amount, discount_amount, gift_credits)
    select ${project_id}, move.object_id, move.whose, move.day, case when move.kept_by is null then ${slot}::int else 0 end,
           sum(move.redemptions), sum(move.orders_amount), sum(move.discount_amount), sum(move.gift_credits)
      from unnest(${column(moves, "object_id")}::text[], ${column(moves, "whose")}::text[], ${column(moves, "day")}::date[],
                  ${column(moves, "redemptions")}::bigint[], ${column(moves, "orders_amount")}::bigint[],
                  ${column(moves, "discount_amount")}::bigint[], ${column(moves, "gift_credits")}::bigint[],
                  ${column(moves, "kept_by")}::text[])
             as move (object_id, whose, day, redemptions, orders_amount, discount_amount, gift_credits, kept_by)
     where move.kept_by is null
        or exists (select from long_histories
                    where long_histories.project_id = ${project_id} and long_histories.id = move.kept_by)
     group by move.object_id, move.whose, move.day, move.kept_by
     order by move.object_id, move.whose, move.day
    on conflict (project_id, object_id, whose, day, slot) do update
       set redemptions = history_days.redemptions + excluded.redemptions,
           orders_amount = history_days.orders_amount + excluded.orders_amount,
           discount_amount = history_days.discount_amount + excluded.discount_amount,
           gift_credits = history_days.gift_credits + excluded.gift_credits`);
}

/** Some ten microseconds a redemption: enough for a voucher that was redeemed thirty million times. */
const opening_ms_max = 300_000;

/** A voucher or a customer whose redemptions are too many to be counted one by one. */
export interface LongHistory {
  kind: "voucher" | "customer";
  id: string;
}

/**
 * Makes the rows that count a long history from now on: its one and only scan. Under the voucher's or customer's key,
 * which every redemption and rollback of it holds.
 */
export async function openHistories(tx: Tx, project_id: string, histories: readonly LongHistory[]): Promise<void> {
  await tx.run(sql`-- every project: a setting of this transaction
    select set_config('statement_timeout', ${String(opening_ms_max)}, true)`);
  for (const { kind, id } of histories) {
    const opened = await tx.run(sql`
      insert into long_histories (project_id, id) values (${project_id}, ${id}) on conflict do nothing`);
    if (opened > 0)
      await tx.run(kind === "voucher" ? countedOfVoucher(project_id, id) : countedOfCustomer(project_id, id));
  }
}

const countedOfVoucher = (project_id: string, id: string) => sql`
  ${counted(project_id, sql`redemptions.voucher_id`, sql`whose.whose`)}
    from redemptions
   cross join lateral (values (${everybody}), ('channel ' || (redemptions.channel ->> 'channel_id'))) as whose (whose)
   where redemptions.project_id = ${project_id} and redemptions.voucher_id = ${id}
     and redemptions.object = 'redemption' and redemptions.status = 'SUCCEEDED'
   group by redemptions.voucher_id, whose.whose, redemptions.day`;

const countedOfCustomer = (project_id: string, id: string) => sql`
  ${counted(project_id, sql`object.id`, sql`${ofCustomer(id)}::text`)}
    from redemptions
   cross join lateral (values (redemptions.voucher_id), (redemptions.promotion_tier_id), (redemptions.campaign_id)) as object (id)
   where redemptions.project_id = ${project_id} and redemptions.customer_id = ${id}
     and redemptions.object = 'redemption' and redemptions.status = 'SUCCEEDED' and object.id is not null
   group by object.id, redemptions.day`;

const counted = (project_id: string, object_id: Sql, whose: Sql) => sql`
  insert into history_days (project_id, object_id, whose, day, slot, redemptions, orders_amount, discount_amount, gift_credits)
  select ${project_id}, ${object_id}, ${whose}, redemptions.day, 0, count(*), coalesce(sum(redemptions.order_amount), 0),
         sum(redemptions.discount_amount), coalesce(sum(redemptions.amount), 0)`;
