import { describe, expect, test } from "vitest";
import { uniqueText } from "../../../../test/harness/resources.js";
import { startService } from "../../../../test/harness/service.js";
import { aReferralShop } from "../referral.fixtures.js";

const service = await startService();
const { management } = service;

const aShop = async () => {
  const shop = await aReferralShop(service);
  const tiers = `/management/v1/projects/${shop.project.id}/campaigns/${shop.campaign.id}/referral-tiers`;
  const product = (await shop.api.post("/v1/products", { name: "Mug" }, 200)).body;
  const reward = async (parameters: object = { product: { id: product.id } }) =>
    (await shop.api.post("/v1/rewards", { name: uniqueText("reward"), parameters }, 200)).body;
  return { ...shop, tiers, reward };
};
const each = { criterion: "EACH_REFEREE" };

describe("a referral tier", () => {
  test("says for what its reward is given; the banner and whether it is on may be changed", async () => {
    const { campaign, tiers, reward } = await aShop();
    const { id } = await reward();
    const sent = { criterion: "MIN_REFEREES", referees_min: 5, reward_id: id, banner: "Five friends" };
    const { body } = await management.post(tiers, sent, 200);
    expect(body).toEqual({
      id: expect.stringMatching(/^rft_/),
      campaign_id: campaign.id,
      ...sent,
      segment_id: null,
      active: true,
      created_at: "2026-03-02T10:00:00.000Z",
      updated_at: null,
      object: "referral_tier",
    });
    expect((await management.get(tiers, 200)).body).toMatchObject({ object: "list", data: [body], total: 1 });
    const changed = { banner: null, active: false };
    const put = (await management.put(`${tiers}/${body.id}`, { ...changed, referees_min: 9 }, 200)).body;
    expect(put).toEqual({ ...body, ...changed, updated_at: body.created_at });
    await management.delete(`${tiers}/${body.id}`, 204);
    expect((await management.get(tiers, 200)).body).toMatchObject({ data: [], total: 0 });
    await management.delete(`${tiers}/${body.id}`, 404);
  });

  test("goes with its reward", async () => {
    const { api, tiers, reward } = await aShop();
    const { id } = await reward();
    await management.post(tiers, { ...each, reward_id: id }, 200);
    await api.delete(`/v1/rewards/${id}`, 204);
    expect((await management.get(tiers, 200)).body.data).toEqual([]);
  });

  test("is refused without a number that it needs, with one that it does not, or with what takes an order", async () => {
    const { tiers, reward } = await aShop();
    const { id } = await reward();
    const coin = await reward({ coin: { exchange_ratio: 1, points_ratio: 1 } });
    for (const [sent, details] of [
      [{ criterion: "MIN_REFEREES", reward_id: id }, /referees_min/],
      [{ criterion: "MIN_REFEREES", referees_min: 0, reward_id: id }, /referees_min/],
      [{ ...each, referees_min: 2, reward_id: id }, /referees_min/],
      [{ criterion: "SOME", reward_id: id }, /criterion/],
      [{ ...each }, /reward/],
      [{ ...each, reward_id: coin.id }, /COIN/],
    ] as const)
      expect((await management.post(tiers, sent, 400)).body.details).toMatch(details);
    expect((await management.post(tiers, { ...each, reward_id: "rew_0" }, 404)).body.resource_type).toBe("reward");
  });

  test("is one of twenty", async () => {
    const { tiers, reward } = await aShop();
    const sent = { ...each, reward_id: (await reward()).id };
    for (let i = 0; i < 20; i += 1) await management.post(tiers, sent, 200);
    expect((await management.post(tiers, sent, 400)).body.details).toContain("20");
  });

  test("is of a referral campaign of its own project", async () => {
    const { api, project, campaign, tiers, reward } = await aShop();
    const other = await aShop();
    const sent = { ...each, reward_id: (await reward()).id };
    const own = (await management.post(tiers, sent, 200)).body;
    const voucher = { discount: { type: "AMOUNT", amount_off: 1 } };
    const coupons = (await api.post("/v1/campaigns", { name: uniqueText("C"), voucher }, 200)).body;
    for (const [project_id, campaign_id, resource_type] of [
      ["proj_0", campaign.id, "project"],
      [other.project.id, campaign.id, "campaign"],
      [project.id, coupons.id, "campaign"],
    ]) {
      const path = `/management/v1/projects/${project_id}/campaigns/${campaign_id}/referral-tiers`;
      expect((await management.get(path, 404)).body.resource_type).toBe(resource_type);
      expect((await management.post(path, sent, 404)).body.resource_type).toBe(resource_type);
      expect((await management.put(`${path}/${own.id}`, {}, 404)).body.resource_type).toBe(resource_type);
      expect((await management.delete(`${path}/${own.id}`, 404)).body.resource_type).toBe(resource_type);
    }
    expect((await management.post(other.tiers, sent, 404)).body.resource_type).toBe("reward");
    expect((await management.put(`${other.tiers}/${own.id}`, {}, 404)).body.resource_type).toBe("referral_tier");
  });
});
