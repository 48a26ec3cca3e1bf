import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, describe, expect, inject, test, vi } from "vitest";
import { head } from "../../../test/harness/raw-http.js";
import { startService } from "../../../test/harness/service.js";
import { openDatabase } from "../../platform/db/database.js";
import { lockKeys } from "../../platform/db/locks.js";
import { sql } from "../../platform/db/sql.js";

const { api, context, project, url } = await startService();
const other = openDatabase({ url: inject("database_url"), log: context.log, connections_max: 1, prepared: false });
afterAll(() => other.close());

const bodyOf = (code: string) =>
  JSON.stringify({
    redeemables: [{ object: "voucher", id: code, gift: { credits: 100 } }],
    order: { amount: 500 },
    customer: { source_id: code },
  });

/** Asks for a redemption under a key, and hangs up at the moment that is given. */
async function redeemAndHangUp(code: string, gone: () => Promise<unknown>): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on("error", () => undefined);
  await once(socket, "connect");
  const body = bodyOf(code);
  const headers = {
    "x-app-id": project.app_id,
    "x-app-token": project.app_token,
    "content-type": "application/json",
    "content-length": String(body.length),
    "idempotency-key": code,
  };
  socket.write(head("POST", "/v1/redemptions", headers) + body);
  await gone();
  socket.destroy();
}

/** Asks the same again until it is no longer under way. */
const redeemAgain = (code: string) =>
  vi.waitFor(
    async () => {
      const headers = { "idempotency-key": code };
      expect((await api.send("POST", "/v1/redemptions", { raw: bodyOf(code), headers })).status).toBe(200);
    },
    { timeout: 10_000 },
  );

/** What there is of redemptions of a card: all of these are the same number, or something is half-written. */
const recordedOf = (voucher_id: string, code: string) =>
  context.db.one<Record<string, number>>(sql`
    select (select count(*) from redemptions where redemptions.project_id = ${project.id} and redemptions.voucher_id = ${voucher_id}) as redemptions,
           (select coalesce(sum(voucher_usage.redeemed_quantity), 0) from voucher_usage
             where voucher_usage.project_id = ${project.id} and voucher_usage.voucher_id = ${voucher_id}) as used,
           (select count(*) from ledger_entries where ledger_entries.project_id = ${project.id}
               and ledger_entries.voucher_id = ${voucher_id}) as entries,
           (select (1000 - card_balances.balance) / 100 from card_balances
             where card_balances.project_id = ${project.id} and card_balances.voucher_id = ${voucher_id}) as spent,
           (select count(*) from orders join customers on customers.id = orders.customer_id
             where orders.project_id = ${project.id} and customers.project_id = ${project.id}
               and customers.source_id = ${code}) as orders`);

async function aCard(code: string): Promise<string> {
  return (await api.post(`/v1/vouchers/${code}`, { gift: { amount: 1000 } }, 200)).body.id;
}

const wholly = (times: number) => ({ redemptions: times, used: times, entries: times, spent: times, orders: times });

describe("a client that hangs up", () => {
  test("while its redemption waits for a key leaves it recorded as a whole, and no lock", async () => {
    const id = await aCard("WAITS-FOR-KEY");
    await other.transaction(async (tx) => {
      await lockKeys(tx, [{ project_id: project.id, kind: "voucher", id }]);
      const { pid } = await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      await redeemAndHangUp("WAITS-FOR-KEY", () => vi.waitUntil(() => isWaitedFor(pid), { timeout: 5_000 }));
      await pause(50);
    });
    await vi.waitFor(async () => expect(await recordedOf(id, "WAITS-FOR-KEY")).toEqual(wholly(1)), { timeout: 10_000 });
    await expectFree(id);
  });

  test("at whatever moment leaves its redemption recorded as a whole or not at all, and no lock; sent again with its key it is there once", async () => {
    const cards = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => ({ code: `GONE-${i}`, id: await aCard(`GONE-${i}`) })),
    );
    await Promise.all(cards.map(({ code }, i) => redeemAndHangUp(code, () => pause(i * 3))));
    for (const { code, id } of cards) {
      // Whoever holds its key afterwards comes behind it.
      await expectFree(id);
      const { redemptions = 0, ...rest } = await recordedOf(id, code);
      expect([0, 1]).toContain(redemptions);
      expect({ redemptions, ...rest }).toEqual(wholly(redemptions));
      await redeemAgain(code);
      expect(await recordedOf(id, code)).toEqual(wholly(1));
    }
  });
});

/** Whether somebody waits for what that connection holds. */
const isWaitedFor = async (pid: number) =>
  (
    await context.db.one<{ waiting: boolean }>(sql`
      select exists (select from pg_stat_activity as one where ${pid}::int = any(pg_blocking_pids(one.pid))) as waiting`)
  ).waiting;

/** Somebody else gets the key, so nobody has kept it. */
const expectFree = (id: string) =>
  other.transaction((tx) => lockKeys(tx, [{ project_id: project.id, kind: "voucher", id }]));
