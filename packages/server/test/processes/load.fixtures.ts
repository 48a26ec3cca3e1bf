import { setTimeout as pause } from "node:timers/promises";
import { openDatabase, type Queries } from "../../src/platform/db/database.js";
import { sql } from "../../src/platform/db/sql.js";
import { createLog } from "../../src/platform/log.js";

/** What of an answer is looked at: a success has the one, a refusal the other. */
interface Body {
  redemptions: { id: string }[];
  key: string;
}

interface Answered {
  /** Which request it was: `metadata.request` of its redemptions. */
  request: string;
  redemption_ids: string[];
}

/** Clients that redeem as fast as they are answered, whatever dies meanwhile. */
export interface Load {
  answered: readonly Answered[];
  /** Answers 503 that say when to come again. */
  put_off(): number;
  /** Answers that are neither a success, nor 503, nor a refusal that was named as a rule of the product. */
  wrong: readonly string[];
  /** Resolves with the next redemption that is answered by a request sent from now on. */
  nextAnswer(): Promise<void>;
  end(): Promise<void>;
}

interface LoadOptions {
  /** Where the service is now. */
  url(): string;
  credentials: Record<string, string>;
  clients: number;
  /** What the n-th request redeems. */
  redeemable(n: number): object;
  /** What each request buys, in an order of its own. */
  order?: object;
  /** Refusals that are right: limits and balances that are used up. */
  refusals?: readonly string[];
}

export function startLoad(options: LoadOptions): Load {
  const { url, credentials, clients, redeemable, order: bought = { amount: 1000 }, refusals = [] } = options;
  const answered: Answered[] = [];
  const wrong: string[] = [];
  const headers = {
    "content-type": "application/json",
    "x-app-id": credentials.GUERDON_APP_ID ?? "",
    "x-app-token": credentials.GUERDON_APP_TOKEN ?? "",
  };
  let sent = 0;
  let put_off = 0;
  let is_ending = false;
  let waiting: { since: number; told: () => void }[] = [];

  async function redeem(n: number): Promise<void> {
    const request = `request ${n}`;
    const order = { ...bought, source_id: request };
    const body = JSON.stringify({ redeemables: [redeemable(n)], order, metadata: { request } });
    // Only the service's own death cuts a connection.
    const answer = await fetch(`${url()}/v1/redemptions`, { method: "POST", headers, body }).then(
      async (response) => ({
        status: response.status,
        again: response.headers.get("retry-after"),
        body: (await response.json()) as Body,
      }),
      () => undefined,
    );
    if (!answer) return void (await pause(20));
    if (answer.status === 200) {
      const redemption_ids = answer.body.redemptions.map(({ id }) => id);
      answered.push({ request, redemption_ids });
      for (const { since, told } of waiting) if (n >= since) told();
      waiting = waiting.filter(({ since }) => n < since);
    } else if (answer.status === 503 && answer.again) {
      put_off += 1;
      // Sooner than the answer asks for, and not so soon that the server has no core to recover on.
      await pause(100);
    } else if (!refusals.includes(answer.body.key)) wrong.push(`${answer.status} ${JSON.stringify(answer.body)}`);
  }

  async function client(): Promise<void> {
    while (!is_ending) await redeem(sent++);
  }
  const running = Promise.all(Array.from({ length: clients }, client));
  return {
    answered,
    wrong,
    put_off: () => put_off,
    nextAnswer: () => new Promise((told) => waiting.push({ since: sent, told })),
    async end() {
      is_ending = true;
      await running;
    },
  };
}

/** A look into a service's database that is not cut off by what the test kills: it asks when all is over. */
export async function lookInto<Answer>(url: string, look: (db: Queries) => Promise<Answer>): Promise<Answer> {
  const db = openDatabase({ url, log: createLog("silent"), connections_max: 1, prepared: true });
  return look(db).finally(() => db.close());
}

const counted = [
  "answered_and_absent",
  "recorded_twice",
  "wrong_usage",
  "wrong_balances",
  "wrong_spending",
  "wrong_days",
  "wrong_units",
] as const;
export const no_mistakes = Object.fromEntries(counted.map((name) => [name, 0]));

/** What the books say against the answers, and against each other. All of these are 0, or somebody lost money. */
export const mistakes = (db: Queries, answered: readonly Answered[]) =>
  db.one<Record<(typeof counted)[number], number>>(sql`
    with answer as (
      select * from unnest(${answered.map(({ request }) => request)}::text[],
                           ${answered.map(({ redemption_ids }) => redemption_ids[0])}::text[]) as answer (request, id)
    ), success as (
      select redemptions.*, redemptions.metadata ->> 'request' as request
        from redemptions where redemptions.object = 'redemption' and redemptions.result = 'SUCCESS'
    ), item as (
      select coalesce(success.campaign_id, success.voucher_id) as object_id, success.day, item.*
        from success cross join jsonb_to_recordset(success.units) as item (product text, sku text, units bigint)
    ), day_of_rows as (
      select success.campaign_id as object_id, success.day, count(*) as redemptions, sum(success.order_amount) as orders_amount,
             sum(success.discount_amount) as discount_amount, coalesce(sum(success.amount), 0) as gift_credits
        from success where success.campaign_id is not null group by 1, 2
    ), day_of_items as (
      select item.object_id, item.day, sum(item.units) as units from item group by 1, 2
    ), day as (
      select usage_days.object_id, usage_days.day, sum(usage_days.redemptions) as redemptions,
             sum(usage_days.orders_amount) as orders_amount, sum(usage_days.discount_amount) as discount_amount,
             sum(usage_days.gift_credits) as gift_credits, sum(usage_days.units) as units
        from usage_days group by 1, 2
    ), unit_of_rows as (
      select item.object_id, item.product, item.sku, sum(item.units) as units from item group by 1, 2, 3
    ), unit as (
      select unit_usage.object_id, unit_usage.product, unit_usage.sku, sum(unit_usage.units) as units
        from unit_usage group by 1, 2, 3
    )
    select (select count(*) from answer left join success using (id) where success.id is null) as answered_and_absent,
           (select count(*) from (select success.request from success group by 1 having count(*) > 1) as twice) as recorded_twice,
           (select count(*) from voucher_usage
             where voucher_usage.redeemed_quantity <> (select count(*) from success where success.voucher_id = voucher_usage.voucher_id)
                or voucher_usage.redeemed_quantity > voucher_usage.quantity) as wrong_usage,
           (select count(*) from card_balances
             where card_balances.balance < 0
                or card_balances.balance <> card_balances.opening + coalesce(
                     (select sum(ledger_entries.amount) from ledger_entries
                       where ledger_entries.voucher_id = card_balances.voucher_id), 0)) as wrong_balances,
           (select count(*) from card_balances
             where card_balances.redeemed <> coalesce(
                     (select sum(success.amount) from success where success.voucher_id = card_balances.voucher_id), 0)) as wrong_spending,
           (select count(*)
              from day_of_rows left join day_of_items using (object_id, day) full join day using (object_id, day)
             where (day_of_rows.redemptions, day_of_rows.orders_amount, day_of_rows.discount_amount,
                    day_of_rows.gift_credits, coalesce(day_of_items.units, 0))
                   is distinct from
                   (day.redemptions, day.orders_amount, day.discount_amount, day.gift_credits, day.units)) as wrong_days,
           (select count(*) from unit_of_rows full join unit using (object_id, product, sku)
             where unit_of_rows.units is distinct from unit.units) as wrong_units`);
