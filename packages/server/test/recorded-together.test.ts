import { describe, expect, test } from "vitest";
import { startService } from "./harness/service.js";

const { api, context } = await startService();

const discount = { type: "AMOUNT", amount_off: 100 };
const asked = (id: string, key?: string) => ({
  redeemables: [{ object: "voucher", id }],
  order: { amount: 1000 },
  ...(key ? { session: { type: "LOCK", key } } : {}),
});

async function aVoucher(code: string, quantity: number): Promise<void> {
  await api.post(`/v1/vouchers/${code}`, { discount, redemption: { quantity } }, 200);
}

const liveLocks = async (code: string) =>
  (await api.get(`/v1/vouchers/${code}/sessions`, 200)).body.sessions.map(({ key }: { key: string }) => key);

/** How many transactions have recorded something, of this service alone. */
async function batches(): Promise<number> {
  const text = await context.metrics.text({ pool: context.db.pool(), backlog: null });
  return Number(/guerdon_recording_batch_requests_count (\d+)/.exec(text)?.[1] ?? 0);
}

describe("what is decided and recorded shares transactions, whatever it is", () => {
  test("locks of one voucher that come together are never more than it allows", async () => {
    await aVoucher("FIVE", 5);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => api.post("/v1/validations", asked("FIVE", `key-${i}`), 200)),
    );
    expect(answers.filter(({ body }) => body.valid)).toHaveLength(5);
    expect(await liveLocks("FIVE")).toHaveLength(5);
  });

  test("a lock and the redemption of its session in one batch leave no lock, in the order in which they came", async () => {
    for (let round = 0; round < 5; round += 1) {
      await aVoucher(`BOTH-${round}`, 1);
      const code = `BOTH-${round}`;
      const [locked, redeemed] = await Promise.all([
        api.post("/v1/validations", asked(code, "mine")),
        api.post("/v1/redemptions", asked(code, "mine")),
      ]);
      expect(redeemed.status).toBe(200);
      // Whichever came first: the lock was redeemed, or found nothing left to lock.
      expect(locked.status).toBe(200);
      expect(await liveLocks(code)).toEqual([]);
    }
  });

  test("a redemption beside a lock of another session finds the voucher held, or the lock finds it redeemed", async () => {
    for (let round = 0; round < 5; round += 1) {
      const code = `HELD-${round}`;
      await aVoucher(code, 1);
      const [locked, redeemed] = await Promise.all([
        api.post("/v1/validations", asked(code, "mine"), 200),
        api.post("/v1/redemptions", asked(code)),
      ]);
      expect([locked.body.valid, redeemed.status === 200].filter(Boolean)).toHaveLength(1);
    }
  });

  test("fifty locks cost fewer transactions than locks", async () => {
    await aVoucher("MANY", 50);
    const before = await batches();
    await Promise.all(
      Array.from({ length: 50 }, (_, i) => api.post("/v1/validations", asked("MANY", `key-${i}`), 200)),
    );
    const more = (await batches()) - before;
    expect(more).toBeGreaterThan(0);
    expect(more).toBeLessThan(40);
  });
});

test("a request that no decision can be asked about fails alone", async () => {
  await aVoucher("ALONE", 10);
  const answers = await Promise.all([
    api.post("/v1/validations", asked("ALONE", "one")),
    api.post("/v1/validations", { ...asked("ALONE", "two"), customer: { id: "cust_nobody" } }),
    api.post("/v1/validations", asked("ALONE", "three")),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 200]);
});
