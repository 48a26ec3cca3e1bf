import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { shopsOf } from "../qualification.fixtures.js";

const aShop = shopsOf(await startService());

describe("GET /v1/customers/{customerId}/redeemables", () => {
  test("shows what the customer holds in full, what was given last before the rest", async () => {
    const shop = await aShop();
    const customer = await shop.customer();
    const campaign = await shop.campaign();
    const standalone = await shop.code({}, {}, customer);
    const held = await shop.codeOf(campaign, customer);
    await shop.codeOf(campaign);
    const { body } = await shop.api.get(`/v1/customers/${customer}/redeemables`, 200);
    expect(body).toMatchObject({ object: "list", data_ref: "data", total: 2, has_more: false });
    expect(body).not.toHaveProperty("more_starting_after");
    expect(body.data).toMatchObject([
      {
        id: expect.stringMatching(/^rh_/),
        redeemable_id: expect.stringMatching(/^v_/),
        redeemable_object: "voucher",
        customer_id: customer,
        holder_role: "OWNER",
        campaign_id: campaign,
        campaign_type: "DISCOUNT_COUPONS",
        voucher_type: "DISCOUNT_VOUCHER",
        redeemable: { type: "voucher", status: "ACTIVE", voucher: { code: held, object: "voucher" } },
      },
      { campaign_id: null, campaign_type: null, redeemable: { voucher: { code: standalone } } },
    ]);
  });

  test("walks by cursor", async () => {
    const shop = await aShop();
    const customer = await shop.customer();
    for (let i = 0; i < 3; i += 1) await shop.code({}, {}, customer);
    const url = `/v1/customers/${customer}/redeemables?limit=2`;
    const { body } = await shop.api.get(url, 200);
    expect(body).toMatchObject({ total: 3, has_more: true, more_starting_after: body.data[1].id });
    const rest = (await shop.api.get(`${url}&starting_after_id=${body.more_starting_after}`, 200)).body;
    expect(rest.data).toHaveLength(1);
    expect(rest.has_more).toBe(false);
  });

  test.each([
    ["ACTIVE", {}],
    ["DISABLED", { active: false }],
    ["NOT_ACTIVE_YET", { start_date: "2030-01-01T00:00:00Z" }],
    ["EXPIRED", { expiration_date: "2020-01-01T00:00:00Z" }],
  ])("says that a code is %s", async (status, fields) => {
    const shop = await aShop();
    const customer = await shop.customer();
    await shop.code({}, fields, customer);
    const { body } = await shop.api.get(`/v1/customers/${customer}/redeemables`, 200);
    expect(body.data[0].redeemable.status).toBe(status);
  });

  test("says that a code is used up, or a card empty", async () => {
    const shop = await aShop();
    const customer = await shop.customer();
    await shop.redeem(await shop.code({}, { redemption: { quantity: 1 } }, customer));
    const gift = { type: "GIFT_VOUCHER", discount: undefined, gift: { amount: 900 } };
    await shop.redeem(await shop.code({}, gift, customer));
    const { body } = await shop.api.get(`/v1/customers/${customer}/redeemables`, 200);
    const statuses = body.data.map(({ redeemable }: { redeemable: { status: string } }) => redeemable.status);
    expect(statuses).toEqual(["NO_BALANCE", "USED"]);
  });

  test("of a campaign that is disabled or over is not redeemable either", async () => {
    const shop = await aShop();
    const customer = await shop.customer();
    const campaign = await shop.campaign();
    await shop.codeOf(campaign, customer);
    await shop.api.post(`/v1/campaigns/${campaign}/disable`, {}, 200);
    const { body } = await shop.api.get(`/v1/customers/${customer}/redeemables`, 200);
    expect(body.data[0].redeemable.status).toBe("DISABLED");
  });

  test("knows no stranger", async () => {
    const { api } = await aShop();
    expect((await api.get("/v1/customers/nobody/redeemables", 404)).body.resource_type).toBe("customer");
  });
});
