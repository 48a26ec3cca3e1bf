import { describe, expect, test } from "vitest";
import type { Fields } from "../../src/features/promotions/promotion.fixtures.js";
import { startService } from "../harness/service.js";
import { aShop } from "./shop.fixtures.js";

const shop = await aShop(await startService(), { discount_calculation_mode: "INITIAL_AMOUNT" });
const { api } = shop;
const soap = (await api.post("/v1/products", { name: "Soap", price: 300 }, 200)).body;
await shop.voucher("TEN", { discount: { type: "PERCENT", percent_off: 10, effect: "APPLY_TO_ORDER" } });
await shop.voucher("UNITS", {
  discount: { type: "UNIT", effect: "ADD_NEW_ITEMS", unit_off: 2, unit_type: soap.id },
});

const cart = (quantity: number) => [{ product_id: soap.id, quantity }];
/** Three soaps, and two more for nothing. */
const redeemed = () => shop.redeem(["UNITS"], { order: { items: cart(3) } });
const put = async (id: string, sent: Fields) => (await api.put(`/v1/orders/${id}`, sent, 200)).body;

describe("free units of a stored order are no part of what it began with (discounts.md §3, §8.3)", () => {
  const three_bought = { initial_amount: 900, discount_amount: 90, items_discount_amount: 600, total_amount: 810 };

  test("when nothing is sent along", async () => {
    const { order } = await redeemed();
    expect((await shop.redeem(["TEN"], { order: { id: order.id } })).order).toMatchObject(three_bought);
  });

  test.each(["items", "amount", "status"])("when its %s was put back as it was", async (field) => {
    const { order } = await redeemed();
    const after = await put(order.id, { [field]: order[field] });
    expect(after).toMatchObject({ amount: 1500, initial_amount: 900, items_discount_amount: 600, total_amount: 900 });
    expect((await shop.redeem(["TEN"], { order: { id: order.id } })).order).toMatchObject(three_bought);
  });

  test.each(["items", "amount"])("when its %s come with the next validation and redemption", async (field) => {
    const { order } = await redeemed();
    const sent = { order: { id: order.id, [field]: order[field] } };
    expect((await shop.validate(["TEN"], sent)).order).toMatchObject(three_bought);
    expect((await shop.redeem(["TEN"], sent)).order).toMatchObject(three_bought);
  });

  test("nor of an amount that says more than its lines", async () => {
    const order = { amount: 5000, items: [{ source_id: "ticket" }] };
    const { id } = (await shop.redeem(["UNITS"], { order })).order;
    expect(await put(id, { items: order.items })).toMatchObject({ amount: 5000, initial_amount: 5000 });
  });
});

describe("a rollback takes off an order what of its redemption is still there (redemption.md §11)", () => {
  test.each([
    ["its own lines, sent back", 5, 3],
    ["the shop's own cart of what was bought", 3, 3],
    ["the shop's own cart with one less", 2, 2],
    ["its own lines with one more", 6, 4],
  ])("%s: of %d units %d are left", async (_what, quantity, left) => {
    const { order, redemptions } = await redeemed();
    await put(order.id, { items: cart(quantity) });
    await api.post(`/v1/redemptions/${redemptions[0].id}/rollback`, {}, 200);
    const after = (await api.get(`/v1/orders/${order.id}`, 200)).body;
    const amount = left * 300;
    expect(after).toMatchObject({ status: "CANCELED", amount, initial_amount: amount, total_amount: amount });
    expect(after).not.toHaveProperty("total_discount_amount");
    expect(after.items).toMatchObject([{ quantity: left, initial_quantity: left, amount, initial_amount: amount }]);
    expect(after.items[0]).not.toHaveProperty("discount_quantity");
  });
});
