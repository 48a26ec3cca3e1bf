import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { aMember, aProgram } from "../../src/features/loyalties/loyalty.fixtures.js";
import { aCampaign, aReward, given } from "../../src/features/rewards/reward.fixtures.js";
import { openDatabase, type Queries } from "../../src/platform/db/database.js";
import { sql } from "../../src/platform/db/sql.js";
import { createLog } from "../../src/platform/log.js";
import type { Answer, Client } from "../harness/client.js";
import {
  buildIfStale,
  cleanUpProcesses,
  clientOf,
  embeddedUrl,
  printedCredentials,
  scratch,
  startProcess,
} from "../harness/process.js";
import { aUsedDataDir } from "../harness/templates.js";

cleanUpProcesses();
beforeAll(buildIfStale);

const secret = { GUERDON_SECRET_KEY: "07".repeat(32) };

interface Nodes {
  nodes: [Client, Client];
  db: Queries;
  close: () => Promise<void>;
}

/** Two services of one process each on one database, and a look into it. */
async function twoNodes(): Promise<Nodes> {
  const data_dir = join(scratch(), "data");
  const first = await startProcess({ env: { GUERDON_DATA_DIR: data_dir, ...secret } });
  const url = embeddedUrl(data_dir);
  const second = await startProcess({ env: { GUERDON_DATA_DIR: scratch(), DATABASE_URL: url, ...secret } });
  const credentials = printedCredentials(first.out());
  const db = openDatabase({ url, log: createLog("silent"), connections_max: 1, prepared: true });
  return { nodes: [clientOf(first.url, credentials), clientOf(second.url, credentials)], db, close: () => db.close() };
}

/** One service of two processes, which has each connection answered by the next of them. */
async function onePort(): Promise<Nodes> {
  const { data_dir, credentials } = await aUsedDataDir();
  const { url } = await startProcess({ env: { GUERDON_DATA_DIR: data_dir, GUERDON_PROCESSES: "2" } });
  const api = clientOf(url, credentials);
  const db = openDatabase({ url: embeddedUrl(data_dir), log: createLog("silent"), connections_max: 1, prepared: true });
  return { nodes: [api, api], db, close: () => db.close() };
}

/** The same request many times, from both nodes at once. */
const rush = (nodes: [Client, Client], times: number, ask: (api: Client, i: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: times }, (_, i) => ask(nodes[i % 2] as Client, i)));

const granted = (answers: Answer[]) => answers.filter(({ status }) => status === 200);
const keysOf = (answers: Answer[]) =>
  new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.key));
const redeem =
  (code: string, more: object = {}) =>
  (api: Client) =>
    api.post("/v1/redemptions", { redeemables: [{ object: "voucher", id: code }], order: { amount: 300 }, ...more });

/** An order under both its names, redeemed on and given back at once: each that was granted counts, and no other did anything. */
async function oneAtATime(nodes: [Client, Client]): Promise<void> {
  const [api, other] = nodes;
  const { id } = (await api.post("/v1/orders", { source_id: "two names", amount: 300 }, 200)).body;
  const first = (await redeem("ANY", { order: { id } })(api)).body.redemptions[0];
  const asked = await rush(nodes, 36, (node, i) =>
    i % 3 === 0
      ? node.post(`/v1/redemptions/${first.id}/rollback`)
      : redeem("ANY", { order: i % 3 === 1 ? { id } : { source_id: "two names" } })(node),
  );
  const told = keysOf(asked);
  expect([...told].filter((key) => key !== "already_rolled_back" && key !== "multiple_requests")).toEqual([]);
  const made = granted(asked).filter(({ body }) => body.redemptions);
  const undone = granted(asked).length - made.length;
  expect((await other.get("/v1/vouchers/ANY", 200)).body.redemption.redeemed_quantity).toBe(1 + made.length - undone);
  const order = (await other.get(`/v1/orders/${id}`, 200)).body;
  expect(Object.keys(order.redemptions)).toHaveLength(1 + made.length);
}

