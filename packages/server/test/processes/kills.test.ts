import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { sql } from "../../src/platform/db/sql.js";
import {
  buildIfStale,
  cleanUpProcesses,
  clientOf,
  embeddedUrl,
  postgresPid,
  servingPostgresPid,
  startProcess,
} from "../harness/process.js";
import { aUsedDataDir } from "../harness/templates.js";
import { lookInto, mistakes, no_mistakes, startLoad } from "./load.fixtures.js";

cleanUpProcesses();
beforeAll(buildIfStale);

const long = process.env.GUERDON_TEST_LONG === "1";
const [rounds, clients] = long ? [20, 32] : [2, 8];
if (long) vi.setConfig({ testTimeout: 600_000 });
// Two files of the ordinary run share two cores, and a start takes as long as it takes there.
const away_ms_max = long ? 5_000 : 20_000;
const budget = long ? 3_000 : 300;
const order = { items: [{ product_id: "cup", sku_id: "red", price: 100, quantity: 10 }] };

/** A service, a voucher with a limit, ten gift cards, and a campaign of ten codes with a budget. */
async function aShop() {
  const { data_dir, credentials } = await aUsedDataDir();
  const start = () => startProcess({ env: { GUERDON_DATA_DIR: data_dir } });
  const service = await start();
  const api = clientOf(service.url, credentials);
  const discount = { type: "AMOUNT", amount_off: 100 };
  await api.post("/v1/vouchers/LIMITED", { discount, redemption: { quantity: budget } }, 200);
  const name = "campaign.redemptions.count";
  const rules = { "1": { name, conditions: { $less_than_or_equal: [budget] } }, logic: "1" };
  // A discount of units, so that they are counted as well.
  const applicable_to = { included: [{ object: "sku", id: "red" }] };
  const rule = (await api.post("/v1/validation-rules", { name: "budget", rules, applicable_to }, 200)).body.id;
  const voucher = { type: "DISCOUNT_VOUCHER", discount: { ...discount, effect: "APPLY_TO_ITEMS" } };
  const campaign = { name: "Budget", campaign_type: "DISCOUNT_COUPONS", voucher, validation_rules: [rule] };
  await api.post("/v1/campaigns", campaign, 200);
  const makeTwo = async (_: unknown, i: number) => {
    await api.post(`/v1/vouchers/CARD-${i}`, { gift: { amount: 1_000_000_000 } }, 200);
    await api.post(`/v1/campaigns/Budget/vouchers/BUDGET-${i}`, {}, 200);
  };
  await Promise.all(Array.from({ length: 10 }, makeTwo));
  return { data_dir, credentials, start, service };
}

const redeemable = (n: number) => {
  const i = Math.floor(n / 3) % 10;
  if (n % 3 === 0) return { object: "voucher", id: "LIMITED" };
  if (n % 3 === 1) return { object: "voucher", id: `BUDGET-${i}` };
  return { object: "voucher", id: `CARD-${i}`, gift: { credits: 100 } };
};
// Where a budget is used up the refusal names the rule.
const refusals = ["quantity_exceeded", "order_rules_violated", "redemption_rules_violated", "customer_rules_violated"];

describe(`under ${clients} clients that redeem`, () => {
  test("the service and PostgreSQL are killed in turn: what was answered is there once, limits and balances hold, and it is back in time", async () => {
    const { data_dir, credentials, start, service: first } = await aShop();
    let service = first;
    const load = startLoad({ url: () => service.url, credentials, clients, redeemable, order, refusals });
    const away: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await load.nextAnswer();
      await pause(500 * Math.random());
      const killed_at = performance.now();
      if (round % 2 === 0) process.kill(postgresPid(data_dir), "SIGKILL");
      else {
        service.signal("SIGKILL");
        await service.exit;
        service = await start();
      }
      // Asked for when the kill has been felt: an answer that was already on its way proves nothing.
      await pause(100);
      await load.nextAnswer();
      away.push(Math.round(performance.now() - killed_at));
    }
    await load.end();
    expect(load.wrong).toEqual([]);
    const url = embeddedUrl(data_dir);
    expect(await lookInto(url, (db) => mistakes(db, load.answered))).toEqual(no_mistakes);
    const { redeemed } = await lookInto(url, (db) =>
      db.one<{ redeemed: number }>(sql`select count(*) as redeemed from redemptions
        where redemptions.result = 'SUCCESS' and redemptions.campaign_id is not null`),
    );
    expect(redeemed).toBeLessThanOrEqual(budget);
    console.info(`answered ${load.answered.length}, put off ${load.put_off()}, back after ${away.join(", ")} ms`);
    // A start shares the processors with whatever else is tested: one of them may be late, most may not.
    const [postgres, of_service] = [0, 1].map((kind) => away.filter((_, i) => i % 2 === kind).sort((a, b) => a - b));
    for (const times of [postgres, of_service]) {
      expect(times?.[Math.floor(times.length / 2)]).toBeLessThan(away_ms_max);
      expect(times?.at(-1)).toBeLessThan(3 * away_ms_max);
    }
  });

  test("a service whose PostgreSQL is killed goes on at the same address, and says so in one line a second", async () => {
    const { data_dir, credentials, service } = await aShop();
    const load = startLoad({ url: () => service.url, credentials, clients, redeemable, order, refusals });
    const address = embeddedUrl(data_dir);
    await load.nextAnswer();
    const killed_at = performance.now();
    process.kill(postgresPid(data_dir), "SIGKILL");
    await vi.waitUntil(() => load.put_off() > 0, { timeout: 5_000, interval: 5 });
    await load.nextAnswer();
    const seconds = Math.ceil((performance.now() - killed_at) / 1000);
    await load.end();
    expect(load.wrong).toEqual([]);
    expect(embeddedUrl(data_dir)).toBe(address);
    const lines = service.err().split("\n");
    expect(lines.filter((line) => line.includes("the database is away")).length).toBeLessThanOrEqual(seconds + 2);
    // Besides these, what happened and what was done about it.
    expect(lines.length).toBeLessThanOrEqual(seconds + 2 + 40);
  });

  test("a service whose PostgreSQL dies three times within a minute ends with one line that names the log", async () => {
    const { data_dir } = await aUsedDataDir();
    const service = await startProcess({ env: { GUERDON_DATA_DIR: data_dir } });
    const isReady = () =>
      fetch(`${service.url}/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    let has_ended = false;
    void service.exit.then(() => {
      has_ended = true;
    });
    let killed: number | undefined;
    // The note of the dead one stays until another replaces it, and that one may give up and take its own away.
    const another = () => has_ended || expect(servingPostgresPid(data_dir)).not.toBeOneOf([undefined, killed]);
    for (let death = 1; death <= 3; death += 1) {
      await vi.waitFor(another, { timeout: 40_000, interval: 50 });
      // One that gives up before it serves has ended too.
      if (has_ended) break;
      // Nobody redeems here: who asks what became of a commit is answered before the service ends, after 15 s.
      await vi.waitUntil(isReady, { timeout: 40_000, interval: 50 });
      killed = postgresPid(data_dir);
      process.kill(killed, "SIGKILL");
    }
    expect((await service.exit).code).toBe(1);
    expect(service.err()).toMatch(/^guerdon: PostgreSQL in .* ended 3 times within a minute .*server\.log$/m);
  });
});
