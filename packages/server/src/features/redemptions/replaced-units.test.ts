import { expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";

const { api } = await startService();

const post = async (path: string, sent: object) => (await api.post(path, sent, 200)).body;
const small = (await post("/v1/products", { name: "Small", price: 700 })).id;
const large = (await post("/v1/products", { name: "Large", price: 950 })).id;

/** Exchanges two small ones of a line for large ones. */
async function anExchange(code: string) {
  const included = [{ object: "product", id: small, quantity_limit: 2 }];
  const rule = await post("/v1/validation-rules", { name: code, rules: {}, applicable_to: { included } });
  const discount = { type: "UNIT", effect: "REPLACE_ITEMS", unit_off: 1, unit_type: large };
  await post(`/v1/vouchers/${code}`, { type: "DISCOUNT_VOUCHER", discount, validation_rules: [rule.id] });
  return { redeemables: [{ object: "voucher", id: code }], order: { items: [{ product_id: small, quantity: 4 }] } };
}

/** The worked example of discounts.md §6.4. */
const exchanged = [
  {
    source_index: 0,
    source_applied_quantity: -2,
    source_applied_quantity_amount: -1400,
    target_index: 1,
    target_applied_quantity: 2,
    target_applied_quantity_amount: 1900,
    target_applied_discount_amount: 500,
  },
];

test("a line whose units were exchanged says for what, wherever an order with what was applied is shown", async () => {
  const asked = await anExchange("EXCHANGED");
  const valid = await post("/v1/validations", asked);
  const customer = { source_id: "ann" };
  await post("/v1/publications", { voucher: "EXCHANGED", customer });
  const qualified = await post("/v1/qualifications", { customer, order: asked.order });
  const redeemed = await post("/v1/redemptions", asked);
  const stored = (await api.get(`/v1/redemptions/${redeemed.redemptions[0].id}`, 200)).body;
  for (const { order } of [
    valid,
    valid.redeemables[0],
    qualified.redeemables.data[0],
    redeemed,
    redeemed.redemptions[0],
    stored,
  ]) {
    expect(order).toMatchObject({ amount: 3300, total_amount: 2800 });
    const [source, target] = order.items;
    expect(source.application_details).toEqual(exchanged);
    expect(target).not.toHaveProperty("application_details");
  }
});

test("once the exchange is taken back the order says nothing of it", async () => {
  const { redemptions, order } = await post("/v1/redemptions", await anExchange("TAKEN-BACK"));
  await post(`/v1/redemptions/${redemptions[0].id}/rollback`, {});
  const left = (await api.get(`/v1/orders/${order.id}`, 200)).body;
  expect(left.items).toMatchObject([{ product_id: small, quantity: 4, amount: 2800 }]);
  expect(left.items[0]).not.toHaveProperty("application_details");
});