/** The last code of a campaign, as a reward of many members at once: one of them is given it, and pays. */
async function theLastCode(nodes: [Client, Client]): Promise<void> {
  const [api, other] = nodes;
  const program = await aProgram({ api }, {}, 10);
  const reward = await aReward({ api }, { parameters: { campaign: { id: (await aCampaign({ api }, 1)).id } } });
  await given({ api }, program, reward, 10);
  const members = await Promise.all(Array.from({ length: 12 }, () => aMember({ api }, program)));
  const asked = await rush(nodes, members.length, (node, i) =>
    node.post(`/v1/loyalties/members/${members[i]?.card.id}/redemption`, { reward: { id: reward.id } }),
  );
  expect(granted(asked)).toHaveLength(1);
  expect(keysOf(asked)).toEqual(new Set(["no_voucher_suitable_for_publication"]));
  expect((await other.get(`/v1/rewards/${reward.id}`, 200)).body.redeemed).toBe(1);
}

describe.each([
  ["on one database", twoNodes],
  ["behind one port", onePort],
])("from two processes %s", (_, start) => {
  test("no limit is exceeded and nothing is done twice, whatever runs at once", async () => {
    const { nodes, db, close } = await start();
    const [api, other] = nodes;

    await api.post(
      "/v1/vouchers/TEN",
      { discount: { type: "PERCENT", percent_off: 5 }, redemption: { quantity: 10 } },
      200,
    );
    const ten = await rush(nodes, 64, redeem("TEN"));
    expect(granted(ten)).toHaveLength(10);
    expect(keysOf(ten)).toEqual(new Set(["quantity_exceeded"]));
    expect((await other.get("/v1/vouchers/TEN", 200)).body.redemption.redeemed_quantity).toBe(10);
    const { rows } = await db.one<{ rows: number }>(sql`
      select count(*) as rows from redemptions join vouchers on vouchers.id = redemptions.voucher_id
       where vouchers.code = 'TEN' and redemptions.result = 'SUCCESS'`);
    expect(rows).toBe(10);

    await api.post("/v1/vouchers/GIFT", { gift: { amount: 3000 } }, 200);
    const gifts = await rush(nodes, 64, (node) =>
      node.post("/v1/redemptions", {
        redeemables: [{ object: "voucher", id: "GIFT", gift: { credits: 300 } }],
        order: { amount: 300 },
      }),
    );
    expect(granted(gifts)).toHaveLength(10);
    expect(keysOf(gifts)).toEqual(new Set(["gift_amount_exceeded"]));
    expect((await other.get("/v1/vouchers/GIFT", 200)).body.gift.balance).toBe(0);

    const { id } = granted(ten)[0]?.body.redemptions[0] ?? {};
    const rollbacks = await rush(nodes, 20, (node) => node.post(`/v1/redemptions/${id}/rollback`));
    expect(granted(rollbacks)).toHaveLength(1);
    const told = keysOf(rollbacks);
    expect([...told].filter((key) => key !== "already_rolled_back" && key !== "multiple_requests")).toEqual([]);
    expect((await other.get("/v1/vouchers/TEN", 200)).body.redemption.redeemed_quantity).toBe(9);

    await api.post("/v1/vouchers/ANY", { discount: { type: "PERCENT", percent_off: 5 } }, 200);
    await oneAtATime(nodes);
    await theLastCode(nodes);

    const newcomers = await rush(nodes, 64, redeem("ANY", { customer: { source_id: "newcomer", name: "New" } }));
    expect(granted(newcomers)).toHaveLength(64);
    const { customers } = await db.one<{ customers: number }>(
      sql`select count(*) as customers from customers where customers.source_id = 'newcomer'`,
    );
    expect(customers).toBe(1);
    await close();
  });

  test("an edit on one is seen by the next request on either", async () => {
    const { nodes, close } = await start();
    const [api, other] = nodes;
    /** Several at once, so that each process is asked behind one port too. */
    const answers_at_once = 6;
    const voucher = { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 100 } };
    await api.post("/v1/campaigns", { name: "Seen", campaign_type: "DISCOUNT_COUPONS", voucher }, 200);
    await api.post("/v1/campaigns/Seen/vouchers/SEEN-1", {}, 200);
    const request = { redeemables: [{ object: "voucher", id: "SEEN-1" }], order: { amount: 500 } };
    const valid = async (node: Client) => {
      const asked = Array.from({ length: answers_at_once }, () => node.post("/v1/validations", request, 200));
      return [...new Set((await Promise.all(asked)).map(({ body }) => body.valid))];
    };
    for (let i = 0; i < 20; i += 1) {
      await api.post("/v1/campaigns/Seen/disable", {}, 200);
      expect(await valid(other)).toEqual([false]);
      await other.post("/v1/campaigns/Seen/enable", {}, 200);
      expect(await valid(api)).toEqual([true]);
    }
    await close();
  });
});
