import type { Queries } from "../platform/db/database.js";
import { column, joined, type Sql, sql } from "../platform/db/sql.js";
import { everybody, ofChannel, ofCustomer } from "./histories/histories.store.js";
import {
  column_of_history,
  history_kinds,
  type LongHistory,
  looked_at_max,
  uniqueHistories,
} from "./histories/long-histories.store.js";
import { counted_fields, hasHistory, type Redeemed } from "./redeemed.js";
import { type ItemNames, type ItemUnits, isNamed } from "./units.store.js";

/** Sums of redemptions: how many, and their money in minor units. Rolled back ones do not count. */
export interface Sums {
  redemptions: number;
  orders_amount: number;
  discount_amount: number;
  gift_credits: number;
}

/** Which redemptions count: of what, by whom, since when. */
export interface Counted {
  scope: Redeemed | { object: "campaign"; id: string };
  customer_id: string | null;
  /** The key or user that made them. */
  channel_id: string | null;
  /** The first local day; null: of all time. */
  since: string | null;
}

/**
 * How a count is found: what everybody redeemed of a campaign or tier stands in rows a day, and so does what a key redeemed
 * of a tier. Of a voucher and of a customer redemptions are counted one by one, through the index on it, behind what its
 * rows hold; while they are few it has none.
 */
type Way = "days" | "days_by_channel" | LongHistory["kind"];

interface Asked {
  way: Way;
  object_id: string;
  /** How rows of histories say whose they count. */
  whose: string;
  /** The voucher or customer whose history is looked at. */
  history_id: string | null;
  channel_id: string | null;
  since: string | null;
}

function askedOf({ scope: { object, id }, customer_id, channel_id, since }: Counted): Asked {
  const asked = { object_id: id, whose: "", history_id: null, channel_id, since };
  if (customer_id !== null)
    return { ...asked, way: "customer", whose: ofCustomer(customer_id), history_id: customer_id };
  if (channel_id !== null) asked.whose = ofChannel(channel_id);
  if (object !== "campaign" && hasHistory(object)) return { ...asked, way: object, history_id: id };
  if (channel_id === null) return { ...asked, way: "days" };
  // Its redemptions may be millions, and no counter asks for them.
  if (object === "campaign") throw new Error("no rule counts a campaign's redemptions by who made them");
  return { ...asked, way: "days_by_channel" };
}

/** The sums of all that is counted, in its order, or which histories have to be counted on first. */
export async function readCounts(
  db: Queries,
  project_id: string,
  counted: readonly Counted[],
): Promise<{ sums: Sums[] } | { too_long: LongHistory[] }> {
  if (counted.length === 0) return { sums: [] };
  const asked = counted.map(askedOf);
  const found = await db.many<Sums & { looked_at: number }>(sql`
    select found.redemptions, found.orders_amount, found.discount_amount, found.gift_credits, found.looked_at
      from unnest(${column(asked, "way")}::text[], ${column(asked, "object_id")}::text[], ${column(asked, "whose")}::text[],
                  ${column(asked, "history_id")}::text[], ${column(asked, "channel_id")}::text[],
                  ${column(asked, "since")}::date[])
             with ordinality as asked (way, object_id, whose, history_id, channel_id, since, place)
     cross join lateral (${countedTo(project_id)}) as history
     cross join lateral (
       select coalesce(sum(one.redemptions), 0) as redemptions, coalesce(sum(one.orders_amount), 0) as orders_amount,
              coalesce(sum(one.discount_amount), 0) as discount_amount, coalesce(sum(one.gift_credits), 0) as gift_credits,
              count(*) filter (where one.is_one) as looked_at
         from (
           select usage_days.redemptions, usage_days.orders_amount, usage_days.discount_amount, usage_days.gift_credits,
                  false as is_one
             from usage_days
            where asked.way = 'days' and usage_days.project_id = ${project_id}
              and usage_days.object_id = asked.object_id and (asked.since is null or usage_days.day >= asked.since)
           union all
           select history_days.redemptions, history_days.orders_amount, history_days.discount_amount,
                  history_days.gift_credits, false
             from history_days
            where asked.way <> 'days' and history_days.project_id = ${project_id}
              and history_days.object_id = asked.object_id and history_days.whose = asked.whose
              and (asked.since is null or history_days.day >= asked.since)
           union all
           ${ofAnyHistory((kind) => oneByOne(project_id, kind))}
         ) as one
     ) as found
     order by asked.place`);
  const too_long = found.flatMap(({ looked_at }, i): LongHistory[] => {
    const { way, history_id } = asked[i] as Asked;
    return looked_at > looked_at_max ? [{ kind: way as LongHistory["kind"], id: history_id ?? "" }] : [];
  });
  if (too_long.length > 0) return { too_long: uniqueHistories(too_long) };
  return { sums: found.map(({ looked_at: _, ...sums }) => sums) };
}

