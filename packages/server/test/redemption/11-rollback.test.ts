import { describe, expect, test } from "vitest";
import { type Fields, off } from "../../src/features/promotions/promotion.fixtures.js";
import { startService } from "../harness/service.js";

const { management, anotherProject, clock } = await startService();

/** A shop of one rollback order mode, with two codes that take 1.00 and 2.00 off. */
async function aShop(redeemables_rollback_order_mode: string) {
  const { api, id } = await anotherProject();
  await management.post(`/management/v1/projects/${id}/stacking-rules`, { redeemables_rollback_order_mode }, 200);
  await api.post("/v1/vouchers/ONE", off(100), 200);
  await api.post("/v1/vouchers/TWO", off(200), 200);
  return {
    api,
    async redeem(codes: string[]) {
      const redeemables = codes.map((code) => ({ object: "voucher", id: code }));
      return (await api.post("/v1/redemptions", { redeemables, order: { amount: 10_000 } }, 200)).body;
    },
    rollBack: async (redemption: string, form: "rollback" | "rollbacks", sent: Fields = {}) =>
      (await api.post(`/v1/redemptions/${redemption}/${form}`, sent, 200)).body,
    order: async (id: string) => (await api.get(`/v1/orders/${id}`, 200)).body,
  };
}

describe("the order of a redemption that is rolled back (redemption.md §11)", () => {
  test("WITH_ORDER: is canceled, loses the discounts, and says by what", async () => {
    const shop = await aShop("WITH_ORDER");
    const { redemptions, order } = await shop.redeem(["ONE"]);
    clock.advance({ minutes: 1 });
    const rollback = await shop.rollBack(redemptions[0].id, "rollback");
    const after = await shop.order(order.id);
    expect(after).toMatchObject({ status: "CANCELED", amount: 10_000, total_amount: 10_000 });
    expect(after).not.toHaveProperty("discount_amount");
    expect(after.redemptions[redemptions[0].id]).toMatchObject({
      rollback_id: rollback.id,
      rollback_date: rollback.date,
    });
  });

  test("WITHOUT_ORDER: stays as it is, and says by what", async () => {
    const shop = await aShop("WITHOUT_ORDER");
    const { redemptions, order } = await shop.redeem(["ONE"]);
    clock.advance({ minutes: 1 });
    const rollback = await shop.rollBack(redemptions[0].id, "rollback");
    const { redemptions: made, ...after } = await shop.order(order.id);
    expect(after).toMatchObject({ status: "PAID", discount_amount: 100, total_amount: 9_900 });
    expect(made[redemptions[0].id]).toMatchObject({ rollback_id: rollback.id, rollback_date: rollback.date });
    const { status, result, related_redemptions } = (await shop.api.get(`/v1/redemptions/${redemptions[0].id}`, 200))
      .body;
    expect([status, result]).toEqual(["ROLLED_BACK", "SUCCESS"]);
    expect(related_redemptions.rollbacks).toEqual([
      { id: rollback.id, date: rollback.date, rollback_order_mode: "WITHOUT_ORDER" },
    ]);
  });

  test.each(["WITH_ORDER", "WITHOUT_ORDER"])(
    "%s: of a stack names the rollback of each child, in order",
    async (mode) => {
      const shop = await aShop(mode);
      const { parent_redemption, order } = await shop.redeem(["ONE", "TWO"]);
      const { rollbacks, parent_rollback } = await shop.rollBack(parent_redemption.id, "rollbacks");
      const { redemptions } = await shop.order(order.id);
      expect(redemptions[parent_redemption.id]).toMatchObject({
        rollback_id: parent_rollback.id,
        rollback_stacked: rollbacks.map(({ id }: { id: string }) => id),
      });
      expect(rollbacks.map(({ voucher }: { voucher: { code: string } }) => voucher.code)).toEqual(["ONE", "TWO"]);
    },
  );
});

describe("a rollback", () => {
  test("by the plural call of what stands alone is one, without a parent", async () => {
    const shop = await aShop("WITH_ORDER");
    const { redemptions } = await shop.redeem(["ONE"]);
    const body = await shop.rollBack(redemptions[0].id, "rollbacks");
    expect(body.rollbacks).toHaveLength(1);
    expect(body).not.toHaveProperty("parent_rollback");
  });

  test("keeps its reason and metadata, and the query's reason wins", async () => {
    const shop = await aShop("WITH_ORDER");
    const { redemptions } = await shop.redeem(["ONE"]);
    const path = `/v1/redemptions/${redemptions[0].id}/rollback?reason=broken`;
    const { body } = await shop.api.post(path, { reason: "late", metadata: { till: 7 } }, 200);
    expect(body).toMatchObject({
      object: "redemption_rollback",
      redemption: redemptions[0].id,
      reason: "broken",
      metadata: { till: 7 },
      status: "SUCCEEDED",
    });
  });

  test("needs no body, nor the voucher to be on", async () => {
    const shop = await aShop("WITH_ORDER");
    const { redemptions } = await shop.redeem(["ONE"]);
    await shop.api.post("/v1/vouchers/ONE/disable", {}, 200);
    await shop.api.send("POST", `/v1/redemptions/${redemptions[0].id}/rollback`, { status: 200 });
    expect((await shop.api.get("/v1/vouchers/ONE", 200)).body.redemption.redeemed_quantity).toBe(0);
  });

  test("of what was rolled back is on record as failed, under the id that the error names", async () => {
    const shop = await aShop("WITH_ORDER");
    const { redemptions } = await shop.redeem(["ONE"]);
    await shop.rollBack(redemptions[0].id, "rollback");
    const { body } = await shop.api.post(`/v1/redemptions/${redemptions[0].id}/rollback`, {}, 400);
    expect((await shop.api.get(`/v1/redemptions/${body.resource_id}`, 200)).body).toMatchObject({
      object: "redemption_rollback",
      redemption: redemptions[0].id,
      result: "FAILURE",
      status: "FAILED",
      failure_code: "already_rolled_back",
      failure_message: "Already rolled back",
    });
  });
});
