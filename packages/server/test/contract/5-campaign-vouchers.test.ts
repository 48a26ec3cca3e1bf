import { describe, expect, test } from "vitest";
import { startService } from "../harness/service.js";

const { api, runDue } = await startService();
const { body: campaign } = await api.post(
  "/v1/campaigns",
  { name: "Spring", voucher: { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 1000 } } },
  200,
);
const path = `/v1/campaigns/${campaign.id}/vouchers`;

describe("POST /v1/campaigns/{campaignId}/vouchers", () => {
  test("the response is the voucher when the count is 1", async () => {
    const added = {
      object: "voucher",
      campaign: "Spring",
      campaign_id: campaign.id,
      type: "DISCOUNT_VOUCHER",
      discount: { type: "AMOUNT", amount_off: 1000 },
      is_referral_code: false,
    };
    expect((await api.post(path, {}, 200)).body).toMatchObject(added);
    expect((await api.post(`${path}?vouchers_count=1`, {}, 200)).body).toMatchObject(added);
  });

  test("otherwise it is an object with async_action_id, and the vouchers are generated asynchronously", async () => {
    await api.post("/v1/campaigns", { name: "Many", voucher: { discount: { type: "AMOUNT", amount_off: 1 } } }, 200);
    const { body } = await api.post("/v1/campaigns/Many/vouchers?vouchers_count=3", {});
    expect(body).toEqual({ async_action_id: expect.any(String) });
    await runDue();
    expect((await api.get("/v1/campaigns/Many", 200)).body.vouchers_count).toBe(3);
  });

  test("campaignId is the campaign's id or its name", async () => {
    expect((await api.post("/v1/campaigns/Spring/vouchers", {}, 200)).body.campaign_id).toBe(campaign.id);
    await api.post("/v1/campaigns/Unknown/vouchers", {}, 404);
  });

  test("the voucher has what the body says", async () => {
    const sent = {
      code: "MINE",
      category: "First",
      metadata: { shop: "north" },
      redemption: { quantity: 2 },
      additional_info: "For friends",
      start_date: "2026-03-01T00:00:00.000Z",
      expiration_date: "2026-04-01T00:00:00.000Z",
    };
    expect((await api.post(path, sent, 200)).body).toMatchObject(sent);
  });

  test("code_config says how its code looks", async () => {
    const config = { length: 4, charset: "01", prefix: "A-", postfix: "-Z" };
    expect((await api.post(path, { code_config: config }, 200)).body.code).toMatch(/^A-[01]{4}-Z$/);
    const { body } = await api.post(path, { code_config: { pattern: "P-####", charset: "789" } }, 200);
    expect(body.code).toMatch(/^P-[789]{4}$/);
  });

  test("a code is unique", async () => {
    await api.post(path, { code: "TWICE" }, 200);
    await api.post(path, { code: "TWICE" }, 409);
  });

  test("a category is passed by name or by id", async () => {
    const { body: category } = await api.post("/v1/categories", { name: "Second", hierarchy: 0 }, 200);
    const { body } = await api.post(path, { category_id: category.id }, 200);
    expect(body).toMatchObject({ category_id: category.id, categories: [{ id: category.id, name: "Second" }] });
  });
});
