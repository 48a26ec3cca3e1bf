import type { Day } from "@guerdon/engine";
import { isoOf } from "../../../platform/clock.js";
import type { Queries, Tx } from "../../../platform/db/database.js";
import type { Ended } from "../../../platform/db/purge.js";
import { column, sql } from "../../../platform/db/sql.js";
import { date, insertInto, table, text, timestamptz } from "../../../platform/db/table.js";
import { isAmong } from "../../../platform/jobs/served.js";
import { kept_days } from "./auto-redeem.js";

/** What the service redeemed by itself: of each card once because of the same. */
interface AutomaticRedemption {
  voucher_id: string;
  /** The event that moved the card's points, or the night. */
  cause: string;
  customer_id: string;
  reward_id: string;
  /** The project's. */
  day: Day;
  redemption_id: string;
  created_at: number;
}

const automatic_redemptions = table<AutomaticRedemption>("automatic_redemptions", {
  voucher_id: text,
  cause: text,
  customer_id: text,
  reward_id: text,
  day: date,
  redemption_id: text,
  created_at: timestamptz,
});

export const insertAutomatic = (tx: Tx, project_id: string, made: AutomaticRedemption) =>
  tx.run(insertInto(automatic_redemptions, project_id, [made]));

/** Whether it was done because of the same, and how often on the customer's day. Under the keys of card and customer. */
export const readDone = (
  tx: Tx,
  project_id: string,
  { voucher_id, cause, customer_id, reward_id, day }: Omit<AutomaticRedemption, "redemption_id" | "created_at">,
) =>
  tx.one<{ is_done: boolean; times: number }>(sql`
    select exists (select from automatic_redemptions
                    where automatic_redemptions.project_id = ${project_id}
                      and automatic_redemptions.voucher_id = ${voucher_id}
                      and automatic_redemptions.cause = ${cause}) as is_done,
           (select count(*) from automatic_redemptions
             where automatic_redemptions.project_id = ${project_id}
               and automatic_redemptions.customer_id = ${customer_id}
               and automatic_redemptions.reward_id = ${reward_id}
               and automatic_redemptions.day = ${day}::date) as times`);

/** Balances that one statement looks at. */
const looked_at_max = 5_000;

/**
 * Cards of programs that hold as much as is said of each, in the order of their ids. No index knows a program with its balances: where
 * few hold the price all are looked at, a page after the other.
 */
export async function findCardsThatHold(
  db: Queries,
  project_id: string,
  programs: readonly { campaign_id: string; points: number }[],
  after_id: string,
  cards_max: number,
): Promise<string[]> {
  let after: string | null = after_id;
  while (after !== null) {
    const last = await lastOfPage(db, project_id, after);
    const found = await findCardsUpTo(db, project_id, programs, { after, last, cards_max });
    if (found.length > 0) return found.map(({ id }) => id);
    after = last;
  }
  return [];
}

/** The last card of a full page behind that one; null where there are no more than a page. */
const lastOfPage = async (db: Queries, project_id: string, after: string): Promise<string | null> =>
  (
    await db.maybe<{ id: string }>(sql`
      select card_balances.voucher_id as id from card_balances
       where card_balances.project_id = ${project_id} and card_balances.voucher_id > ${after}
       order by card_balances.voucher_id
      offset ${looked_at_max} limit 1`)
  )?.id ?? null;

const findCardsUpTo = (
  db: Queries,
  project_id: string,
  programs: readonly { campaign_id: string; points: number }[],
  { after, last, cards_max }: { after: string; last: string | null; cards_max: number },
) =>
  db.many<{ id: string }>(sql`
    select card_balances.voucher_id as id from card_balances
      join vouchers on vouchers.project_id = card_balances.project_id and vouchers.id = card_balances.voucher_id
      join unnest(${column(programs, "campaign_id")}::text[], ${column(programs, "points")}::bigint[])
             as program (campaign_id, points) on program.campaign_id = vouchers.campaign_id
     where card_balances.project_id = ${project_id} and card_balances.voucher_id > ${after}
       and (${last}::text is null or card_balances.voucher_id <= ${last})
       and card_balances.balance >= program.points
       and vouchers.holder_id is not null and vouchers.deleted_at is null
     order by card_balances.voucher_id
     limit ${cards_max}`);

export const purgeAutomatic = (db: Queries, { instant, project_ids, rows_max }: Ended) =>
  db.run(sql`-- every project: purges serve them all
    delete from automatic_redemptions
     where (automatic_redemptions.project_id, automatic_redemptions.voucher_id, automatic_redemptions.cause) in (
       select old.project_id, old.voucher_id, old.cause from automatic_redemptions as old
        where old.created_at <= ${isoOf(instant - kept_days * 86_400_000)}
          and ${isAmong(sql`old.project_id`, project_ids)}
        order by old.created_at
        limit ${rows_max})`);