/** Up to when the rows of the history that is asked about hold it. */
const countedTo = (project_id: string) => sql`
  select coalesce((select long_histories.counted_to from long_histories
                    where long_histories.project_id = ${project_id} and long_histories.id = asked.history_id),
                  '-infinity') as counted_to`;

/** That of the index, or none may be used: a scan would find the first ones soon, if there were any. */
const in_order = sql`order by redemptions.created_at`;

/** What is asked about has a history of one kind, and the others find nothing: each has an index of its own. */
const ofAnyHistory = (found: (kind: LongHistory["kind"]) => Sql): Sql => joined(history_kinds.map(found), "union all");

/** What counts among the first redemptions of a history that its rows do not hold. */
const oneByOne = (project_id: string, way: LongHistory["kind"]) => sql`
  select case when one.counts then 1 else 0 end, case when one.counts then one.order_amount end,
         case when one.counts then one.discount_amount end, case when one.counts then one.amount end, true
    from (
      select redemptions.order_amount, redemptions.discount_amount, redemptions.amount,
             redemptions.object = 'redemption' and redemptions.status = 'SUCCEEDED'
               -- Looked at, not looked for: no index on anything else may find them.
               and asked.object_id = any(array[${counted_fields}])
               and (asked.channel_id is null or redemptions.channel ->> 'channel_id' = asked.channel_id)
               and (asked.since is null or redemptions.day >= asked.since) as counts
        from redemptions
       where asked.way = ${way}::text and redemptions.project_id = ${project_id}
         and ${column_of_history[way]} = asked.history_id
         and redemptions.created_at > history.counted_to
       ${in_order}
       limit ${looked_at_max + 1}
    ) as one`;

/** Whose discounted units are asked for: of a voucher by everybody, or of a voucher, tier or campaign by a customer. */
export interface UnitsAsked {
  object_id: string;
  /** That of the customer, or that of the object itself. */
  history: LongHistory;
}

/**
 * What histories hold of discounted units, in the order of those asked for: from the rows of long ones, and one by one
 * from the redemptions behind them; or which have to be counted on first. In one statement, so that no row is counted twice
 * or missed while somebody counts on.
 */
export async function sumUnitsOfHistories(
  db: Queries,
  project_id: string,
  asked: readonly UnitsAsked[],
  names: ItemNames | null,
): Promise<{ units: ItemUnits[][] } | { too_long: LongHistory[] }> {
  const rows = asked.map(({ object_id, history: { kind, id } }) => ({
    object_id,
    whose: kind === "customer" ? ofCustomer(id) : everybody,
    kind,
    id,
  }));
  const found = await db.many<{ looked_at: number; behind: ItemUnits[][]; counted: ItemUnits[] }>(sql`
    select behind.looked_at, behind.units as behind, counted.units as counted
      from unnest(${column(rows, "object_id")}::text[], ${column(rows, "whose")}::text[], ${column(rows, "kind")}::text[],
                  ${column(rows, "id")}::text[]) with ordinality as asked (object_id, whose, kind, history_id, place)
     cross join lateral (${countedTo(project_id)}) as history
     cross join lateral (
       select count(*) as looked_at,
              coalesce(jsonb_agg(one.units) filter (where one.counts and one.units is not null), '[]') as units
         from (${ofAnyHistory((kind) => behind(project_id, kind))}) as one
     ) as behind
     cross join lateral (
       select coalesce(jsonb_agg(jsonb_build_object('product', history_units.product, 'sku', history_units.sku,
                                                    'units', history_units.units)), '[]') as units
         from history_units
        where history_units.project_id = ${project_id} and history_units.object_id = asked.object_id
          and history_units.whose = asked.whose and ${names === null ? sql`true` : isNamed(sql`history_units`, names)}
     ) as counted
     order by asked.place`);
  const too_long = found.flatMap(({ looked_at }, i) =>
    looked_at > looked_at_max ? [(asked[i] as UnitsAsked).history] : [],
  );
  if (too_long.length > 0) return { too_long: uniqueHistories(too_long) };
  return { units: found.map(({ behind, counted }) => [...counted, ...behind.flat()]) };
}

const behind = (project_id: string, kind: LongHistory["kind"]) => sql`
  (select redemptions.units,
          redemptions.object = 'redemption' and redemptions.status = 'SUCCEEDED'
            -- Looked at, not looked for: no index on anything else may find them.
            and asked.object_id = any(array[${counted_fields}]) as counts
     from redemptions
    where asked.kind = ${kind}::text and redemptions.project_id = ${project_id}
      and ${column_of_history[kind]} = asked.history_id
      and redemptions.created_at > history.counted_to
    ${in_order}
    limit ${looked_at_max + 1})`;
