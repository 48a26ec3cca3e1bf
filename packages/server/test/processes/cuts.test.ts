import { beforeAll, expect, test, vi } from "vitest";
import { buildIfStale, cleanUpProcesses } from "../harness/process.js";
import { type Cut, startProxy } from "../harness/proxy.js";
import { aCluster } from "./async.fixtures.js";
import { lookInto, mistakes, no_mistakes, startLoad } from "./load.fixtures.js";

cleanUpProcesses();
beforeAll(buildIfStale);

const long = process.env.GUERDON_TEST_LONG === "1";
const rounds = long ? 12 : 1;
if (long) vi.setConfig({ testTimeout: 600_000 });
const limit = 200 * rounds;

const cuts: [string, Cut][] = [
  ["commit work", "before"],
  ["commit work", "halfway"],
  ["commit work", "behind"],
  ["commit work", "after"],
  ["commit work", "late"],
  ["insert into redemptions", "before"],
  ["insert into redemptions", "halfway"],
  ["insert into redemptions", "after"],
  ["pg_advisory_xact_lock", "after"],
];

test("under clients that redeem, connections break at COMMIT and on the way there: what was answered is there once, and nothing else", async () => {
  const cluster = await aCluster();
  const proxy = await startProxy(cluster.url);
  const { url, api } = await cluster.service({ DATABASE_URL: proxy.url });
  const discount = { type: "AMOUNT", amount_off: 100 };
  await api.post("/v1/vouchers/LIMITED", { discount, redemption: { quantity: limit } }, 200);
  for (let i = 0; i < 4; i += 1) await api.post(`/v1/vouchers/CARD-${i}`, { gift: { amount: 1_000_000_000 } }, 200);

  const load = startLoad({
    url: () => url,
    credentials: cluster.credentials,
    clients: 8,
    redeemable: (n) =>
      n % 3 === 0
        ? { object: "voucher", id: "LIMITED" }
        : { object: "voucher", id: `CARD-${n % 4}`, gift: { credits: 100 } },
    refusals: ["quantity_exceeded"],
  });
  for (let round = 0; round < rounds; round += 1) {
    for (const [text, cut] of cuts) {
      await load.nextAnswer();
      await proxy.cutAt(text, cut);
    }
  }
  await load.nextAnswer();
  await load.end();
  expect(load.wrong).toEqual([]);
  expect(load.answered.length).toBeGreaterThan(cuts.length * rounds);
  expect(await lookInto(cluster.url, (db) => mistakes(db, load.answered))).toEqual(no_mistakes);
  // What went unanswered was asked again by nobody: there is a row of each request at most, and none that nobody sent.
  const { rows } = await cluster.db.query(
    `select count(*)::int as redemptions from redemptions where result = 'SUCCESS' and metadata ->> 'request' is null`,
  );
  expect(rows).toEqual([{ redemptions: 0 }]);
});
