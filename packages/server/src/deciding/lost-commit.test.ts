import { describe, expect, inject, test, vi } from "vitest";
import { late_ms, startProxy } from "../../test/harness/proxy.js";
import { startService } from "../../test/harness/service.js";

const proxy = await startProxy(inject("database_url"));
const { api } = await startService({ database_url: proxy.url });

const discount = { type: "AMOUNT", amount_off: 400 };
/** What is written goes out with the COMMIT, but where the answer is kept: there it goes before. */
const kinds = [
  { what: "a voucher", fields: { discount }, is_kept: false },
  { what: "a card", fields: { gift: { amount: 1000 } }, is_kept: false },
  { what: "a voucher whose answer is kept", fields: { discount }, is_kept: true },
];

describe.each(["before", "halfway", "behind", "after", "late"] as const)(
  "a connection that breaks %s COMMIT",
  (cut) => {
    test.each(kinds)(
      "leaves the redemption of $what recorded once, and answered",
      async ({ what, fields, is_kept }) => {
        const code = `CUT ${cut} ${what}`.replaceAll(" ", "-");
        await api.post(`/v1/vouchers/${code}`, { ...fields, redemption: { quantity: 3 } }, 200);
        const broken = proxy.cutAt("commit work", cut);
        const redeemables = [{ object: "voucher", id: code }];
        const raw = JSON.stringify({ redeemables, order: { amount: 400 }, customer: { source_id: code } });
        const headers: Record<string, string> = is_kept ? { "idempotency-key": code } : {};
        const ask = () => api.send("POST", "/v1/redemptions", { raw, headers });
        let { status, body } = await ask();
        await broken;
        // The key is held until the database has heard that its transaction is over: whoever asks again learns what became of it.
        while (is_kept && status === 409) ({ status, body } = await ask());
        expect(status).toBe(200);
        const voucher = (await api.get(`/v1/vouchers/${code}`, 200)).body;
        expect(voucher).toMatchObject({ redemption: { redeemed_quantity: 1 } });
        if ("gift" in fields) expect(voucher.gift.balance).toBe(600);
        const { redemptions, total } = (await api.get(`/v1/redemptions?customer=${code}`, 200)).body;
        expect(total).toBe(1);
        expect(redemptions[0].id).toBe(body.redemptions[0].id);
      },
    );

    test("leaves a rollback recorded once, and answered", async () => {
      const code = `UNDO-${cut}`;
      await api.post(`/v1/vouchers/${code}`, { gift: { amount: 1000 } }, 200);
      const redeemed = await api.post(
        "/v1/redemptions",
        { redeemables: [{ object: "voucher", id: code }], order: { amount: 400 } },
        200,
      );
      const broken = proxy.cutAt("commit work", cut);
      await api.post(`/v1/redemptions/${redeemed.body.redemptions[0].id}/rollback`, {}, 200);
      await broken;
      const voucher = (await api.get(`/v1/vouchers/${code}`, 200)).body;
      expect(voucher).toMatchObject({ gift: { balance: 1000 }, redemption: { redeemed_quantity: 0 } });
    });
  },
);

test("an answer is a text before its COMMIT is told", async () => {
  await api.post("/v1/vouchers/SLOW", { discount }, 200);
  const { stringify } = JSON;
  const written_at: number[] = [];
  const spy = vi.spyOn(JSON, "stringify").mockImplementation((value, ...how) => {
    if (value?.inapplicable_redeemables) written_at.push(performance.now());
    return stringify(value, ...how);
  });
  const slow = proxy.cutAt("commit work", "slow");
  await api.post("/v1/redemptions", { redeemables: [{ object: "voucher", id: "SLOW" }] }, 200);
  await slow;
  spy.mockRestore();
  expect(performance.now() - (written_at[0] ?? Number.POSITIVE_INFINITY)).toBeGreaterThan(late_ms / 2);
});
