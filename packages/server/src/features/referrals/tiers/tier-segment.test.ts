import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";
import { segmentCalls } from "../../segments/segment.fixtures.js";
import { aReferralShop } from "../referral.fixtures.js";
import { aGivingShop, coupons, gifts } from "../rewards/reward.fixtures.js";

const service = await startService();
const { management, runDue } = service;

type Person = { id: string };
const vips = { "metadata.vip": { conditions: { $is: [true] } } };

/** A shop whose tiers ask for a segment of those with metadata `vip: true`, and somebody who refers people. */
async function aShopWithVips() {
  const shop = await aGivingShop(service);
  const { api } = shop;
  const own = await shop.code();
  const calls = segmentCalls(api);
  const is = (vip: boolean, { id }: Person) => api.put(`/v1/customers/${id}`, { metadata: { vip } }, 200);
  const someone = async (vip: boolean) => {
    const person = await shop.customer();
    await is(vip, person);
    return person;
  };
  const refer = async (person: Person) => {
    await shop.redeem(own.code, person);
    await runDue();
  };
  const codes_of = await coupons(api);
  const credits_of = await gifts(api);
  const segment = await calls.passive(vips);
  return {
    ...{ ...shop, ...calls, segment, is, someone, refer },
    /** Gives a code for each who is in the segment. */
    each: ({ id } = segment) =>
      shop.tier({ campaign: { id: codes_of.id } }, { criterion: "EACH_REFEREE", segment_id: id }),
    /** Gives credits once so many of the segment were referred. */
    once: (referees_min: number, { id } = segment) => {
      const balance = { campaign: { id: credits_of.id, balance: 300 } };
      return shop.tier(balance, { criterion: "MIN_REFEREES", referees_min, segment_id: id });
    },
    codes: async () => (await shop.held({ id: own.referrer_id }, codes_of.id)).length,
    credits: async () => (await shop.held({ id: own.referrer_id }, credits_of.id))[0]?.gift.balance ?? 0,
    referrer: { id: own.referrer_id },
    own,
  };
}

describe("a tier that asks for a segment", () => {
  test("counts those referees alone who are in it", async () => {
    const shop = await aShopWithVips();
    await shop.each();
    await shop.once(2);
    const after: number[][] = [];
    for (const vip of [false, true, false, true, true]) {
      await shop.refer(await shop.someone(vip));
      after.push([await shop.codes(), await shop.credits()]);
    }
    expect(after).toEqual([
      [0, 0],
      [1, 0],
      [1, 0],
      [2, 400],
      [3, 400],
    ]);
    expect((await shop.read(shop.referrer)).loyalty.referred_customers).toBe(5);
  });

  test("may name a static one, which has its list", async () => {
    const shop = await aShopWithVips();
    const [listed, other] = [await shop.customer(), await shop.customer()];
    await shop.each(await shop.aSegment({ type: "static", customers: [listed.id] }));
    await shop.refer(other);
    expect(await shop.codes()).toBe(0);
    await shop.refer(listed);
    expect(await shop.codes()).toBe(1);
  });

  test("does not ask whether the referrer is in it", async () => {
    const shop = await aShopWithVips();
    await shop.each();
    await shop.is(true, shop.referrer);
    await shop.refer(await shop.someone(false));
    expect(await shop.codes()).toBe(0);
  });

  test("knows what was sent of the customer with the redemption that counts", async () => {
    const shop = await aShopWithVips();
    await shop.each();
    const redeemables = [{ object: "voucher", id: shop.own.code }];
    const customer = { source_id: "somebody new", metadata: { vip: true } };
    await shop.api.post("/v1/redemptions", { redeemables, customer, order: { amount: 5000 } }, 200);
    await runDue();
    expect(await shop.codes()).toBe(1);
  });

  test("takes nothing from those who leave it, and gives nothing for those who enter after they were counted", async () => {
    const shop = await aShopWithVips();
    await shop.each();
    await shop.once(2);
    const [left, entered] = [await shop.someone(true), await shop.someone(false)];
    await shop.refer(left);
    await shop.refer(entered);
    await shop.is(false, left);
    await shop.is(true, entered);
    // Once more, which makes no other referral of them.
    await shop.refer(left);
    await shop.refer(entered);
    expect([await shop.codes(), await shop.credits()]).toEqual([1, 0]);
    await shop.refer(await shop.someone(true));
    expect([await shop.codes(), await shop.credits()]).toEqual([2, 400]);
  });

  test("counts those who came since it was made, and while it is switched off", async () => {
    const shop = await aShopWithVips();
    for (let i = 0; i < 2; i += 1) await shop.refer(await shop.someone(true));
    const { id } = await shop.once(2);
    await management.put(`${shop.tiers}/${id}`, { active: false }, 200);
    for (let i = 0; i < 2; i += 1) await shop.refer(await shop.someone(true));
    await management.put(`${shop.tiers}/${id}`, { active: true }, 200);
    await shop.refer(await shop.someone(false));
    expect(await shop.credits()).toBe(0);
    await shop.refer(await shop.someone(true));
    expect(await shop.credits()).toBe(400);
  });

  test("counts for itself: another tier, segment, referrer and campaign have counts of their own", async () => {
    const shop = await aShopWithVips();
    await shop.once(3);
    await shop.each(await shop.passive({ "metadata.vip": { conditions: { $is: [false] } } }));
    await shop.refer(await shop.someone(true));
    await shop.redeem((await shop.code()).code, await shop.someone(true));
    const other_campaign = await aReferralShop(service, {}, { id: "", api: shop.api });
    const elsewhere = await shop.code(shop.referrer, other_campaign.campaign.id);
    await shop.redeem(elsewhere.code, await shop.someone(true));
    await shop.refer(await shop.someone(false));
    await shop.refer(await shop.someone(true));
    expect([await shop.codes(), await shop.credits()]).toEqual([1, 0]);
    await shop.refer(await shop.someone(true));
    expect([await shop.codes(), await shop.credits()]).toEqual([1, 400]);
  });

  test("is reached by those who come together as by those who come one after the other", async () => {
    const shop = await aShopWithVips();
    await shop.once(6);
    const people = [];
    for (const vip of [true, true, false, true, true, false]) people.push(await shop.someone(vip));
    await Promise.all(people.map((person) => shop.redeem(shop.own.code, person)));
    await runDue();
    expect(await shop.credits()).toBe(0);
    const more = [await shop.someone(true), await shop.someone(true)];
    await Promise.all(more.map((person) => shop.redeem(shop.own.code, person)));
    await runDue();
    expect(await shop.credits()).toBe(400);
  });

  test("says so wherever it is shown", async () => {
    const shop = await aShopWithVips();
    const tier = await shop.each();
    expect(tier.segment_id).toBe(shop.segment.id);
    expect((await management.get(shop.tiers, 200)).body.data).toMatchObject([{ segment_id: shop.segment.id }]);
    await shop.refer(await shop.someone(true));
    const told = (await shop.activityOf(shop.referrer)).find(({ type }) => type === "customer.rewarded");
    expect(told?.data.data.referral_tier).toEqual({
      id: tier.id,
      campaign_id: shop.campaign.id,
      banner: "Thank you",
      parameters: {
        event_type: "customer.referred",
        criterion: "EACH_REFEREE",
        referees_min: null,
        reward: { id: tier.reward_id },
        segment: { id: shop.segment.id },
      },
    });
  });
});

