import type { Lot } from "@guerdon/engine";
import type { Tx } from "../platform/db/database.js";
import { column, sql } from "../platform/db/sql.js";

/** The sums of a card, credits in minor units or points: balance = added − subtracted − expired − redeemed. */
export interface CardSums {
  /** What it was made with. */
  opening: number;
  /** Ever added, `opening` included. */
  added: number;
  subtracted: number;
  expired: number;
  /** Spent by redemptions, and not given back. */
  redeemed: number;
  balance: number;
  /** Of its points those that expire, by day; null for credits. Lists read the first alone. */
  lots: readonly Lot[];
}

/** Opens the books of cards that have just been made, each with the same. */
export async function openCards(
  tx: Tx,
  project_id: string,
  voucher_ids: readonly string[],
  opening: number,
): Promise<void> {
  if (voucher_ids.length === 0) return;
  await tx.run(sql`
    insert into card_balances (project_id, voucher_id, opening, added, balance)
    select ${project_id}, made.id, ${opening}::bigint, ${opening}::bigint, ${opening}::bigint
      from unnest(${voucher_ids}::text[]) as made (id)`);
}

/** A card that something was spent from before it came here: it is opened with what is left. */
export interface BroughtCard {
  voucher_id: string;
  /** What was ever put on it. */
  added: number;
  redeemed: number;
}

/** Opens the books of cards that differ. */
export async function openBroughtCards(tx: Tx, project_id: string, cards: readonly BroughtCard[]): Promise<void> {
  if (cards.length === 0) return;
  await tx.run(sql`
    insert into card_balances (project_id, voucher_id, opening, added, redeemed, balance)
    select ${project_id}, made.id, made.added - made.redeemed, made.added, made.redeemed, made.added - made.redeemed
      from unnest(${column(cards, "voucher_id")}::text[], ${column(cards, "added")}::bigint[],
                  ${column(cards, "redeemed")}::bigint[]) as made (id, added, redeemed)`);
}

/**
 * Makes what cards were opened with another amount; what was added or taken since stays. A card that would hold less than
 * nothing is left as it is.
 */
export const reopenCards = (tx: Tx, project_id: string, voucher_ids: readonly string[], opening: number) =>
  tx.run(sql`
    update card_balances
       set opening = ${opening}, added = card_balances.added - card_balances.opening + ${opening},
           balance = card_balances.balance - card_balances.opening + ${opening}
     where card_balances.project_id = ${project_id}
       and card_balances.voucher_id = any(${voucher_ids}::text[])
       and card_balances.balance - card_balances.opening + ${opening} >= 0`);
