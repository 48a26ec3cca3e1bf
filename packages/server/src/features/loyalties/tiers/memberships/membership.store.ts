import type { Day } from "@guerdon/engine";
import type { Instant } from "../../../../platform/clock.js";
import type { Queries, Tx } from "../../../../platform/db/database.js";
import { type Sql, sql } from "../../../../platform/db/sql.js";
import { date, insertInto, table, text, timestamptz } from "../../../../platform/db/table.js";
import type { LoyaltyTier } from "../loyalty-tier.js";
import { findTiersByIds } from "../loyalty-tier.store.js";

/** The tier that a card is in, and one that begins with the next period (loyalty.md §8.2). */
export interface TierMember {
  voucher_id: string;
  campaign_id: string;
  tier_id: string | null;
  start_date: Day | null;
  /** Null where it was never prolonged. */
  since_date: Day | null;
  /** The last day; null where it ends when the balance leaves the range. */
  expiration_date: Day | null;
  next_tier_id: string | null;
  next_start_date: Day | null;
  next_expiration_date: Day | null;
  created_at: Instant;
  updated_at: Instant | null;
}

const loyalty_tier_members = table<TierMember>("loyalty_tier_members", {
  voucher_id: text,
  campaign_id: text,
  tier_id: text,
  start_date: date,
  since_date: date,
  expiration_date: date,
  next_tier_id: text,
  next_start_date: date,
  next_expiration_date: date,
  created_at: timestamptz,
  updated_at: timestamptz,
});

export const findTierMembers = (db: Queries, project_id: string, voucher_ids: readonly string[]) =>
  db.many<TierMember>(sql`
    select ${loyalty_tier_members.fields} from loyalty_tier_members
     where loyalty_tier_members.project_id = ${project_id}
       and loyalty_tier_members.voucher_id = any(${voucher_ids}::text[])`);

/** The tiers that cards are in, by card: none for a card in no tier, or only in one that has yet to begin. */
export async function findTiersOfCards(
  db: Queries,
  project_id: string,
  voucher_ids: readonly string[],
): Promise<ReadonlyMap<string, LoyaltyTier>> {
  const members = await findTierMembers(db, project_id, voucher_ids);
  const ids = [...new Set(members.flatMap(({ tier_id }) => tier_id ?? []))];
  if (ids.length === 0) return new Map();
  const tiers = new Map((await findTiersByIds(db, project_id, ids)).map((tier) => [tier.id, tier]));
  return new Map(
    members.flatMap(({ voucher_id, tier_id }) => {
      const tier = tiers.get(tier_id ?? "");
      return tier ? [[voucher_id, tier] as const] : [];
    }),
  );
}

/** The tiers that customers are in with any of their cards, and that cards are in. */
export const findTierIdsOf = (
  db: Queries,
  project_id: string,
  { customer_ids, voucher_ids }: { customer_ids: readonly string[]; voucher_ids: readonly string[] },
) =>
  db.many<{ voucher_id: string; customer_id: string | null; tier_id: string }>(sql`
    select vouchers.id as voucher_id, vouchers.holder_id as customer_id, loyalty_tier_members.tier_id
      from vouchers
      join loyalty_tier_members
        on loyalty_tier_members.project_id = vouchers.project_id and loyalty_tier_members.voucher_id = vouchers.id
     where vouchers.project_id = ${project_id}
       and (vouchers.holder_id = any(${customer_ids}::text[]) or vouchers.id = any(${voucher_ids}::text[]))
       and vouchers.deleted_at is null
       and loyalty_tier_members.tier_id is not null`);

/** Where cards stand from now on. Runs under their keys. */
export const keepTierMembers = (tx: Tx, project_id: string, members: readonly TierMember[]) =>
  tx.run(sql`
    ${insertInto(loyalty_tier_members, project_id, members)}
        on conflict (project_id, voucher_id) do update
       set tier_id = excluded.tier_id, start_date = excluded.start_date, since_date = excluded.since_date,
           expiration_date = excluded.expiration_date,
           next_tier_id = excluded.next_tier_id, next_start_date = excluded.next_start_date,
           next_expiration_date = excluded.next_expiration_date, created_at = excluded.created_at,
           updated_at = excluded.updated_at`);

/** Cards that are in no tier any more, and will be in none. */
export const deleteTierMembers = (tx: Tx, project_id: string, voucher_ids: readonly string[]) =>
  tx.run(sql`
    delete from loyalty_tier_members
     where loyalty_tier_members.project_id = ${project_id}
       and loyalty_tier_members.voucher_id = any(${voucher_ids}::text[])`);

/** Of cards that are still there; another's night must not wait for one that is not. */
const of_live_card = sql`
  exists (select from vouchers
           where vouchers.project_id = loyalty_tier_members.project_id and vouchers.id = loyalty_tier_members.voucher_id
             and vouchers.deleted_at is null)`;

/** The first last day of all that tiers have. */
export const firstEnd = async (db: Queries, project_id: string): Promise<Day | null> =>
  (
    await db.maybe<{ day: Day }>(sql`
      select loyalty_tier_members.expiration_date as day from loyalty_tier_members
       where loyalty_tier_members.project_id = ${project_id} and loyalty_tier_members.expiration_date is not null
         and ${of_live_card}
       order by loyalty_tier_members.expiration_date
       limit 1`)
  )?.day ?? null;

/** The first day with which a tier begins that is yet to begin. */
export const firstStart = async (db: Queries, project_id: string): Promise<Day | null> =>
  (
    await db.maybe<{ day: Day }>(sql`
      select loyalty_tier_members.next_start_date as day from loyalty_tier_members
       where loyalty_tier_members.project_id = ${project_id} and loyalty_tier_members.next_start_date is not null
         and ${of_live_card}
       order by loyalty_tier_members.next_start_date
       limit 1`)
  )?.day ?? null;

/** Cards whose tier had its last day before that day, in the order of their ids. */
export const findEnding = (db: Queries, project_id: string, day: Day, after_id: string, cards_max: number) =>
  idsOf(
    db,
    sql`
      select loyalty_tier_members.voucher_id from loyalty_tier_members
       where loyalty_tier_members.project_id = ${project_id} and loyalty_tier_members.expiration_date < ${day}::date
         and loyalty_tier_members.voucher_id > ${after_id} and ${of_live_card}
       order by loyalty_tier_members.voucher_id
       limit ${cards_max}`,
  );

/** Cards with a tier that begins with that day, or began before, in the order of their ids. */
export const findStarting = (db: Queries, project_id: string, day: Day, after_id: string, cards_max: number) =>
  idsOf(
    db,
    sql`
      select loyalty_tier_members.voucher_id from loyalty_tier_members
       where loyalty_tier_members.project_id = ${project_id} and loyalty_tier_members.next_start_date <= ${day}::date
         and loyalty_tier_members.voucher_id > ${after_id} and ${of_live_card}
       order by loyalty_tier_members.voucher_id
       limit ${cards_max}`,
  );

const idsOf = async (db: Queries, which: Sql): Promise<string[]> =>
  (await db.many<{ voucher_id: string }>(which)).map(({ voucher_id }) => voucher_id);
