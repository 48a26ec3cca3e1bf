// Fills the database: one voucher is made over the API, the others are copies of its row, as many as are wanted.
import { askOnce } from "./load.mjs";
import { headers, project_id } from "./stage.mjs";

// An odd factor turns the numbers 1, 2, 3 … into codes in no order, each once, here and in SQL alike.
const factor = 0x9e3779b1;
const copy_code = `'BENCH-' || (copy.i * ${factor} % 4294967296)::text`;
const first_code = "TEMPLATE";
/** As good as without limit, but one that the counter is held against. */
const quantity = 1_000_000_000;

export const codeOf = (i) => `BENCH-${Math.imul(i, factor) >>> 0}`;

/** Brings the stock of the project, and of the floor, up to `n` vouchers of one campaign. */
export async function stock(db, url, n) {
  const { rows } = await db.query(
    "select count(*)::int as there from vouchers where project_id = $1 and code like 'BENCH-%'",
    [project_id],
  );
  const there = rows[0].there;
  if (there === 0) await makeTemplate(url);
  if (there < n) await copyTemplate(db, there + 1, n);
  const floor = await db.query("select count(*)::int as there from floor_vouchers");
  await db.query(
    `insert into floor_vouchers (code, discount, quantity, redeemed)
     select ${copy_code}, '{"type":"PERCENT","percent_off":10}', ${quantity}, 0 from generate_series($1::bigint, $2::bigint) as copy (i)`,
    [floor.rows[0].there + 1, n],
  );
  for (const table of ["vouchers", "floor_vouchers"]) await db.query(`vacuum (analyze) ${table}`);
}

/** Three conditions that every cart here meets, judged with each request. */
const conditions = {
  1: { name: "order.amount", conditions: { $more_than: [1] } },
  2: { name: "order.items.count", conditions: { $less_than: [1000] } },
  3: { name: "order.items.price_any", conditions: { $more_than_or_equal: [1] } },
  logic: "1 and 2 and 3",
};

async function makeTemplate(url) {
  const voucher = {
    type: "DISCOUNT_VOUCHER",
    discount: { type: "PERCENT", percent_off: 10 },
    redemption: { quantity },
  };
  const rule = JSON.parse(
    await askOnce(`${url}/v1/validation-rules`, JSON.stringify({ name: "Bench", rules: conditions })),
  );
  const validation_rules = [rule.id];
  const campaign = { name: "Bench", campaign_type: "DISCOUNT_COUPONS", type: "AUTO_UPDATE", voucher, validation_rules };
  const { id } = JSON.parse(await askOnce(`${url}/v1/campaigns`, JSON.stringify(campaign)));
  await askOnce(`${url}/v1/campaigns/${id}/vouchers/${first_code}`, "{}");
}

/** From now on the vouchers' campaign has a budget as well, which no run uses up. */
export async function limitBudget(url) {
  const budget = { name: "campaign.redemptions.count", conditions: { $less_than_or_equal: [quantity] } };
  const rules = { ...conditions, 4: budget, logic: "1 and 2 and 3 and 4" };
  const rule = JSON.parse(await askOnce(`${url}/v1/validation-rules`, JSON.stringify({ name: "Budget", rules })));
  const campaign = await fetch(`${url}/v1/campaigns/Bench`, { headers });
  const related = { related_object_type: "campaign", related_object_id: (await campaign.json()).id };
  await askOnce(`${url}/v1/validation-rules/${rule.id}/assignments?force=true`, JSON.stringify(related));
}

async function copyTemplate(db, from, to) {
  const { rows } = await db.query(
    `select string_agg(quote_ident(attname), ', ') as others from pg_attribute
      where attrelid = 'vouchers'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
        and attname not in ('id', 'code', 'code_key')`,
  );
  const [{ others }] = rows;
  await db.query(
    `insert into vouchers (id, code, code_key, ${others})
     select 'v_' || lpad(copy.i::text, 27, '0'), ${copy_code}, ${copy_code}, ${others}
       from vouchers, generate_series($2::bigint, $3::bigint) as copy (i)
      where vouchers.project_id = $1 and vouchers.code = '${first_code}'`,
    [project_id, from, to],
  );
}

/** One more voucher, with a limit of its own. Answers its code. */
export async function stockOne(db, limit) {
  const code = "LIMITED";
  const { rows } = await db.query(
    "select to_jsonb(vouchers) as row from vouchers where project_id = $1 and code = $2",
    [project_id, first_code],
  );
  const row = { ...rows[0].row, id: "v_limited", code, code_key: code, quantity: limit };
  await db.query("insert into vouchers select (jsonb_populate_record(null::vouchers, $1)).*", [row]);
  return code;
}

/** The floors' own tables, as narrow as they can be: with primary keys and the unique source ids alone. */
export async function makeFloor(db) {
  await db.query(
    `create table if not exists floor_vouchers (
       code text collate "C" primary key, discount jsonb not null, quantity bigint not null, redeemed bigint not null,
       is_given boolean not null default false
     ) with (fillfactor = 80);
     create index if not exists floor_vouchers_free on floor_vouchers (code) where not is_given;
     create table if not exists floor_publications (
       id bigint generated always as identity primary key, code text not null, customer text not null
     );
     create table if not exists floor_redemptions (
       id bigint generated always as identity primary key, code text not null, order_id text not null, amount bigint not null
     );
     create table if not exists floor_customers (
       id text primary key, source_id text not null unique, metadata jsonb not null, created_at timestamptz not null
     );
     create table if not exists floor_orders (
       id text primary key, source_id text not null unique, customer_id text not null, amount bigint not null, items json not null,
       metadata jsonb not null, created_at timestamptz not null
     );
     create table if not exists floor_redemptions_full (
       id text primary key, code text not null, order_id text not null, customer_id text not null, amount bigint not null,
       order_after json not null, created_at timestamptz not null
     );
     create table if not exists floor_events (
       id text primary key, type text not null, entity_id text not null, customer_id text not null, data jsonb not null,
       created_at timestamptz not null
     );
     create table if not exists floor_outbox (event_id text primary key, created_at timestamptz not null);
     create table if not exists floor_inbox (event_id text primary key, created_at timestamptz not null)`,
  );
}

/** Everything that redemptions make grow by one each. */
export async function countsOf(db) {
  const { rows } = await db.query(
    `select
       (select deadlocks from pg_stat_database where datname = current_database()) as deadlocks,
       (select count(*) from redemptions
         where project_id = $1 and object = 'redemption' and result = 'SUCCESS' and parent_id is null) as redemptions,
       (select count(*) from redemptions
         where project_id = $1 and object = 'redemption' and result = 'SUCCESS' and parent_id is not null) as children,
       (select count(*) from orders where project_id = $1) as orders,
       (select count(*) from customers where project_id = $1) as customers,
       (select coalesce(sum(redeemed_quantity), 0) from voucher_usage where project_id = $1) as used,
       (select coalesce(sum(redemptions), 0) from usage_days where project_id = $1) as counted,
       (select count(*) from events where project_id = $1 and type = 'redemption.succeeded') as told,
       (select count(*) from floor_redemptions) as floor_redemptions,
       (select count(*) from floor_redemptions_full) as floor_redemptions_full,
       (select count(*) from floor_orders) as floor_orders,
       (select count(*) from floor_outbox) as floor_told,
       (select coalesce(sum(redeemed), 0) from floor_vouchers) as floor_used`,
    [project_id],
  );
  return Object.fromEntries(Object.entries(rows[0]).map(([name, count]) => [name, Number(count)]));
}
