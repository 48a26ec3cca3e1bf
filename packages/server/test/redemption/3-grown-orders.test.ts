import { describe, expect, test } from "vitest";
import { startService } from "../harness/service.js";
import { aShop, asked } from "./shop.fixtures.js";

const shop = await aShop(await startService());
const { api } = shop;
const bag = (await api.post("/v1/products", { name: "Bag", price: 50 }, 200)).body;
await shop.voucher("BAG", { discount: { type: "UNIT", effect: "ADD_NEW_ITEMS", unit_off: 1, unit_type: bag.id } });
await shop.voucher("OFF");
const items = Array.from({ length: 500 }, (_, i) => ({ source_id: `thing-${i}`, price: 10 }));
const grown = (await shop.redeem(["BAG"], { order: { items } })).order;

describe("a cart of 500 lines, the most that may be sent, that a free unit gave another one (discounts.md §2)", () => {
  const order = { id: grown.id };
  const after = { amount: 5050, total_amount: 4900 };

  test("is validated, qualified, changed and redeemed like any stored order", async () => {
    expect(grown.items).toHaveLength(501);
    const { valid, ...validated } = await shop.validate(["OFF"], { order });
    expect([valid, validated.order]).toMatchObject([true, after]);
    const { body } = await api.post("/v1/qualifications", { order, scenario: "ALL" }, 200);
    expect(body.redeemables.data.map(({ id }: { id: string }) => id)).toContain("OFF");
    await api.put(`/v1/orders/${order.id}`, { status: "FULFILLED" }, 200);
    for (const named of [order, { source_id: await sourceIdOf(order.id) }]) {
      expect((await shop.validate(["OFF"], { order: named })).order).toMatchObject(after);
    }
    const redeemed = await shop.redeem(["OFF"], { order });
    expect(redeemed.order).toMatchObject(after);
    expect(redeemed.order.items).toHaveLength(501);
    await api.post(`/v1/redemptions/${redeemed.redemptions[0].id}/rollback`, {}, 200);
  });

  test("is not sent back whole: what is sent has 500 lines at most", async () => {
    const sent = { redeemables: [asked("OFF")], order: { ...order, items: grown.items } };
    const { body } = await api.post("/v1/validations", sent, 400);
    expect(body.details).toBe("Property .order.items must NOT have more than 500 items");
  });
});

async function sourceIdOf(id: string): Promise<string> {
  return (await api.put(`/v1/orders/${id}`, { source_id: "grown" }, 200)).body.source_id;
}
