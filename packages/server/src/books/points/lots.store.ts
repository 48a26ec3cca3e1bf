import type { Day, Lot } from "@guerdon/engine";
import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { column, exactly, forAny, type Sql, sql } from "../../platform/db/sql.js";
import { newId } from "../../platform/ids.js";

/** A card's lots as a statement selects them, by day: those that still hold something. */
export const lotsOf = (card: { project_id: Sql; id: Sql }): Sql => sql`(
  select coalesce(json_agg(json_build_object('expires_on', point_lots.expires_on, 'points', point_lots.points_left)
                           order by point_lots.expires_on), '[]')
    from point_lots
   where point_lots.project_id = ${card.project_id} and point_lots.voucher_id = ${card.id}
     and point_lots.expired_at is null and point_lots.points_left > 0)`;

/** Those of a voucher; null where it holds no points. */
export const lots_of_voucher = sql`
  case when vouchers.type = 'LOYALTY_CARD' then ${lotsOf({ project_id: sql`vouchers.project_id`, id: sql`vouchers.id` })}
        end as lots`;

/** The same for lists, which show the first alone. */
export const first_lot_of_voucher = sql`
  case when vouchers.type = 'LOYALTY_CARD' then (
    select coalesce(json_agg(first), '[]') from (
      select point_lots.expires_on, point_lots.points_left as points from point_lots
       where point_lots.project_id = vouchers.project_id and point_lots.voucher_id = vouchers.id
         and point_lots.expired_at is null and point_lots.points_left > 0
       order by point_lots.expires_on limit 1) as first)
        end as lots`;

/** What an entry in the books does to a lot: negative where points are taken. */
interface LotMove extends Lot {
  voucher_id: string;
  campaign_id: string | null;
  /** ISO 8601. */
  at: string;
}

/** Adds to lots, making those that are new, and takes from others; under the cards' keys. */
export function moveLots(project_id: string, moves: readonly LotMove[]): readonly Sql[] {
  const sums = [...summed(moves)];
  const [added, taken] = [sums.filter(({ points }) => points > 0), sums.filter(({ points }) => points < 0)];
  return [
    ...forAny(added, (rows) => addToLots(project_id, rows)),
    ...forAny(taken, (rows) => takeFromLots(project_id, rows)),
  ];
}

/** One a card and day, since a statement changes a row once. */
function summed(moves: readonly LotMove[]): Iterable<LotMove> {
  const sums = new Map<string, LotMove>();
  for (const move of moves) {
    const name = `${move.voucher_id} ${move.expires_on}`;
    sums.set(name, { ...move, points: move.points + (sums.get(name)?.points ?? 0) });
  }
  return sums.values();
}

function addToLots(project_id: string, moves: readonly LotMove[]): Sql {
  const ids = moves.map(() => newId("lopb"));
  return sql`
    insert into point_lots (project_id, id, voucher_id, campaign_id, expires_on, points_left, created_at)
    select ${project_id}, added.id, added.voucher_id, added.campaign_id, added.expires_on, added.points, added.at
      from unnest(${ids}::text[], ${column(moves, "voucher_id")}::text[], ${column(moves, "campaign_id")}::text[],
                  ${column(moves, "expires_on")}::date[], ${column(moves, "points")}::bigint[],
                  ${column(moves, "at")}::timestamptz[]) as added (id, voucher_id, campaign_id, expires_on, points, at)
        on conflict (project_id, voucher_id, expires_on) do update
       set points_left = point_lots.points_left + excluded.points_left, updated_at = excluded.created_at`;
}

function takeFromLots(project_id: string, moves: readonly LotMove[]): Sql {
  const taking = sql`
    update point_lots
       set points_left = point_lots.points_left + taken.points, updated_at = taken.at
      from unnest(${column(moves, "voucher_id")}::text[], ${column(moves, "expires_on")}::date[],
                  ${column(moves, "points")}::bigint[], ${column(moves, "at")}::timestamptz[])
        as taken (voucher_id, expires_on, points, at)
     where point_lots.project_id = ${project_id} and point_lots.voucher_id = taken.voucher_id
       and point_lots.expires_on = taken.expires_on and point_lots.expired_at is null
       and point_lots.points_left + taken.points >= 0`;
  return exactly(moves.length, "lots that held enough", taking);
}

/** Points that expire are never more than a card holds: whoever took points and forgot its lots is found out here. */
export const assertLots = (project_id: string, voucher_ids: readonly string[]): Sql => sql`
    select must_be(count(*), 0, 'cards whose lots would hold more than they do') from card_balances
     where card_balances.project_id = ${project_id} and card_balances.voucher_id = any(${voucher_ids}::text[])
       and card_balances.balance < (
         select coalesce(sum(point_lots.points_left), 0) from point_lots
          where point_lots.project_id = card_balances.project_id and point_lots.voucher_id = card_balances.voucher_id
            and point_lots.expired_at is null)`;

