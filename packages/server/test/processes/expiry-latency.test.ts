import { beforeAll, describe, expect, test, vi } from "vitest";
import { by_the_clock } from "../harness/by-the-clock.js";
import type { Client } from "../harness/client.js";
import { buildIfStale, cleanUpProcesses, stopProcess } from "../harness/process.js";
import { aCluster } from "./async.fixtures.js";
import { aTown, type Town, untilQuiet } from "./nights.fixtures.js";

beforeAll(buildIfStale, 120_000);
cleanUpProcesses();

const is_long = process.env.GUERDON_TEST_LONG === "1";
const cards_count = 100_000;
const [evening, midnight] = ["2027-03-01T12:00:00Z", "2027-03-02T00:00:05Z"];
/** Clients who rest between two redemptions: a machine that has nothing left to give would tell of queues alone. */
const clients_count = 3;
const [rest_ms, window_ms, quiet_windows] = [25, 4_000, 8];
/** A window of a night that is over soon says little. */
const windows_min = 3;
/** A p99 of some hundred redemptions on a machine of two cores, beside whatever else it does, is no finer than this. */
const noise_ms = 15;

/** As many cards, each with ten points whose last day is today. */
async function cardsThatExpire({ db }: Town, api: Client): Promise<void> {
  const voucher = { type: "LOYALTY_CARD", loyalty_card: { points: 0 } };
  const { body } = await api.post("/v1/loyalties", { name: "Club", voucher, vouchers_count: cards_count }, 200);
  const made = async () =>
    (await db.query("select count(*)::int as made from vouchers where campaign_id = $1", [body.id])).rows[0].made;
  await vi.waitUntil(async () => (await made()) === cards_count, { timeout: 300_000, interval: 500 });
  await db.query(
    `with card as (select project_id, id from vouchers where campaign_id = $1),
     entry as (
       insert into ledger_entries (project_id, id, voucher_id, campaign_id, type, amount, balance, total, currency, lots, created_at)
       select project_id, 'vtx_' || id, id, $1, 'POINTS_ADDITION', 10, 10, 10, 'USD',
              json_build_array(json_build_object('expires_on', '2027-03-01', 'points', 10)), $2::timestamptz
         from card),
     lot as (
       insert into point_lots (project_id, id, voucher_id, campaign_id, expires_on, points_left, created_at)
       select project_id, 'lopb_' || id, id, $1, '2027-03-01', 10, $2::timestamptz from card)
     update card_balances set added = added + 10, balance = balance + 10
       from card where card_balances.project_id = card.project_id and card_balances.voucher_id = card.id`,
    [body.id, evening],
  );
  for (const table of ["ledger_entries", "point_lots", "card_balances", "vouchers"])
    await db.query(`vacuum (analyze) ${table}`);
  // As on any day but the first: the files of the log are there.
  await db.query("checkpoint");
}

/** Redeems codes until it is told to end; what the slowest of a hundred waited, window by window. */
function redeeming(api: Client, codes: readonly string[]) {
  let is_over = false;
  let waited: number[] = [];
  const all = Array.from({ length: clients_count }, async (_none, client) => {
    for (let n = client; !is_over; n += clients_count) {
      const begun = performance.now();
      const redeemables = [{ object: "voucher", id: codes[n % codes.length] }];
      await api.post("/v1/redemptions", { redeemables, order: { amount: 1_000 } }, 200);
      waited.push(performance.now() - begun);
      await new Promise((rested) => setTimeout(rested, rest_ms));
    }
  });
  return {
    async window(): Promise<number> {
      waited = [];
      await new Promise((passed) => setTimeout(passed, window_ms));
      const sorted = waited.toSorted((a, b) => a - b);
      return sorted[Math.floor(sorted.length * 0.99)] ?? Number.POSITIVE_INFINITY;
    },
    async end(): Promise<void> {
      is_over = true;
      await Promise.all(all);
    },
  };
}

const medianOf = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const expiredIn = async ({ db }: Town): Promise<number> =>
  (await db.query("select count(*)::int as expired from ledger_entries where type = 'POINTS_EXPIRATION'")).rows[0]
    .expired;

describe(`while the points of ${cards_count} cards expire`, () => {
  test.runIf(is_long)(
    "the slowest redemption of a hundred waits at most half as long again",
    { ...by_the_clock, timeout: 1_200_000 },
    async () => {
      const cluster = await aCluster();
      await stopProcess(await cluster.service({ GUERDON_ROLE: "api" }));
      const town = await aTown(cluster, null);
      await town.setClock(evening);
      const service = await town.service("all");
      await cardsThatExpire(town, service.api);
      const codes = Array.from({ length: 50 }, (_none, i) => `OFF-${i}`);
      const voucher = { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 100 } };
      for (const code of codes) await service.api.post(`/v1/vouchers/${code}`, voucher, 200);
      await untilQuiet(town, 120_000);

      const load = redeeming(service.api, codes);
      // What the first of all makes of plans and code is nobody's wait.
      for (let i = 0; i < 3; i += 1) await load.window();
      const quiet: number[] = [];
      for (let i = 0; i < quiet_windows; i += 1) quiet.push(await load.window());
      await town.setClock(midnight);
      await town.worker();
      await vi.waitUntil(async () => (await expiredIn(town)) > 0, { timeout: 60_000, interval: 100 });
      const busy: number[] = [];
      while ((await expiredIn(town)) < cards_count) busy.push(await load.window());
      // The last of them was quiet for a part.
      busy.pop();
      await load.end();
      const found = { quiet: medianOf(quiet), busy: medianOf(busy) };
      const told = JSON.stringify({ ...found, windows: { quiet, busy } });
      console.info(told);
      expect(busy.length, told).toBeGreaterThanOrEqual(windows_min);
      expect(found.busy, told).toBeLessThanOrEqual(1.5 * found.quiet + noise_ms);
    },
  );
});
