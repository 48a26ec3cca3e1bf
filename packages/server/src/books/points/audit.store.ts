import type { Day } from "@guerdon/engine";
import type { Queries } from "../../platform/db/database.js";
import { sql } from "../../platform/db/sql.js";

/** A card whose sums are not what its books say. */
interface BrokenBooks {
  voucher_id: string;
  balance: number;
  /** What it was made with and all that came and went. */
  entries: number;
  /** What its lots hold, which is part of the balance. */
  dated: number;
}

/** Of these cards those whose balance is not the sum of their entries, or less than their lots hold; read in one moment. */
export const findBrokenBooks = (db: Queries, project_id: string, voucher_ids: readonly string[]) =>
  db.many<BrokenBooks>(sql`
    with card as (
      select card_balances.voucher_id, card_balances.balance,
             card_balances.opening + (
               select coalesce(sum(ledger_entries.amount), 0)::bigint from ledger_entries
                where ledger_entries.project_id = ${project_id}
                  and ledger_entries.voucher_id = card_balances.voucher_id) as entries,
             (select coalesce(sum(point_lots.points_left), 0)::bigint from point_lots
               where point_lots.project_id = ${project_id} and point_lots.voucher_id = card_balances.voucher_id
                 and point_lots.expired_at is null) as dated
        from card_balances
       where card_balances.project_id = ${project_id} and card_balances.voucher_id = any(${voucher_ids}::text[])
    )
    select card.voucher_id, card.balance, card.entries, card.dated from card
     where card.balance <> card.entries or card.dated > card.balance`);

/** The next cards of a project, of credits and of points, by id. */
export const findCardIdsAfter = async (db: Queries, project_id: string, after_id: string, cards_max: number) =>
  (
    await db.many<{ voucher_id: string }>(sql`
      select card_balances.voucher_id from card_balances
       where card_balances.project_id = ${project_id} and card_balances.voucher_id > ${after_id}
       order by card_balances.voucher_id limit ${cards_max}`)
  ).map(({ voucher_id }) => voucher_id);

/** Points of a program's cards that can be spent, those of them that expire, by month, and those that wait; all of one moment. */
export interface Liability {
  outstanding: number;
  /** Points that wait for their day, and are not outstanding yet. */
  pending: number;
  /** By the first day of the month in which they expire. */
  expiring: { month: Day; points: number }[];
}

export const sumLiability = (db: Queries, project_id: string, campaign_id: string) =>
  db.one<Liability>(sql`
    select (select coalesce(sum(card_balances.balance), 0)::bigint
              from vouchers
              join card_balances on card_balances.project_id = vouchers.project_id
                                and card_balances.voucher_id = vouchers.id
             where vouchers.project_id = ${project_id} and vouchers.campaign_id = ${campaign_id}
               and vouchers.deleted_at is null) as outstanding,
           (select coalesce(sum(pending_points.points), 0)::bigint
              from pending_points
              join vouchers on vouchers.project_id = pending_points.project_id and vouchers.id = pending_points.voucher_id
             where pending_points.project_id = ${project_id} and pending_points.campaign_id = ${campaign_id}
               and pending_points.status = 'PENDING' and vouchers.deleted_at is null) as pending,
           (select coalesce(json_agg(by_month order by by_month.month), '[]') from (
              select date_trunc('month', point_lots.expires_on)::date as month, sum(point_lots.points_left)::bigint as points
                from vouchers
                join point_lots on point_lots.project_id = vouchers.project_id and point_lots.voucher_id = vouchers.id
               where vouchers.project_id = ${project_id} and vouchers.campaign_id = ${campaign_id}
                 and vouchers.deleted_at is null and point_lots.expired_at is null and point_lots.points_left > 0
               group by 1) as by_month) as expiring`);
