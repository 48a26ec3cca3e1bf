import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { leavingAllOf } from "../../../test/harness/stored.js";
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
  test.each(["source_id", "id"].flatMap((first) => ["source_id", "id"].map((second) => [first, second])))(
    "named by its %s is refused to a second request, which names it by its %s and does not wait",
    async (one, other) => {
      const order = await anOrder();
      const { first, second } = await whileHeld("ANY", async () => {
        const first = redeem(named(order, one));
        await untilInUse(order);
        return { first, second: await leavingNothing(() => redeem(named(order, other), "OTHER")) };
      });
      expect(second).toMatchObject(refused("order"));
      expect((await first).status).toBe(200);
      expect((await redeem(named(order, other), "OTHER")).status).toBe(200);
    },
  );

  test("is refused to a lock that a validation asks for, and to nobody who only asks", async () => {
    const order = await anOrder();
    const ask = (more: object) =>
      api.post("/v1/validations", {
        redeemables: [{ object: "voucher", id: "OTHER" }],
        order: { id: order.id },
        ...more,
      });
    const { first, answers } = await whileHeld("ANY", async () => {
      const first = redeem(named(order, "source_id"));
      await untilInUse(order);
      return { first, answers: [await ask({ session: { type: "LOCK" } }), await ask({})] };
    });
    expect(answers).toMatchObject([refused("order"), { status: 200 }]);
    await first;
  });

  test.each([
    ["under one name", async () => [{ source_id: "clicked twice", amount: 500 }]],
    [
      "under both its names",
      async () => {
        const order = await anOrder();
        return [named(order, "id"), named(order, "source_id")];
      },
    ],
  ])("is redeemed once by requests that come together %s, and by each that comes later", async (_, make) => {
    const names = await make();
    const before = await redeemedTimes("ANY");
    const answers = await Promise.all(Array.from({ length: 16 }, (_, i) => redeem(names[i % names.length] ?? {})));
    const granted = answers.filter(({ status }) => status === 200).length;
    for (const { status, body } of answers)
      if (status !== 200) expect({ status, key: body.key }).toEqual({ status: 400, key: "multiple_requests" });
    expect(granted).toBeGreaterThan(0);
    expect(granted).toBeLessThan(16);
    expect(await redeemedTimes("ANY")).toBe(before + granted);
    for (const name of names) expect((await redeem(name)).status).toBe(200);
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
      await untilInUse(order);
      return { first, second: await send() };
    });
    await first;
    expect(second.body.key).toBe("multiple_requests");
    expect((await send()).status).toBe(200);
  });
});

describe("a redemption that is being rolled back", () => {
  const rollBack = (id: string, form = "rollback") => api.post(`/v1/redemptions/${id}/${form}`, {});

  test.each(["rollback", "rollbacks"])("is refused to a second %s, which does not wait, and then was", async (form) => {
    const { id } = (await redeem({ amount: 500 })).body.redemptions[0];
    const { first, second } = await whileHeld("ANY", async () => {
      const first = rollBack(id);
      await untilHeld("redemption_in_use", id);
      return { first, second: await leavingNothing(() => rollBack(id, form)) };
    });
    expect(second).toMatchObject(refused("redemption"));
    expect(second.headers.get("retry-after")).toBe("1");
    expect((await first).status).toBe(200);
    expect((await rollBack(id, form)).body.key).toBe("already_rolled_back");
  });

  test("says what is wrong with the second request itself, where something is", async () => {
    const redeemables = ["ANY", "OTHER"].map((code) => ({ object: "voucher", id: code }));
    const stack = (await api.post("/v1/redemptions", { redeemables, order: { amount: 500 } }, 200)).body;
    const { id } = stack.parent_redemption;
    const { first, answers } = await whileHeld("ANY", async () => {
      const first = rollBack(id, "rollbacks");
      await untilHeld("redemption_in_use", id);
      const answers = [
        await api.post(`/v1/redemptions/${id}/rollbacks`, { customer: { source_id: "nobody" } }),
        await api.post(`/v1/redemptions/${id}/rollbacks`, { order: { source_id: "another" } }),
        await rollBack(stack.redemptions[0].id),
        await rollBack(id),
      ];
      return { first, answers };
    });
    const keys = ["not_found", "invalid_order", "invalid_redemption_parent", "invalid_redemption"];
    expect(answers.map(({ body }) => body.key)).toEqual(keys);
    expect((await first).status).toBe(200);
  });

  test.each(["source_id", "id"])("has its order, which is refused to who names it by its %s", async (name) => {
    const order = await anOrder();
    const [{ id }, { id: other }] = [
      (await redeem(named(order, "id"))).body.redemptions[0],
      (await redeem(named(order, "id"), "OTHER")).body.redemptions[0],
    ];
    const { first, answers } = await whileHeld("ANY", async () => {
      const first = rollBack(id);
      await untilInUse(order);
      const meanwhile = () => Promise.all([redeem(named(order, name), "OTHER"), rollBack(other)]);
      return { first, answers: await leavingNothing(meanwhile) };
    });
    expect(answers).toMatchObject([refused("order"), refused("order")]);
    expect((await first).status).toBe(200);
    expect((await rollBack(other)).status).toBe(200);
  });

  test.each(["source_id", "id"])("is refused while its order is redeemed under its %s", async (name) => {
    const order = await anOrder();
    const { id } = (await redeem(named(order, "id"), "OTHER")).body.redemptions[0];
    const { first, second } = await whileHeld("ANY", async () => {
      const first = redeem(named(order, name));
      await untilInUse(order);
      return { first, second: await leavingNothing(() => rollBack(id)) };
    });
    expect(second).toMatchObject(refused("order"));
    expect((await first).status).toBe(200);
    expect((await rollBack(id)).status).toBe(200);
  });
});

const refused = (worked_on: string) => ({
  status: 400,
  body: {
    key: "multiple_requests",
    message: "Multiple requests",
    details: `Another request for this ${worked_on} is being worked on. Try again.`,
  },
});

let made = 0;
interface Stored {
  id: string;
  source_id: string;
}
/** An order that is stored, and so has two names. */
async function anOrder(): Promise<Stored> {
  made += 1;
  return (await api.post("/v1/orders", { source_id: `busy-${made}`, amount: 500 }, 200)).body;
}
const named = ({ id, source_id }: Stored, name: string) => ({
  amount: 500,
  ...(name === "id" ? { id } : { source_id }),
});

const leavingNothing = <Answer>(ask: () => Promise<Answer>) => leavingAllOf(context, project.id)(ask);

/** Until a transaction has the order; what it waits for next keeps it from ending. */
const untilInUse = ({ id, source_id }: { id?: string; source_id: string }) =>
  untilHeld("order_in_use", id ? `id ${id}` : `source_id ${source_id}`);

const untilHeld = (kind: string, id: string) => expect.poll(() => isHeld(kind, id), { timeout: 10_000 }).toBe(true);

/** Read from the server's locks, since trying a key would take it. */
async function isHeld(kind: string, id: string): Promise<boolean> {
  const { held } = await context.db.one<{ held: boolean }>(sql`-- every project: locks are the server's
    select exists (select from pg_locks
                    where pg_locks.locktype = 'advisory' and pg_locks.granted
                      and (pg_locks.classid::bigint << 32) | pg_locks.objid::bigint
                          = hashtextextended(${`${project.id}\n${kind}:${id}`}, 0)) as held`);
  return held;
}
