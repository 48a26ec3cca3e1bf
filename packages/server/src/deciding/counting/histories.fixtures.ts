import type { Context } from "../../platform/context.js";
import { sql } from "../../platform/db/sql.js";

/** Past redemptions as a voucher's, a tier's or a customer's history has them. */
export interface Past {
  project_id: string;
  voucher_id?: string;
  promotion_tier_id?: string;
  campaign_id?: string;
  customer_ids?: readonly string[];
  channel_ids: readonly string[];
  count: number;
  /** The last of them; the others lie before it, {@link days} of them in all. */
  day: string;
  days: number;
}

/** Every seventh was undone, every eleventh failed; customers and keys take turns. */
export const addPast = ({ db }: Context, past: Past) =>
  db.run(sql`
    insert into redemptions (project_id, id, object, result, status, voucher_id, promotion_tier_id, campaign_id, customer_id,
                             amount, order_amount, discount_amount, currency, day, channel, created_at)
    select ${past.project_id}, 'r_past-' || ${past.voucher_id ?? past.promotion_tier_id ?? ""} || '-' || i, 'redemption',
           case when i % 11 = 0 then 'FAILURE' else 'SUCCESS' end,
           case when i % 11 = 0 then 'FAILED' when i % 7 = 0 then 'ROLLED_BACK' else 'SUCCEEDED' end,
           ${past.voucher_id ?? null}, ${past.promotion_tier_id ?? null}, ${past.campaign_id ?? null},
           (${past.customer_ids ?? []}::text[])[1 + i % ${Math.max(1, past.customer_ids?.length ?? 0)}::int],
           null, 1000, 100, 'USD', ${past.day}::date - (i % ${past.days}::int),
           json_build_object('channel_id', (${past.channel_ids}::text[])[1 + i % ${past.channel_ids.length}::int],
                             'channel_type', 'API')::jsonb,
           (${past.day}::date - (i % ${past.days}::int)) + interval '9 hours'
      from generate_series(1, ${past.count}::int) as i`);
