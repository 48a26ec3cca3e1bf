import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { lockKeys } from "../../platform/db/locks.js";
import { sql } from "../../platform/db/sql.js";

const { api, context, project } = await startService();
await api.post("/v1/vouchers/ANY", { discount: { type: "AMOUNT", amount_off: 100 } }, 200);
await api.post("/v1/vouchers/OTHER", { discount: { type: "AMOUNT", amount_off: 100 } }, 200);

const redeem = (order: object, code = "ANY") =>
  api.post("/v1/redemptions", { redeemables: [{ object: "voucher", id: code }], order });

const redeemedTimes = async (code: string) =>
  (await api.get(`/v1/vouchers/${code}`, 200)).body.redemption.redeemed_quantity;

/** Waits until the answer can only come from behind the lock, or has come. */
async function whileHeld<Answer>(code: string, work: () => Promise<Answer>): Promise<Answer> {
  const { id } = (await api.get(`/v1/vouchers/${code}`, 200)).body;
  return context.db.transaction(async (tx) => {
    await lockKeys(tx, [{ project_id: project.id, kind: "voucher", id }]);
    return work();
  });
}

describe("an order that is being redeemed", () => {
  test.each(["source_id", "id"])(
    "named by its %s is refused to a second request, which does not wait",
    async (name) => {
      const { id } = (await api.post("/v1/orders", { source_id: `busy-${name}`, amount: 500 }, 200)).body;
      const order = { amount: 500, ...(name === "id" ? { id } : { source_id: `busy-${name}` }) };
      const before = await redeemedTimes("OTHER");
      const { first, second } = await whileHeld("ANY", async () => {
        const first = redeem(order);
        // Its first statement is what takes the order; the lock above keeps it from ending.
        await expect.poll(() => isInUse(order), { timeout: 10_000 }).toBe(true);
        return { first, second: await redeem(order, "OTHER") };
      });
      expect(second).toMatchObject({ status: 400, body: { key: "multiple_requests", message: "Multiple requests" } });
      expect((await first).status).toBe(200);
      expect(await redeemedTimes("OTHER")).toBe(before);
      expect((await redeem(order, "OTHER")).status).toBe(200);
    },
  );

  test("is redeemed once by requests that come together, and by each that comes later", async () => {
    const order = { source_id: "clicked twice", amount: 500 };
    const before = await redeemedTimes("ANY");
    const answers = await Promise.all(Array.from({ length: 16 }, () => redeem(order)));
    const granted = answers.filter(({ status }) => status === 200).length;
    for (const { status, body } of answers)
      if (status !== 200) expect({ status, key: body.key }).toEqual({ status: 400, key: "multiple_requests" });
    expect(granted).toBeGreaterThan(0);
    expect(granted).toBeLessThan(16);
    expect(await redeemedTimes("ANY")).toBe(before + granted);
    expect((await redeem(order)).status).toBe(200);
  });

  test("keeps no other order waiting, nor a cart without a name", async () => {
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, i) => redeem(i % 2 ? { amount: 500 } : { source_id: `apart-${i}`, amount: 500 })),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  });

  test("is not the last word to whoever sends an idempotency key", async () => {
    const order = { source_id: "asked again", amount: 500 };
    const raw = JSON.stringify({ redeemables: [{ object: "voucher", id: "OTHER" }], order });
    const headers = { "content-type": "application/json", "idempotency-key": "asked again" };
    const send = () => api.send("POST", "/v1/redemptions", { raw, headers });
    const { first, second } = await whileHeld("ANY", async () => {
      const first = redeem(order);
      await expect.poll(() => isInUse(order), { timeout: 10_000 }).toBe(true);
      return { first, second: await send() };
    });
    await first;
    expect(second.body.key).toBe("multiple_requests");
    expect((await send()).status).toBe(200);
  });
});

/** Whether a transaction has the order: read from the server's locks, since trying it would take it. */
async function isInUse(order: { id?: string; source_id?: string }): Promise<boolean> {
  const name = order.id ? `id ${order.id}` : `source_id ${order.source_id}`;
  const hash = createHash("sha1").update(`${project.id}\norder_in_use\n${name}`).digest();
  const { held } = await context.db.one<{ held: boolean }>(sql`-- every project: locks are the server's
    select exists (select from pg_locks
                    where pg_locks.locktype = 'advisory' and pg_locks.granted
                      and pg_locks.classid = ${hash.readUInt32BE(0)}::bigint::oid
                      and pg_locks.objid = ${hash.readUInt32BE(4)}::bigint::oid) as held`);
  return held;
}
