import { expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { aReferralShop } from "./referral.fixtures.js";

const service = await startService();

const referredBy = (id: string) => ({ referrer_id: id, referrer: { id, object: "customer" } });

async function aReferredCart() {
  const shop = await aReferralShop(service);
  const { code, referrer_id } = await shop.code();
  const friend = await shop.customer();
  const request = (order: object) => ({ redeemables: [{ object: "voucher", id: code }], customer: friend, order });
  return { ...shop, referrer_id, request };
}

test("an order with a referral code names whose it is, from the validation on", async () => {
  const { api, referrer_id, request } = await aReferredCart();
  const validation = (await api.post("/v1/validations", request({ amount: 5000 }), 200)).body;
  expect(validation.order).toMatchObject(referredBy(referrer_id));
  expect(validation.redeemables[0].order).toMatchObject(referredBy(referrer_id));
  const { redemptions, order } = (await api.post("/v1/redemptions", request({ amount: 5000 }), 200)).body;
  expect(order).toMatchObject(referredBy(referrer_id));
  expect(redemptions[0].order).toMatchObject({ referrer: { id: referrer_id } });
  expect((await api.get(`/v1/orders/${order.id}`, 200)).body).toMatchObject(referredBy(referrer_id));
});

test("whom the order names goes before the code's owner, and whom it named before stays", async () => {
  const { api, customer, request } = await aReferredCart();
  const named = await customer("named");
  const sent = { amount: 5000, referrer: { id: named.id } };
  expect((await api.post("/v1/validations", request(sent), 200)).body.order).toMatchObject(referredBy(named.id));
  const { id } = (await api.post("/v1/orders", sent, 200)).body;
  expect((await api.post("/v1/validations", request({ id }), 200)).body.order).toMatchObject({
    referrer: { id: named.id },
  });
  expect((await api.post("/v1/redemptions", request({ id }), 200)).body.order).toMatchObject(referredBy(named.id));
});

test("a stored order that names nobody is shown with the code's owner, and keeps them once the code is redeemed", async () => {
  const { api, referrer_id, request } = await aReferredCart();
  const { id } = (await api.post("/v1/orders", { amount: 5000 }, 200)).body;
  expect((await api.post("/v1/validations", request({ id }), 200)).body.order).toMatchObject(referredBy(referrer_id));
  expect((await api.get(`/v1/orders/${id}`, 200)).body.referrer_id).toBeNull();
  await api.post("/v1/redemptions", request({ id }), 200);
  expect((await api.get(`/v1/orders/${id}`, 200)).body).toMatchObject(referredBy(referrer_id));
});
