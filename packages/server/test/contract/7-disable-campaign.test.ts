import { describe, expect, test } from "vitest";
import { aToken, bearing } from "../../src/features/oauth/oauth.fixtures.js";
import { startService } from "../harness/service.js";

const { api, url } = await startService();

async function aCampaign(name: string, code: string) {
  const voucher = { discount: { type: "AMOUNT", amount_off: 1000 } };
  const { body } = await api.post("/v1/campaigns", { name, voucher }, 200);
  await api.post(`/v1/campaigns/${name}/vouchers/${code}`, {}, 200);
  return body as { id: string };
}
const redeem = (code: string, status: number) =>
  api.post(`/v1/vouchers/${code}/redemption`, { order: { amount: 5000 } }, status);

describe("POST /v1/campaigns/{campaignId}/disable", () => {
  test("the response is an empty JSON object, and the campaign is inactive", async () => {
    const { id } = await aCampaign("Plain", "PLAIN");
    expect((await api.post(`/v1/campaigns/${id}/disable`, undefined, 200)).body).toEqual({});
    expect((await api.get(`/v1/campaigns/${id}`, 200)).body.active).toBe(false);
  });

  test("campaignId is the campaign's id or its name", async () => {
    await aCampaign("By name", "BYNAME");
    expect((await api.post("/v1/campaigns/By%20name/disable", undefined, 200)).body).toEqual({});
  });

  test("vouchers of the campaign can no longer be redeemed", async () => {
    await aCampaign("Redeemed", "REDEEMED");
    await redeem("REDEEMED", 200);
    await api.post("/v1/campaigns/Redeemed/disable", undefined, 200);
    await redeem("REDEEMED", 400);
  });

  test("an enable operation exists as its counterpart", async () => {
    await aCampaign("Counterpart", "COUNTERPART");
    await api.post("/v1/campaigns/Counterpart/disable", undefined, 200);
    await api.post("/v1/campaigns/Counterpart/enable", undefined, 200);
    await redeem("COUNTERPART", 200);
  });

  test("an unknown campaign is a 404 error", async () => {
    const { body } = await api.post("/v1/campaigns/unknown/disable", undefined, 404);
    expect(body).toMatchObject({ key: "not_found", resource_type: "campaign", resource_id: "unknown" });
  });

  test("it accepts the application key pair or an OAuth token", async () => {
    await aCampaign("By token", "BYTOKEN");
    await bearing(url, await aToken(api, "campaigns")).post("/v1/campaigns/By%20token/disable", undefined, 200);
  });
});
