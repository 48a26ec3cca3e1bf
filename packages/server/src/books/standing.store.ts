import type { Lot } from "@guerdon/engine";
import type { Queries } from "../platform/db/database.js";
import { sql } from "../platform/db/sql.js";
import { lotsOf } from "./points/lots.store.js";

/** What the books say of a voucher, wherever it is: also in the bin, and a card even when it was deleted for good. */
export interface Standing {
  voucher_id: string;
  /** Whose it is; null also where the voucher is gone. */
  holder_id: string | null;
  /** Null: the voucher is gone, or was never redeemed. */
  redeemed_quantity: number | null;
  /** A card's sums; null for a voucher that holds nothing. */
  added: number | null;
  subtracted: number | null;
  expired: number | null;
  redeemed: number | null;
  balance: number | null;
  /** Of points those that expire, by day; none of credits. */
  lots: readonly Lot[] | null;
}

/** One for each voucher that is named, in no order. */
export const findStandings = (db: Queries, project_id: string, voucher_ids: readonly string[]) =>
  db.many<Standing>(sql`
    select named.voucher_id, vouchers.holder_id, voucher_usage.redeemed_quantity, card_balances.added, card_balances.subtracted,
           card_balances.expired, card_balances.redeemed, card_balances.balance,
           case when card_balances.balance is not null
                then ${lotsOf({ project_id: sql`card_balances.project_id`, id: sql`card_balances.voucher_id` })}
                 end as lots
      from unnest(${voucher_ids}::text[]) as named (voucher_id)
      left join vouchers on vouchers.project_id = ${project_id} and vouchers.id = named.voucher_id
      left join voucher_usage
        on voucher_usage.project_id = ${project_id} and voucher_usage.voucher_id = named.voucher_id
      left join card_balances
        on card_balances.project_id = ${project_id} and card_balances.voucher_id = named.voucher_id`);
