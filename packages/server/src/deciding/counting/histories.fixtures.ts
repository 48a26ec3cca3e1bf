import {
  type Counted,
  countHistory,
  type ItemUnits,
  type LongHistory,
  type Sums,
  type UnitsAsked,
} from "../../books/index.js";
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

/** Every seventh was undone, every eleventh failed, every third gave cups away; customers and keys take turns. */
export async function addPast({ db }: Context, past: Past): Promise<void> {
  await db.run(sql`
    insert into redemptions (project_id, id, object, result, status, voucher_id, promotion_tier_id, campaign_id, customer_id,
                             amount, order_amount, discount_amount, currency, day, channel, units, created_at)
    select ${past.project_id}, 'r_past-' || ${past.voucher_id ?? past.promotion_tier_id ?? ""} || '-' || i, 'redemption',
           case when i % 11 = 0 then 'FAILURE' else 'SUCCESS' end,
           case when i % 11 = 0 then 'FAILED' when i % 7 = 0 then 'ROLLED_BACK' else 'SUCCEEDED' end,
           ${past.voucher_id ?? null}, ${past.promotion_tier_id ?? null}, ${past.campaign_id ?? null},
           (${past.customer_ids ?? []}::text[])[1 + i % ${Math.max(1, past.customer_ids?.length ?? 0)}::int],
           null, 1000, 100, 'USD', ${past.day}::date - (i % ${past.days}::int),
           json_build_object('channel_id', (${past.channel_ids}::text[])[1 + i % ${past.channel_ids.length}::int],
                             'channel_type', 'API')::jsonb,
           case when i % 3 = 0 then '[{"product":"cup","sku":"","units":2},{"product":"cup","sku":"red","units":1}]'::jsonb end,
           (${past.day}::date - (i % ${past.days}::int)) + interval '9 hours'
      from generate_series(1, ${past.count}::int) as i`);
  if (past.voucher_id === undefined) return;
  await db.run(sql`
    insert into voucher_usage (project_id, voucher_id, quantity, redeemed_quantity)
    select redemptions.project_id, redemptions.voucher_id, null, count(*) from redemptions
     where redemptions.project_id = ${past.project_id} and redemptions.voucher_id = ${past.voucher_id}
       and redemptions.object = 'redemption' and redemptions.status = 'SUCCEEDED'
     group by redemptions.project_id, redemptions.voucher_id`);
}

/** The histories of a project as they are by definition, and as decisions read them. */
export function historiesOf({ db }: Context, project_id: string) {
  /** What a count is by definition: all that succeeded and was not undone. */
  const plainCount = ({ scope, customer_id, channel_id, since }: Counted) =>
    db.one<Sums>(sql`
      select count(*) as redemptions, coalesce(sum(redemptions.order_amount), 0) as orders_amount,
             coalesce(sum(redemptions.discount_amount), 0) as discount_amount,
             coalesce(sum(redemptions.amount), 0) as gift_credits
        from redemptions
       where redemptions.project_id = ${project_id} and redemptions.object = 'redemption' and redemptions.status = 'SUCCEEDED'
         and ${scope.id} = any(array[redemptions.voucher_id, redemptions.promotion_tier_id, redemptions.campaign_id])
         and (${customer_id}::text is null or redemptions.customer_id = ${customer_id})
         and (${channel_id}::text is null or redemptions.channel ->> 'channel_id' = ${channel_id})
         and (${since}::date is null or redemptions.day >= ${since}::date)`);

  const plainUnits = ({ object_id, history }: UnitsAsked) => {
    const customer_id = history.kind === "customer" ? history.id : null;
    return db.many<ItemUnits>(sql`
      select item.product, item.sku, sum(item.units)::bigint as units
        from redemptions cross join jsonb_to_recordset(redemptions.units) as item (product text, sku text, units bigint)
       where redemptions.project_id = ${project_id} and redemptions.object = 'redemption' and redemptions.status = 'SUCCEEDED'
         and ${object_id} = any(array[redemptions.voucher_id, redemptions.promotion_tier_id, redemptions.campaign_id])
         and (${customer_id}::text is null or redemptions.customer_id = ${customer_id})
       group by item.product, item.sku order by item.product, item.sku`);
  };

  const count = (history: LongHistory, slice_max?: number) => countHistory(db, project_id, history, { slice_max });

  /** Reads as a decision does: what is too long is counted on first. */
  async function read<Read extends object>(ask: () => Promise<Read | { too_long: LongHistory[] }>): Promise<Read> {
    for (;;) {
      const found = await ask();
      if (!("too_long" in found)) return found;
      for (const history of found.too_long) await count(history);
    }
  }

  return { plainCount, plainUnits, count, read };
}

/** Units of each item, without those of which as many came back. */
export function summed(items: readonly ItemUnits[]): ItemUnits[] {
  const sums = new Map<string, ItemUnits>();
  for (const { product, sku, units } of items) {
    const name = `${product} ${sku}`;
    sums.set(name, { product, sku, units: units + (sums.get(name)?.units ?? 0) });
  }
  return [...sums.values()].filter(({ units }) => units !== 0).sort((a, b) => (a.sku < b.sku ? -1 : 1));
}
