// The workload `loyalty`: points that paid orders earn, and points that a night expires, each beside PostgreSQL moving as many rows.
import { setTimeout as pause } from "node:timers/promises";
import { differs, NotAsExpected } from "./as-expected.mjs";
import { machineLines, rounded, today } from "./figures.mjs";
import { askOnce, load } from "./load.mjs";
import { project_id } from "./stage.mjs";

const members_count = 500;
const orders_count = 5_000;
const points = 10;
/** As many as the service takes at once, of events and of cards. */
const events_at_once = 500;
const cards_at_once = 200;
/** Until they are there, of events or a hundred thousand cards. */
const waited_ms_max = 900_000;
const cards_a_statement = 50_000;

export async function loyalty(stage, options) {
  console.error("loyalty");
  await makeFloor(stage.db);
  const earned = await earning(stage, options);
  console.error(`  accruals: ${rounded(earned.per_s)}/s, floor ${rounded(earned.floor_per_s)}/s`);
  const expired = await expiring(stage, options.cards);
  console.error(`  cards that expire: ${rounded(expired.per_s)}/s, floor ${rounded(expired.floor_per_s)}/s`);
  return { workload: "loyalty", cards: options.cards, earned, expired };
}

const askFor = async (url, body) => JSON.parse(await askOnce(url, JSON.stringify(body)));

const aProgram = (url, name, fields) =>
  askFor(`${url}/v1/loyalties`, { name, voucher: { type: "LOYALTY_CARD", loyalty_card: { points: 0 } }, ...fields });

/** Orders are paid while nobody works on what follows; then somebody does. */
async function earning(stage, { concurrency }) {
  const api = await stage.startService({ environment: { GUERDON_ROLE: "api" } });
  const { id } = await aProgram(api.url, "Earning");
  const rule = { event: "order.paid", loyalty: { type: "FIXED", points }, source: { banner: "Bench" } };
  await askFor(`${api.url}/v1/loyalties/${id}/earning-rules`, [rule]);
  for (let i = 0; i < members_count; i += 1)
    await askFor(`${api.url}/v1/loyalties/${id}/members`, { customer: { source_id: `member-${i}` } });
  let made = 0;
  await load(`${api.url}/v1/orders`, {
    amount: orders_count,
    concurrency,
    request() {
      const customer = { source_id: `member-${made++ % members_count}` };
      return { about: {}, body: JSON.stringify({ customer, amount: 12_000, status: "PAID" }) };
    },
    check: ({ status }) => differs([status], ["PAID"]),
  });
  const per_s = await rateOf(stage.db, "ledger_entries", "type = 'POINTS_ACCRUAL'", orders_count, async () => {
    await stage.startService({ environment: { GUERDON_ROLE: "all" } });
  });
  await assertBooks(stage.db, points * orders_count);
  return { per_s, floor_per_s: await floorOf(stage.db, members_count, orders_count, events_at_once) };
}

/** Cards that the service has made, each with points whose last day was yesterday; then it is midnight. */
async function expiring({ db, startService }, cards) {
  const service = await startService();
  const program = await aProgram(service.url, "Expiring", { vouchers_count: cards });
  const waited_ms = waited_ms_max * Math.max(1, cards / 1e5);
  await until(async () => (await countOf(db, "vouchers", `campaign_id = '${program.id}'`)) === cards, waited_ms);
  console.error(`  ${cards} cards are there`);
  for (let after_id = ""; after_id !== undefined; ) after_id = await giveLots(db, program.id, after_id);
  for (const table of ["ledger_entries", "point_lots", "card_balances", "vouchers"])
    await db.query(`vacuum (analyze) ${table}`);
  console.error("  each has a lot");
  const begin = () =>
    db.query(
      `update walks set due_at = now() - interval '1 minute',
              state = json_build_object('night', current_date, 'step', null, 'after_id', '')
        where project_id = $1 and kind = 'loyalty nights'`,
      [project_id],
    );
  const per_s = await rateOf(db, "point_lots", "expired_at is not null", cards, begin, waited_ms);
  await assertBooks(db, points * orders_count);
  return { per_s, floor_per_s: await floorOf(db, cards, cards, cards_at_once), rss_mb: service.rss_mb() };
}

