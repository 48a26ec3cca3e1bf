import type { Instant } from "../../platform/clock.js";
import { isoOf } from "../../platform/clock.js";
import type { Queries } from "../../platform/db/database.js";
import { joined, type Sql, sql } from "../../platform/db/sql.js";
import { table, text, timestamptz } from "../../platform/db/table.js";
import type { Place } from "./candidate.js";

/** A code as far as it must be known to be a candidate. */
export interface FoundCode extends Place {
  code: string;
  type: string;
  campaign_id: string | null;
  category_id: string | null;
  role: string | null;
  /** Nothing of its own keeps it from being redeemed: no switch, date or limit. */
  is_open: boolean;
}

export interface CodesAsked {
  standalone: boolean;
  /** Campaigns whose one code is looked for. */
  campaign_ids: readonly string[];
  /** Whose codes are looked for; null: nobody's. */
  customer_id: string | null;
  only: { ids: readonly string[]; code_keys: readonly string[] } | null;
  behind: Place;
  instant: Instant;
  limit: number;
}

/** Holdings of one customer that are looked at, newest first: a wallet, and not a stock of codes. */
const holdings_max = 10_000;

const code_fields = sql`vouchers.project_id, vouchers.id, vouchers.code, vouchers.code_key, vouchers.type,
  vouchers.campaign_id, vouchers.category_id, vouchers.created_at, vouchers.active, vouchers.start_date,
  vouchers.expiration_date, vouchers.quantity`;

/**
 * The next codes that a situation may redeem without having been told them, newest first, also those that are not open: a
 * page is so many rows that were looked at. Each way to them walks an index of its own in that order.
 */
export function findCodes(db: Queries, project_id: string, asked: CodesAsked) {
  const { customer_id, campaign_ids, instant, limit } = asked;
  const at = isoOf(instant);
  const next = sql`vouchers.deleted_at is null
         and (vouchers.created_at, vouchers.id) < (${isoOf(asked.behind.created_at)}, ${asked.behind.id}) ${only(asked)}
       order by vouchers.created_at desc, vouchers.id desc
       limit ${limit}`;
  const ways: Sql[] = [];
  if (asked.standalone)
    ways.push(sql`(select ${code_fields} from vouchers
       where vouchers.project_id = ${project_id} and vouchers.campaign_id is null and ${next})`);
  if (campaign_ids.length > 0)
    ways.push(sql`(select ${code_fields} from vouchers
       where vouchers.project_id = ${project_id} and vouchers.campaign_id = any(${campaign_ids}::text[]) and ${next})`);
  if (customer_id !== null)
    ways.push(sql`(select ${code_fields}
        from (select voucher_holders.voucher_id from voucher_holders
               where voucher_holders.project_id = ${project_id} and voucher_holders.customer_id = ${customer_id}
               order by voucher_holders.id desc limit ${holdings_max}) as held
        join vouchers on vouchers.id = held.voucher_id and vouchers.project_id = ${project_id}
       where ${next})`);
  return db.many<FoundCode>(sql`
    select ${found.fields}, voucher_holders.role,
           (found.active is not false and (found.start_date is null or found.start_date <= ${at})
            and (found.expiration_date is null or found.expiration_date >= ${at})
            and (found.quantity is null or coalesce(voucher_usage.redeemed_quantity, 0) < found.quantity)) as is_open
      from (select ways.* from (${together(ways)}) as ways order by ways.created_at desc, ways.id desc limit ${limit}) as found
      left join lateral (
        select voucher_usage.redeemed_quantity from voucher_usage
         where voucher_usage.project_id = ${project_id} and voucher_usage.voucher_id = found.id
           and found.quantity is not null limit 1
      ) as voucher_usage on true
      left join voucher_holders
        on voucher_holders.project_id = ${project_id} and voucher_holders.voucher_id = found.id
       and voucher_holders.customer_id = ${customer_id}
     order by found.created_at desc, found.id desc`);
}

const together = (ways: readonly Sql[]): Sql => joined(ways, "union");

const found = table<Omit<FoundCode, "role" | "is_open">>("found", {
  id: text,
  code: text,
  type: text,
  campaign_id: text,
  category_id: text,
  created_at: timestamptz,
});

const only = ({ only }: CodesAsked) =>
  only === null
    ? sql``
    : sql`and (vouchers.id = any(${only.ids}::text[]) or vouchers.code_key = any(${only.code_keys}::text[]))`;
