import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { anEventOf, aReferralShop, rh } from "../referral.fixtures.js";

const service = await startService();
const { clock, management, runDue } = service;

/** A shop whose campaign counts a custom event. */
async function aShopOfEvents(fields: Record<string, unknown> = {}) {
  const project = await service.anotherProject();
  const [counted, other] = [await anEventOf(management, project), await anEventOf(management, project)];
  const referral_program = { conversion_event_type: "custom_event", custom_event: counted };
  const shop = await aReferralShop(service, { referral_program, ...fields }, project);
  const happens = (customer: { id: string }, referral?: object, event = counted.name) =>
    shop.api.post("/v1/events", { event, customer: { id: customer.id }, referral }, 200);
  return { ...shop, counted, other, happens };
}

describe("a referral code that another customer redeems", () => {
  test("refers that customer: both show it, and so do the code, the campaign and the activity", async () => {
    const { api, campaign, code, customer, redeem, holders, read, activityOf } = await aReferralShop(service);
    const own = await code();
    const referee = await customer();
    const redeemed = await redeem(own.code, referee);
    const redemption = redeemed.redemptions[0];
    expect(redemption.order.total_amount).toBe(4000);
    await runDue();
    expect(await read(referee)).toMatchObject({
      loyalty: { referred_customers: 0, campaigns: {} },
      referrals: {
        total: 1,
        campaigns: [
          {
            campaign_id: campaign.id,
            referrer_id: own.referrer_id,
            related_object_id: redemption.id,
            related_object_type: "redemption",
            date: redemption.date,
          },
        ],
      },
    });
    expect(await read({ id: own.referrer_id })).toMatchObject({
      loyalty: {
        points: 0,
        referred_customers: 1,
        campaigns: { [campaign.name]: { points: 0, referred_customers: 1 } },
      },
      referrals: { total: 0, campaigns: [] },
    });
    expect((await holders(own.code))[1]).toMatchObject({ id: rh, holder_role: "REFEREE", customer_id: referee.id });
    expect((await api.get(`/v1/campaigns/${campaign.id}/summary`, 200)).body.referred_customers).toBe(1);
    const told = (await activityOf(referee)).find(({ type }) => type === "customer.referred");
    expect(told?.data.data).toMatchObject({
      customer: { id: referee.id },
      referrer: { id: own.referrer_id },
      campaign: { id: campaign.id, referral_program: { conversion_event_type: "redemption" } },
      voucher: { code: own.code, referrer_id: own.referrer_id },
      redemption: { id: redemption.id },
      custom_event: null,
    });
  });

  test("refers them once, by whichever code of the referrer and however often", async () => {
    const { code, customer, redeem, read, referees } = await aReferralShop(service);
    const own = await code();
    const second = await code({ id: own.referrer_id });
    const referee = await customer();
    for (const one of [own, own, second]) {
      await redeem(one.code, referee);
      await runDue();
    }
    expect((await read({ id: own.referrer_id })).loyalty.referred_customers).toBe(1);
    expect((await read(referee)).referrals.total).toBe(1);
    expect([await referees(own.code), await referees(second.code)]).toEqual([[referee.id], []]);
  });

  test("refers one customer for each referrer, and each campaign", async () => {
    const { api, campaign, code, customer, redeem, read } = await aReferralShop(service);
    const own = await code();
    const other = await aReferralShop(service, {}, { id: "", api });
    const referee = await customer();
    const codes = [own, await code(), await code({ id: own.referrer_id }, other.campaign.id)];
    for (const one of codes) await redeem(one.code, referee);
    await runDue();
    const { referrals } = await read(referee);
    expect(referrals.total).toBe(3);
    expect(new Set(referrals.campaigns.map((one: { campaign_id: string }) => one.campaign_id))).toEqual(
      new Set([campaign.id, other.campaign.id]),
    );
    expect((await read({ id: own.referrer_id })).loyalty.referred_customers).toBe(2);
  });

  test("counts somebody who was made its referee before", async () => {
    const { api, code, customer, redeem, read, holders } = await aReferralShop(service);
    const own = await code();
    const referee = await customer();
    await api.post(`/v1/referrals/members/${own.code}/holders`, { holders: [referee] }, 200);
    const before = await holders(own.code);
    await redeem(own.code, referee);
    await runDue();
    expect((await read(referee)).referrals.total).toBe(1);
    expect(await holders(own.code)).toEqual(before);
  });

  test("refers nobody who is not known, and is nothing for its referrer", async () => {
    const { api, campaign, code, redeem, referees } = await aReferralShop(service);
    const own = await code();
    await api.post(
      "/v1/redemptions",
      { redeemables: [{ object: "voucher", id: own.code }], order: { amount: 100 } },
      200,
    );
    expect((await redeem(own.code, { id: own.referrer_id }, 400)).key).toBe("referrer_not_permitted_to_redeem");
    await runDue();
    expect(await referees(own.code)).toEqual([]);
    expect((await api.get(`/v1/campaigns/${campaign.id}/summary`, 200)).body.referred_customers).toBe(0);
  });

  test("refers nobody before it is somebody's", async () => {
    const { api, campaign, customer, redeem, read } = await aReferralShop(service);
    const { code } = (await api.post(`/v1/campaigns/${campaign.id}/vouchers`, {}, 200)).body;
    const early = await customer();
    await redeem(code, early);
    await runDue();
    expect((await read(early)).referrals.total).toBe(0);
  });

  test("still has referred whoever rolls their redemption back", async () => {
    const { api, campaign, code, customer, redeem, read, referees } = await aReferralShop(service);
    const own = await code();
    const referee = await customer();
    for (let i = 0; i < 2; i += 1) {
      const { redemptions } = await redeem(own.code, referee);
      await api.post(`/v1/redemptions/${redemptions[0].id}/rollback`, {}, 200);
      await runDue();
    }
    expect((await read(referee)).referrals.total).toBe(1);
    expect(await referees(own.code)).toEqual([referee.id]);
    expect((await api.get(`/v1/campaigns/${campaign.id}/summary`, 200)).body).toMatchObject({
      referred_customers: 1,
      redemptions_succeeded: 2,
      rollbacks_succeeded: 2,
    });
  });
});

