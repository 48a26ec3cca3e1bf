import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { aProgram } from "../../loyalties/loyalty.fixtures.js";
import { handOutAgain } from "../referral.fixtures.js";
import { aGivingShop, coupons, gifts, parent } from "./reward.fixtures.js";

const service = await startService();
const { management, runDue } = service;

describe("whoever was referred", () => {
  test("gets credits on a gift card that is published for it, and then on the card that is there", async () => {
    let campaign_id = "";
    const shop = await aGivingShop(service, async (api) => {
      const campaign = await gifts(api);
      campaign_id = campaign.id;
      return { type: "GIFT_VOUCHER", amount: 700, ...parent(campaign) };
    });
    const referee = await shop.customer();
    await shop.redeem((await shop.code()).code, referee);
    await runDue();
    const [card, ...others] = await shop.held(referee, campaign_id);
    expect(others).toEqual([]);
    expect(card.gift).toMatchObject({ amount: 800, balance: 800 });
    await shop.redeem((await shop.code()).code, referee);
    await runDue();
    const cards = await shop.held(referee, campaign_id);
    expect(cards.map(({ gift }: { gift: object }) => gift)).toMatchObject([{ amount: 1500, balance: 1500 }]);
    const { data } = (await shop.api.get(`/v1/vouchers/${card.code}/transactions`, 200)).body;
    expect(data).toMatchObject([
      {
        type: "CREDITS_ADDITION",
        source: "Automation",
        details: { balance: { amount: 700, operation_type: "AUTOMATIC" } },
      },
      { type: "CREDITS_ADDITION" },
    ]);
    const told = (await shop.activityOf(referee)).filter(({ type }) => type === "customer.rewarded");
    expect(told).toHaveLength(2);
    expect(told[0]?.data.data).toMatchObject({
      customer: { id: referee.id },
      campaign: { id: shop.campaign.id },
      referral_tier: null,
      balance: { amount: 700 },
    });
  });

  test("gets points of a program, and joins it by that", async () => {
    let program_id = "";
    const shop = await aGivingShop(service, async (api) => {
      program_id = (await aProgram({ api }, {}, 10)).id;
      return { type: "LOYALTY_CARD", amount: 40, ...parent({ id: program_id }) };
    });
    const referee = await shop.customer();
    await shop.redeem((await shop.code()).code, referee);
    await runDue();
    const [card] = await shop.held(referee, program_id);
    expect(card.loyalty_card).toMatchObject({ points: 50, balance: 50 });
  });

  test("gets nothing of a campaign that is gone, and is counted all the same", async () => {
    let campaign_id = "";
    const shop = await aGivingShop(service, async (api) => {
      const campaign = await gifts(api);
      campaign_id = campaign.id;
      return { type: "GIFT_VOUCHER", amount: 700, ...parent(campaign) };
    });
    await shop.api.delete(`/v1/campaigns/${campaign_id}?force=true`, 202);
    await runDue();
    const referee = await shop.customer();
    await shop.redeem((await shop.code()).code, referee);
    await runDue();
    expect((await shop.read(referee)).referrals.total).toBe(1);
    expect((await shop.activityOf(referee)).filter(({ type }) => type === "customer.rewarded")).toEqual([]);
  });
});

