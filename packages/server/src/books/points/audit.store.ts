import type { Day } from "@guerdon/engine";
import type { Queries } from "../../platform/db/database.js";
import { type Sql, sql } from "../../platform/db/sql.js";

/** What a card's books must say, in the order of the invariants of loyalty.md §2.2, and after those what follows from how we keep them. */
export type BookLaw =
  | "balance is what came less what went"
  | "no sum is below zero"
  | "lots hold no more than the balance"
  | "points are activated once, as many as pended"
  | "the newest entry says the balance"
  | "the newest entry says the total"
  | "entries sum to the balance"
  | "lots say what expired";

/** A card whose sums are not what its books say. */
interface BrokenBooks {
  voucher_id: string;
  balance: number;
  /** What it was made with and all that came and went. */
  entries: number;
  /** What its lots hold, which is part of the balance. */
  dated: number;
  broken: BookLaw[];
}

const unless = (holds: Sql, law: BookLaw): Sql => sql`case when not (${holds}) then ${law}::text end`;

/**
 * Of these cards those whose sums, lots, entries and pending points do not go together; read in one moment. The newest entry is
 * asked of points alone: what a gift card was made with may be changed behind its entries until somebody has it.
 */
export const findBrokenBooks = (db: Queries, project_id: string, voucher_ids: readonly string[]) =>
  db.many<BrokenBooks>(sql`
    with card as (
      select card_balances.*,
             card_balances.opening + (
               select coalesce(sum(ledger_entries.amount), 0)::bigint from ledger_entries
                where ledger_entries.project_id = ${project_id}
                  and ledger_entries.voucher_id = card_balances.voucher_id) as entries,
             lots.dated, lots.over, lots.least,
             card_balances.added - card_balances.subtracted - card_balances.expired as total
        from card_balances
       cross join lateral (
         select coalesce(sum(point_lots.points_left) filter (where point_lots.expired_at is null), 0)::bigint as dated,
                coalesce(sum(point_lots.points_expired), 0)::bigint as over,
                coalesce(min(least(point_lots.points_left, point_lots.points_expired)), 0) as least
           from point_lots
          where point_lots.project_id = ${project_id} and point_lots.voucher_id = card_balances.voucher_id) as lots
       where card_balances.project_id = ${project_id} and card_balances.voucher_id = any(${voucher_ids}::text[])
    ), judged as (
      select card.voucher_id, card.balance, card.entries, card.dated, array_remove(array[
               ${unless(sql`card.balance = card.added - card.subtracted - card.expired - card.redeemed`, "balance is what came less what went")},
               ${unless(sql`least(card.added, card.subtracted, card.expired, card.redeemed, card.balance, card.least) >= 0`, "no sum is below zero")},
               ${unless(sql`card.dated <= card.balance`, "lots hold no more than the balance")},
               ${unless(sql`misled.activations = 0`, "points are activated once, as many as pended")},
               ${unless(sql`newest.balance is null or (newest.balance = card.balance and newest.told_balance = card.balance)`, "the newest entry says the balance")},
               ${unless(sql`newest.total is null or (newest.total = card.total and newest.told_total = card.total)`, "the newest entry says the total")},
               ${unless(sql`card.entries = card.balance`, "entries sum to the balance")},
               ${unless(sql`card.over = card.expired`, "lots say what expired")}
             ], null) as broken
        from card
        left join lateral (
          select ledger_entries.balance, ledger_entries.total,
                 coalesce((ledger_entries.details #>> '{balance,balance}')::bigint, ledger_entries.balance) as told_balance,
                 coalesce((ledger_entries.details #>> '{balance,total}')::bigint, ledger_entries.total) as told_total
            from ledger_entries
           where ledger_entries.project_id = ${project_id} and ledger_entries.voucher_id = card.voucher_id
             and ledger_entries.type not like 'CREDITS%'
           order by ledger_entries.id desc limit 1) as newest on true
       cross join lateral (
         select count(*) as activations from ledger_entries
           join pending_points on pending_points.project_id = ledger_entries.project_id
                              and pending_points.event_id = ledger_entries.event_id
                              and pending_points.earning_rule_id = ledger_entries.earning_rule_id
                              and pending_points.voucher_id = ledger_entries.voucher_id
          where ledger_entries.project_id = ${project_id} and ledger_entries.voucher_id = card.voucher_id
            and ledger_entries.type = 'PENDING_POINTS_ACTIVATION'
            and (pending_points.status <> 'ACTIVATED' or pending_points.points <> ledger_entries.amount)) as misled
    )
    select judged.* from judged where cardinality(judged.broken) > 0 order by judged.voucher_id`);

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

/** What JSON can say of a sum; those that do not stand in JSON are read so anyhow. */
const largest = Number.MAX_SAFE_INTEGER;

export const sumLiability = (db: Queries, project_id: string, campaign_id: string) =>
  db.one<Liability>(sql`
    select (select coalesce(sum(card_balances.balance), 0)
              from vouchers
              join card_balances on card_balances.project_id = vouchers.project_id
                                and card_balances.voucher_id = vouchers.id
             where vouchers.project_id = ${project_id} and vouchers.campaign_id = ${campaign_id}
               and vouchers.deleted_at is null) as outstanding,
           (select coalesce(sum(pending_points.points), 0)
              from pending_points
              join vouchers on vouchers.project_id = pending_points.project_id and vouchers.id = pending_points.voucher_id
             where pending_points.project_id = ${project_id} and pending_points.campaign_id = ${campaign_id}
               and pending_points.status = 'PENDING' and vouchers.deleted_at is null) as pending,
           (select coalesce(json_agg(by_month order by by_month.month), '[]') from (
              select date_trunc('month', point_lots.expires_on)::date as month, least(sum(point_lots.points_left), ${largest}) as points
                from vouchers
                join point_lots on point_lots.project_id = vouchers.project_id and point_lots.voucher_id = vouchers.id
               where vouchers.project_id = ${project_id} and vouchers.campaign_id = ${campaign_id}
                 and vouchers.deleted_at is null and point_lots.expired_at is null and point_lots.points_left > 0
               group by 1) as by_month) as expiring`);