test("an auto-update segment of those who refer many takes in the referrer, who does nothing", async () => {
  const { api, code, customer, redeem, activityOf } = await aReferralShop(service);
  const filter = { junction: "and", "loyalty.referred_customers": { conditions: { $more_than: [1] } } };
  await api.post("/v1/segments", { name: "Ambassadors", type: "auto-update", filter }, 200);
  await runDue();
  const own = await code();
  for (const entered of [0, 1]) {
    await redeem(own.code, await customer());
    await runDue();
    const told = (await activityOf({ id: own.referrer_id })).filter(({ type }) => type === "customer.segment.entered");
    expect(told).toHaveLength(entered);
  }
});

describe("a campaign that counts a custom event", () => {
  test("refers whoever sends it with the code, and leaves redemptions a discount", async () => {
    const { campaign, code, counted, customer, happens, redeem, read, activityOf } = await aShopOfEvents();
    const own = await code();
    const [buyer, referee] = [await customer(), await customer()];
    expect((await redeem(own.code, buyer)).order.total_amount).toBe(4000);
    await happens(referee, { code: own.code });
    await runDue();
    expect((await read(buyer)).referrals.total).toBe(0);
    const { referrals } = await read(referee);
    expect(referrals).toMatchObject({
      total: 1,
      campaigns: [
        {
          campaign_id: campaign.id,
          referrer_id: own.referrer_id,
          related_object_id: expect.stringMatching(/^event_/),
          related_object_type: "custom_event",
        },
      ],
    });
    const told = (await activityOf(referee)).find(({ type }) => type === "customer.referred");
    expect(told?.data.data).toMatchObject({
      custom_event: { type: counted.name, referral: { code: own.code } },
      redemption: null,
    });
  });

  test("counts no other event, none without the code, and none of the referrer's own", async () => {
    const { code, customer, happens, other, read } = await aShopOfEvents();
    const own = await code();
    const referee = await customer();
    await happens(referee, { code: own.code }, other.name);
    await happens(referee);
    await happens({ id: own.referrer_id }, { code: own.code });
    await runDue();
    expect((await read(referee)).referrals.total).toBe(0);
    expect((await read({ id: own.referrer_id })).loyalty.referred_customers).toBe(0);
  });

  test("counts it for the referrer that it names, by id or by the shop's own, and for nobody else", async () => {
    const { code, customer, happens, read } = await aShopOfEvents();
    const referrer = await customer("referrer");
    const own = await code(referrer);
    for (const [referrer_id, total] of [
      [referrer.id, 1],
      [referrer.source_id, 1],
      [(await customer()).id, 0],
    ]) {
      const referee = await customer();
      await happens(referee, { code: own.code, referrer_id });
      await runDue();
      expect((await read(referee)).referrals.total).toBe(total);
    }
  });

  test.each([
    ["is disabled", {}, (id: string) => [`/v1/campaigns/${id}/disable`, {}] as const],
    ["is over", { expiration_date: "2026-03-02T11:00:00Z" }, null],
  ])("counts nothing while it %s", async (_, fields, change) => {
    const { api, campaign, code, customer, happens, read } = await aShopOfEvents(fields);
    const own = await code();
    const [early, late] = [await customer(), await customer()];
    await happens(early, { code: own.code });
    await runDue();
    if (change) await api.post(...change(campaign.id), 200);
    else clock.advance({ hours: 2 });
    await happens(late, { code: own.code });
    await runDue();
    expect([(await read(early)).referrals.total, (await read(late)).referrals.total]).toEqual([1, 0]);
  });
});