describe("a referrer", () => {
  test("gets a code for each customer, and hears what for", async () => {
    const shop = await aGivingShop(service);
    const campaign = await coupons(shop.api);
    const tier = await shop.tier({ campaign: { id: campaign.id } });
    const own = await shop.code();
    for (let i = 0; i < 3; i += 1) await shop.redeem(own.code, await shop.customer());
    await runDue();
    const given = await shop.held({ id: own.referrer_id }, campaign.id);
    expect(given).toHaveLength(3);
    const told = (await shop.activityOf({ id: own.referrer_id })).filter(({ type }) => type === "customer.rewarded");
    expect(told).toHaveLength(3);
    expect(told[0]?.data.data).toMatchObject({
      customer: { id: own.referrer_id },
      holder: { id: own.referrer_id },
      voucher: { code: own.code },
      campaign: { id: shop.campaign.id },
      reward: { id: tier.reward_id, voucher: { campaign_id: campaign.id } },
      referral_tier: { id: tier.id, campaign_id: shop.campaign.id, banner: "Thank you" },
      balance: null,
    });
  });

  test("gets something once for so many customers, and then no more of it", async () => {
    const shop = await aGivingShop(service);
    const campaign = await gifts(shop.api);
    const balance = { campaign: { id: campaign.id, balance: 300 } };
    await shop.tier(balance, { criterion: "MIN_REFEREES", referees_min: 3 });
    const own = await shop.code();
    const after: number[] = [];
    for (let i = 0; i < 5; i += 1) {
      await shop.redeem(own.code, await shop.customer());
      await runDue();
      const [card] = await shop.held({ id: own.referrer_id }, campaign.id);
      after.push(card?.gift.balance ?? 0);
    }
    expect(after).toEqual([0, 0, 400, 400, 400]);
  });

  test("who had them before the tier was made gets it with the next", async () => {
    const shop = await aGivingShop(service);
    const campaign = await coupons(shop.api);
    const own = await shop.code();
    for (let i = 0; i < 3; i += 1) await shop.redeem(own.code, await shop.customer());
    await runDue();
    await shop.tier({ campaign: { id: campaign.id } }, { criterion: "MIN_REFEREES", referees_min: 2 });
    await shop.redeem(own.code, await shop.customer());
    await runDue();
    expect(await shop.held({ id: own.referrer_id }, campaign.id)).toHaveLength(1);
  });

  test("gets a product, of which there may be no more", async () => {
    const shop = await aGivingShop(service);
    const product = (await shop.api.post("/v1/products", { name: "Mug" }, 200)).body;
    const tier = await shop.tier({ product: { id: product.id } }, undefined, { stock: 2 });
    const own = await shop.code();
    for (let i = 0; i < 3; i += 1) await shop.redeem(own.code, await shop.customer());
    await runDue();
    const told = (await shop.activityOf({ id: own.referrer_id })).filter(({ type }) => type === "customer.rewarded");
    expect(told).toHaveLength(2);
    expect((await shop.api.get(`/v1/rewards/${tier.reward_id}`, 200)).body.redeemed).toBe(2);
  });

  test("gets a code that was not there with the next customer, once there is one", async () => {
    const shop = await aGivingShop(service);
    const campaign = await coupons(shop.api, { type: "STATIC" });
    await shop.tier({ campaign: { id: campaign.id } }, { criterion: "MIN_REFEREES", referees_min: 1 });
    const own = await shop.code();
    await shop.redeem(own.code, await shop.customer());
    await runDue();
    expect(await shop.held({ id: own.referrer_id }, campaign.id)).toEqual([]);
    await shop.api.post(`/v1/campaigns/${campaign.id}/vouchers`, {}, 200);
    await shop.redeem(own.code, await shop.customer());
    await runDue();
    expect(await shop.held({ id: own.referrer_id }, campaign.id)).toHaveLength(1);
  });

  test("gets nothing by a tier that is switched off, or was deleted", async () => {
    const shop = await aGivingShop(service);
    const campaign = await coupons(shop.api);
    const [off, gone] = [
      await shop.tier({ campaign: { id: campaign.id } }),
      await shop.tier({ campaign: { id: campaign.id } }),
    ];
    await management.put(`${shop.tiers}/${off.id}`, { active: false }, 200);
    await management.delete(`${shop.tiers}/${gone.id}`, 204);
    const own = await shop.code();
    await shop.redeem(own.code, await shop.customer());
    await runDue();
    expect(await shop.held({ id: own.referrer_id }, campaign.id)).toEqual([]);
  });

  test("keeps what was given when a redemption is rolled back", async () => {
    const shop = await aGivingShop(service);
    const campaign = await coupons(shop.api);
    await shop.tier({ campaign: { id: campaign.id } });
    const own = await shop.code();
    const { redemptions } = await shop.redeem(own.code, await shop.customer());
    await runDue();
    await shop.api.post(`/v1/redemptions/${redemptions[0].id}/rollback`, {}, 200);
    await runDue();
    expect(await shop.held({ id: own.referrer_id }, campaign.id)).toMatchObject([{ active: true }]);
  });
});

test("what is given for many referrals at once, by several processes and again, is given as often as it is due", async () => {
  let points_of = "";
  const shop = await aGivingShop(service, async (api) => {
    points_of = (await aProgram({ api }, {}, 0)).id;
    return { type: "LOYALTY_CARD", amount: 5, ...parent({ id: points_of }) };
  });
  const [each, once] = [await coupons(shop.api), await gifts(shop.api)];
  await shop.tier({ campaign: { id: each.id } });
  await shop.tier({ campaign: { id: once.id, balance: 50 } }, { criterion: "MIN_REFEREES", referees_min: 4 });
  const own = await shop.code();
  const people = [];
  for (let i = 0; i < 8; i += 1) people.push(await shop.customer());
  await Promise.all(people.map((person) => shop.redeem(own.code, person)));
  await Promise.all([runDue(), runDue(), runDue()]);
  await handOutAgain(service, shop.project, "referral rewards");
  await Promise.all([runDue(), runDue(), runDue()]);
  await runDue();
  expect(await shop.held({ id: own.referrer_id }, each.id)).toHaveLength(8);
  expect(await shop.held({ id: own.referrer_id }, once.id)).toMatchObject([{ gift: { balance: 150 } }]);
  for (const person of people)
    expect(await shop.held(person, points_of)).toMatchObject([{ loyalty_card: { balance: 5 } }]);
});