test("a tier that was told of before it could ask for a segment is shown as one that asks for none", async () => {
  const shop = await aShopWithVips();
  const tier = await shop.tier({ campaign: { id: (await coupons(shop.api)).id } });
  await shop.refer(await shop.customer());
  await service.context.db.run(sql`
    update events set data = events.data::jsonb #- '{referral_tier,segment_id}'
     where events.project_id = ${shop.project.id} and events.type = 'referral.rewarded'`);
  const told = (await shop.activityOf(shop.referrer)).find(({ type }) => type === "customer.rewarded");
  expect(told?.data.data.referral_tier).toMatchObject({ id: tier.id, parameters: { segment: null } });
});

describe("a segment that a tier asks for", () => {
  test("keeps its members from then on, and tells nobody of those it held", async () => {
    const shop = await aShopWithVips();
    const member = await shop.someone(true);
    await shop.each();
    await runDue();
    expect((await shop.api.get(`/v1/segments/${shop.segment.id}`, 200)).body.type).toBe("auto-update");
    const entries = async (person: Person) =>
      (await shop.activityOf(person)).filter(({ type }) => type === "customer.segment.entered").length;
    service.clock.advance({ minutes: 1 });
    const late = await shop.someone(true);
    await runDue();
    expect([await entries(member), await entries(late)]).toEqual([0, 1]);
  });

  test("is there, in the tier's own project", async () => {
    const shop = await aShopWithVips();
    const other = await aShopWithVips();
    for (const segment of [{ id: "seg_0" }, other.segment]) {
      const { id } = await shop.reward({ campaign: { id: (await coupons(shop.api)).id } });
      const sent = { criterion: "EACH_REFEREE", reward_id: id, segment_id: segment.id };
      expect((await management.post(shop.tiers, sent, 404)).body).toMatchObject({
        key: "not_found",
        resource_type: "segment",
        details: `Cannot find segment with id ${segment.id}`,
      });
      expect((await management.post(shop.tiers, { ...sent, segment_id: "" }, 400)).body.details).toContain(
        "segment_id",
      );
      expect((await management.post(shop.tiers, { ...sent, segment_id: null }, 200)).body.segment_id).toBeNull();
    }
    expect((await other.api.get(`/v1/segments/${other.segment.id}`, 200)).body.type).toBe("passive");
  });

  test("cannot be deleted while the tier is there", async () => {
    const shop = await aShopWithVips();
    const [one, other] = [await shop.each(), await shop.once(2)];
    expect((await shop.api.delete(`/v1/segments/${shop.segment.id}`, 400)).body).toMatchObject({
      key: "resource_in_use",
      related_object_type: "referral_tier",
      related_object_ids: [one.id, other.id].sort(),
    });
    await management.delete(`${shop.tiers}/${one.id}`, 204);
    await shop.api.delete(`/v1/segments/${shop.segment.id}`, 400);
    await shop.api.delete(`/v1/rewards/${other.reward_id}`, 204);
    await shop.api.delete(`/v1/segments/${shop.segment.id}`, 204);
  });

  test("is there for good, whoever deletes it as a tier is made", async () => {
    const shop = await aShopWithVips();
    const { id: reward_id } = await shop.reward({ campaign: { id: (await coupons(shop.api)).id } });
    for (let i = 0; i < 8; i += 1) {
      const { id: segment_id } = await shop.passive(vips);
      const sent = { criterion: "EACH_REFEREE", reward_id, segment_id };
      const [made, deleted] = await Promise.all([
        management.post(shop.tiers, sent),
        shop.api.delete(`/v1/segments/${segment_id}`),
      ]);
      expect([
        [200, 400],
        [404, 204],
      ]).toContainEqual([made.status, deleted.status]);
    }
  });
});
