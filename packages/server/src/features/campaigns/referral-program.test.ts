import { describe, expect, test } from "vitest";
import { uniqueText } from "../../../test/harness/resources.js";
import { startService } from "../../../test/harness/service.js";

const { api, management, project, anotherProject } = await startService();

const discount = { type: "AMOUNT", amount_off: 1000 };
const referral = (more: Record<string, unknown> = {}) => ({
  name: uniqueText("Friends"),
  campaign_type: "REFERRAL_PROGRAM",
  voucher: { type: "DISCOUNT_VOUCHER", discount, is_referral_code: true },
  ...more,
});
const made = async (more: Record<string, unknown> = {}) => (await api.post("/v1/campaigns", referral(more), 200)).body;
const read = async (id: string) => (await api.get(`/v1/campaigns/${id}`, 200)).body;

const anEvent = async () => {
  const path = `/management/v1/projects/${project.id}/custom-event-schemas`;
  const { id, name } = (await management.post(path, { name: uniqueText("event"), schema: { properties: {} } }, 200))
    .body;
  return { id, name };
};
const giftCards = async () => {
  const voucher = { type: "GIFT_VOUCHER", gift: { amount: 100 } };
  const { id, name } = (await api.post("/v1/campaigns", { name: uniqueText("Gifts"), voucher }, 200)).body;
  return { id, name };
};
const rewards = async (amount = 500) => ({
  type: "GIFT_VOUCHER",
  amount,
  related_object_parent: { ...(await giftCards()), object: "CAMPAIGN" },
});

describe("a referral campaign", () => {
  test("makes discount codes that are referral codes, and counts redemptions unless told otherwise", async () => {
    const campaign = await made({ vouchers_count: 1 });
    expect(campaign).toMatchObject({
      campaign_type: "REFERRAL_PROGRAM",
      type: "AUTO_UPDATE",
      referral_program: { conversion_event_type: "redemption" },
      voucher: { type: "DISCOUNT_VOUCHER", is_referral_code: true },
      vouchers_count: 1,
    });
    expect(await read(campaign.id)).toEqual(campaign);
    const added = (await api.post(`/v1/campaigns/${campaign.id}/vouchers`, {}, 200)).body;
    const named = (await api.post("/v1/vouchers", { campaign_id: campaign.id, discount }, 200)).body;
    for (const { code } of [added, named]) {
      const { body } = await api.get(`/v1/vouchers/${code}`, 200);
      expect(body).toMatchObject({ is_referral_code: true, type: "DISCOUNT_VOUCHER" });
      expect(body).not.toHaveProperty("referrer_id");
    }
  });

  test.each([
    ["its codes", { voucher: { discount, is_referral_code: true } }],
    ["its program", { voucher: { discount }, referral_program: {} }],
  ])("is told by %s", async (_, sent) => {
    const { body } = await api.post("/v1/campaigns", { name: uniqueText("told"), ...sent }, 200);
    expect(body).toMatchObject({ campaign_type: "REFERRAL_PROGRAM", voucher: { is_referral_code: true } });
  });

  test("is found by its kind and by what its codes are", async () => {
    const { id } = await made();
    for (const asked of ["campaign_type=REFERRAL_PROGRAM", "is_referral_code=true"]) {
      const { campaigns } = (await api.get(`/v1/campaigns?limit=1&${asked}`, 200)).body;
      expect(campaigns.map((one: { id: string }) => one.id)).toEqual([id]);
    }
  });

  test("shows its custom event whole, whether it is named by id, by name, or both", async () => {
    const custom_event = await anEvent();
    const referral_program = { conversion_event_type: "custom_event", custom_event };
    for (const named of [custom_event, { id: custom_event.id }, { name: custom_event.name }]) {
      const campaign = await made({ referral_program: { ...referral_program, custom_event: named } });
      expect(campaign.referral_program).toEqual(referral_program);
    }
    expect((await made({ referral_program: { custom_event } })).referral_program).toEqual(referral_program);
  });

  test("shows what a referee gets, of a campaign that is named by id or by name", async () => {
    const referee_reward = await rewards();
    const { id, name } = referee_reward.related_object_parent;
    for (const related_object_parent of [{ id }, { name }, { id, name: null, object: "CAMPAIGN" }]) {
      const campaign = await made({
        referral_program: { referee_reward: { ...referee_reward, related_object_parent } },
      });
      expect(campaign.referral_program).toEqual({ conversion_event_type: "redemption", referee_reward });
    }
  });

  test("makes the customer it is published to the referrer of the code", async () => {
    const { id } = await made();
    const customer = { source_id: uniqueText("Ann") };
    const { voucher, customer_id } = (await api.post("/v1/publications", { campaign: { name: id }, customer }, 200))
      .body;
    expect(voucher).toMatchObject({ is_referral_code: true, holder_id: customer_id, referrer_id: customer_id });
    const { data } = (await api.get(`/v1/customers/${customer_id}/redeemables`, 200)).body;
    expect(data).toMatchObject([
      { holder_role: "REFERRER", campaign_type: "REFERRAL_PROGRAM", redeemable_id: voucher.id },
    ]);
  });
});