/** Some cards behind an id, each with points whose last day was yesterday; answers the last of them, undefined where there is none. */
async function giveLots(db, program_id, after_id) {
  const { rows } = await db.query(
    `with card as (
       select id from vouchers where project_id = $1 and campaign_id = $2 and id > $4 order by id limit $5),
     entry as (
       insert into ledger_entries (project_id, id, voucher_id, campaign_id, type, amount, balance, total, currency, lots, created_at)
       select $1, 'vtx_0' || card.id, card.id, $2, 'POINTS_ADDITION', $3::bigint, $3::bigint, $3::bigint, 'USD',
              json_build_array(json_build_object('expires_on', current_date - 1, 'points', $3::bigint)), now() - interval '1 day'
         from card),
     lot as (
       insert into point_lots (project_id, id, voucher_id, campaign_id, expires_on, points_left, created_at)
       select $1, 'lopb_' || card.id, card.id, $2, current_date - 1, $3::bigint, now() - interval '1 day' from card)
     update card_balances set added = added + $3::bigint, balance = balance + $3::bigint
       from card where card_balances.project_id = $1 and card_balances.voucher_id = card.id
     returning card.id`,
    [project_id, program_id, points, after_id, cards_a_statement],
  );
  return rows
    .map(({ id }) => id)
    .sort()
    .at(-1);
}

/** How many rows come a second, from when the first are there. */
async function rateOf(db, table, which, wanted, begin, waited_ms) {
  await begin();
  let first;
  let [count, at] = [0, 0];
  await until(async () => {
    [count, at] = [await countOf(db, table, which), performance.now()];
    if (count > 0) first ??= { count, at };
    return count >= wanted;
  }, waited_ms);
  return (count - first.count) / ((at - first.at) / 1000);
}

async function countOf(db, table, which) {
  const { rows } = await db.query(`select count(*)::int as there from ${table} where project_id = $1 and ${which}`, [
    project_id,
  ]);
  return rows[0].there;
}

/** Looks again as soon as looking takes no more than a tenth of the time: a million rows are counted for a while. */
async function until(isSo, waited_ms = waited_ms_max) {
  for (const end = performance.now() + waited_ms; ; ) {
    const begun = performance.now();
    if (await isSo()) return;
    if (performance.now() > end) throw new NotAsExpected("points did not move in time");
    await pause(Math.max(200, 9 * (performance.now() - begun)));
  }
}

/** Balances are what the books say, and come to so much. */
async function assertBooks(db, wanted) {
  const { rows } = await db.query(
    `select (select coalesce(sum(balance), 0) from card_balances where project_id = $1)::int as held,
            (select coalesce(sum(amount), 0) from ledger_entries where project_id = $1)::int as written`,
    [project_id],
  );
  const { held, written } = rows[0];
  if (held !== wanted || written !== wanted)
    throw new NotAsExpected(`${held} points are on cards and ${written} in the books, not ${wanted}`);
}

async function makeFloor(db) {
  await db.query(
    `create table floor_balances (card bigint primary key, balance bigint not null) with (fillfactor = 80);
     create table floor_entries (id bigint generated always as identity primary key, card bigint not null, amount bigint not null)`,
  );
}

/** As many entries and balances, one statement for as many as the service takes at once. */
async function floorOf(db, cards, entries, at_once) {
  await db.query("truncate floor_balances, floor_entries");
  await db.query("insert into floor_balances select i, 0 from generate_series(0, $1::int - 1) as card (i)", [cards]);
  const begun = performance.now();
  for (let done = 0; done < entries; done += at_once) {
    await db.query(
      `with due as (select i % $3::int as card from generate_series($1::int, $2::int) as entry (i)),
       written as (insert into floor_entries (card, amount) select card, ${points} from due)
       update floor_balances set balance = balance + sums.amount
         from (select card, count(*) * ${points} as amount from due group by card) as sums
        where floor_balances.card = sums.card`,
      [done, Math.min(entries, done + at_once) - 1, cards],
    );
  }
  return entries / ((performance.now() - begun) / 1000);
}

export function loyaltySection(heading, [{ cards, earned, expired }], machine) {
  const row = (name, { per_s, floor_per_s }) =>
    `| ${name} | ${rounded(per_s)} | ${rounded(floor_per_s)} | **${rounded(per_s / floor_per_s, 2)}** |`;
  return [
    heading,
    "",
    `Measured on ${today()}.`,
    ...machineLines(machine),
    "",
    "| What | A second | Floor | Ratio |",
    "|---|---|---|---|",
    row("accruals, from a paid order to the balance", earned),
    row("cards whose points expire", expired),
    "",
    `Accruals: ${orders_count} paid orders of ${members_count} members, paid before anybody worked on what follows, under one rule. Cards: ${cards}, each with`,
    "one lot, in one night, with the comparison of the books that is part of it left out. The floor writes an entry for each and moves",
    "its balance, as many a statement as the service takes in a transaction. Afterwards the balances came to what the books say.",
  ].join("\n");
}