/** What redemptions took from lots, by the redemption; one that took nothing from any is not among them. */
export const findLotsSpent = (db: Queries, project_id: string, redemption_ids: readonly string[]) =>
  db.many<{ redemption_id: string; voucher_id: string; lots: readonly Lot[] }>(sql`
    select ledger_entries.redemption_id, ledger_entries.voucher_id, ledger_entries.lots from ledger_entries
     where ledger_entries.project_id = ${project_id} and ledger_entries.redemption_id = any(${redemption_ids}::text[])
       and ledger_entries.lots is not null and ledger_entries.type = 'POINTS_REDEMPTION'`);

/** A lot as a list of them shows it. */
export interface LotRow {
  id: string;
  voucher_id: string;
  campaign_id: string | null;
  expires_on: Day;
  points_left: number;
  created_at: Instant;
  updated_at: Instant | null;
}

const lot_fields = sql`
  point_lots.id, point_lots.voucher_id, point_lots.campaign_id, point_lots.expires_on, point_lots.points_left,
  point_lots.created_at, point_lots.updated_at`;

/** The lots of a card that have not expired, the empty ones too, by day. */
export const listLots = (
  db: Queries,
  project_id: string,
  voucher_id: string,
  { limit, offset }: { limit: number; offset: number },
) =>
  db.many<LotRow>(sql`
    select ${lot_fields} from point_lots
     where point_lots.project_id = ${project_id} and point_lots.voucher_id = ${voucher_id}
       and point_lots.expired_at is null
     order by point_lots.expires_on limit ${limit} offset ${offset}`);

export const countLots = (db: Queries, project_id: string, voucher_id: string) =>
  db.one<{ lots: number; points: number }>(sql`
    select count(*) as lots, coalesce(sum(point_lots.points_left), 0)::bigint as points from point_lots
     where point_lots.project_id = ${project_id} and point_lots.voucher_id = ${voucher_id}
       and point_lots.expired_at is null`);

const isOver = (day: Day): Sql => sql`point_lots.expires_on < ${day}::date and point_lots.expired_at is null`;

/** The first day on which a lot was last good that has not expired yet. */
export const firstLotDay = async (db: Queries, project_id: string): Promise<Day | null> =>
  (
    await db.one<{ expires_on: Day | null }>(sql`
      select min(point_lots.expires_on) as expires_on from point_lots
       where point_lots.project_id = ${project_id} and point_lots.expired_at is null`)
  ).expires_on;

/**
 * Cards with lots that were last good before a day, by id. The days are few and are found one by one, so that of each the
 * index gives the next cards and no others, however many there are.
 */
export const findCardsOver = async (db: Queries, project_id: string, day: Day, after_id: string, cards_max: number) =>
  (
    await db.many<{ voucher_id: string }>(sql`
      with recursive days as (
        select (select min(point_lots.expires_on) from point_lots where point_lots.project_id = ${project_id} and ${isOver(day)}) as expires_on
        union all
        select (select min(point_lots.expires_on) from point_lots
                 where point_lots.project_id = ${project_id} and ${isOver(day)} and point_lots.expires_on > days.expires_on)
          from days where days.expires_on is not null
      )
      select distinct card.voucher_id from days
       cross join lateral (
         select point_lots.voucher_id from point_lots
          where point_lots.project_id = ${project_id} and point_lots.expires_on = days.expires_on
            and point_lots.expired_at is null and point_lots.voucher_id > ${after_id}
          order by point_lots.voucher_id limit ${cards_max}) as card
       order by card.voucher_id limit ${cards_max}`)
  ).map(({ voucher_id }) => voucher_id);

/** A lot that has expired, with what was left in it. */
export interface ExpiredLot {
  id: string;
  voucher_id: string;
  campaign_id: string | null;
  expires_on: Day;
  points_expired: number;
  /** Events of before have none. */
  created_at?: Instant;
}

/** Ends the lots of cards that were last good before a day, each once; under the cards' keys. */
export const expireLots = (tx: Tx, project_id: string, voucher_ids: readonly string[], day: Day, at: Instant) =>
  tx.many<ExpiredLot>(sql`
    update point_lots
       set points_expired = point_lots.points_left, points_left = 0, expired_at = ${isoOf(at)}, updated_at = ${isoOf(at)}
     where point_lots.project_id = ${project_id} and ${isOver(day)} and point_lots.voucher_id = any(${voucher_ids}::text[])
    returning point_lots.id, point_lots.voucher_id, point_lots.campaign_id, point_lots.expires_on,
              point_lots.points_expired, point_lots.created_at`);