describe("the program of a referral campaign", () => {
  test.each([
    [{ conversion_event_type: "visit" }, "invalid_payload", /conversion_event_type/],
    [{ conversion_event_type: "custom_event" }, "invalid_campaign", /custom_event is required/],
    [{ conversion_event_type: "redemption", custom_event: { id: "ce_0" } }, "invalid_campaign", /custom_event/],
    [{ custom_event: { id: "ce_0" } }, "not_found", /custom_event_schema with id ce_0/],
    [{ custom_event: { name: "nothing" } }, "not_found", /custom_event_schema with name nothing/],
    [{ referee_reward: { type: "DISCOUNT_VOUCHER", amount: 1 } }, "invalid_payload", /referee_reward/],
    [{ referee_reward: { type: "GIFT_VOUCHER", amount: 0, related_object_parent: {} } }, "invalid_payload", /amount/],
    [{ referee_reward: { type: "GIFT_VOUCHER", amount: 1 } }, "invalid_payload", /related_object_parent/],
    [{ referee_reward: { type: "GIFT_VOUCHER", amount: 1, related_object_parent: {} } }, "invalid_payload", /'id'/],
    [
      { referee_reward: { type: "GIFT_VOUCHER", amount: 1, related_object_parent: { id: "camp_0" } } },
      "not_found",
      /campaign with id camp_0/,
    ],
  ])("is refused as %j: %s", async (referral_program, key, details) => {
    const sent = referral({ referral_program });
    const { body } = await api.post("/v1/campaigns", sent, key === "not_found" ? 404 : 400);
    expect(body.key).toBe(key);
    expect(body.details).toMatch(details);
    await api.get(`/v1/campaigns/${sent.name}`, 404);
  });

  test("names nothing of another project", async () => {
    const stranger = await anotherProject();
    const custom_event = await anEvent();
    for (const referral_program of [{ custom_event }, { custom_event: { name: custom_event.name } }])
      await stranger.api.post("/v1/campaigns", referral({ referral_program }), 404);
    const { id } = await giftCards();
    const referee_reward = { type: "GIFT_VOUCHER", amount: 5, related_object_parent: { id } };
    const { body } = await stranger.api.post("/v1/campaigns", referral({ referral_program: { referee_reward } }), 404);
    expect(body.resource_id).toBe(id);
  });

  test("gives a referee what its campaign holds", async () => {
    const { id } = await giftCards();
    const asked = { type: "LOYALTY_CARD", amount: 5, related_object_parent: { id } };
    const { body } = await api.post("/v1/campaigns", referral({ referral_program: { referee_reward: asked } }), 400);
    expect(body).toMatchObject({ key: "invalid_campaign", details: expect.stringContaining("LOYALTY_PROGRAM") });
  });

  test("is of a campaign with many codes, and of no other kind", async () => {
    for (const sent of [{ type: "STANDALONE" }, { campaign_type: "DISCOUNT_COUPONS", referral_program: {} }])
      expect((await api.post("/v1/campaigns", referral(sent), 400)).body.key).toBe("invalid_campaign");
  });

  test("may be changed in how much a referee gets and on which card, and in nothing else", async () => {
    const custom_event = await anEvent();
    const referee_reward = await rewards();
    const program = { conversion_event_type: "custom_event", custom_event, referee_reward };
    const { id } = await made({ referral_program: program });
    const other = await rewards(700);
    const edited = (await api.put(`/v1/campaigns/${id}`, { referral_program: { referee_reward: other } }, 200)).body;
    expect(edited.referral_program).toEqual({ ...program, referee_reward: other });
    expect((await api.put(`/v1/campaigns/${id}`, { referral_program: edited.referral_program }, 200)).body).toEqual(
      edited,
    );
    for (const referral_program of [
      { conversion_event_type: "redemption" },
      { custom_event: await anEvent() },
      { referee_reward: null },
      { referee_reward: { ...other, type: "LOYALTY_CARD" } },
    ])
      expect((await api.put(`/v1/campaigns/${id}`, { referral_program }, 400)).body.key).toBe("invalid_campaign");
    const without = await made();
    expect((await api.put(`/v1/campaigns/${without.id}`, { referral_program: { referee_reward } }, 400)).body.key).toBe(
      "invalid_campaign",
    );
    expect((await read(id)).referral_program).toEqual(edited.referral_program);
  });
});

test("a referral code waits for its publication: until then it is a discount like any other", async () => {
  const { id } = await made();
  const { code } = (await api.post(`/v1/campaigns/${id}/vouchers`, {}, 200)).body;
  const redeemables = [{ object: "voucher", id: code }];
  const customer = { source_id: uniqueText("Bob") };
  const { body } = await api.post("/v1/redemptions", { redeemables, customer, order: { amount: 5000 } }, 200);
  expect(body.order.total_amount).toBe(4000);
});
