import { describe, expect, inject, test } from "vitest";
import { startProxy } from "../../test/harness/proxy.js";
import { startService } from "../../test/harness/service.js";

const proxy = await startProxy(inject("database_url"));
const { api } = await startService({ database_url: proxy.url });

/** What is written goes out with the COMMIT, but where points and credits move: there it goes before. */
const kinds = { voucher: { discount: { type: "AMOUNT", amount_off: 400 } }, card: { gift: { amount: 1000 } } };

describe.each(["before", "halfway", "behind", "after", "late"] as const)(
  "a connection that breaks %s COMMIT",
  (cut) => {
    test.each(Object.entries(kinds))(
      "leaves the redemption of a %s recorded once, and answered",
      async (kind, fields) => {
        const code = `CUT-${cut}-${kind}`;
        await api.post(`/v1/vouchers/${code}`, { ...fields, redemption: { quantity: 3 } }, 200);
        const broken = proxy.cutAt("; commit", cut);
        const { body } = await api.post(
          "/v1/redemptions",
          { redeemables: [{ object: "voucher", id: code }], order: { amount: 400 }, customer: { source_id: code } },
          200,
        );
        await broken;
        const voucher = (await api.get(`/v1/vouchers/${code}`, 200)).body;
        expect(voucher).toMatchObject({ redemption: { redeemed_quantity: 1 } });
        if (kind === "card") expect(voucher.gift.balance).toBe(600);
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
      const broken = proxy.cutAt("; commit", cut);
      await api.post(`/v1/redemptions/${redeemed.body.redemptions[0].id}/rollback`, {}, 200);
      await broken;
      const voucher = (await api.get(`/v1/vouchers/${code}`, 200)).body;
      expect(voucher).toMatchObject({ gift: { balance: 1000 }, redemption: { redeemed_quantity: 0 } });
    });
  },
);
