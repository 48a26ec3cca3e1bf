import type { Refusal } from "@guerdon/engine";
import { describe, expect, test } from "vitest";
import { aMember, aProgram } from "../../src/features/loyalties/loyalty.fixtures.js";
import { aCampaign, aReward, given } from "../../src/features/rewards/reward.fixtures.js";
import { redeemable_refusals } from "../../src/terms/refusals.js";
import { uniqueText } from "../harness/resources.js";
import { startService } from "../harness/service.js";
import { holdErrorsToReference } from "../harness/told-errors.js";
import { type Refused, refusedThings, request_id } from "./refusals.fixtures.js";

holdErrorsToReference();
const { api, page } = await startService();
const { voucher, tier, card, loyaltyCard, ofDisabledCampaign, aRule } = refusedThings(api);

type Key = Refusal["key"];

const of = (message: string, redeemable: Refused["redeemable"], situation?: Refused["situation"]): Refused => ({
  redeemable,
  ...(situation ? { situation } : {}),
  says: { message, details: redeemable.id },
});
const needsSomething = (key: string, details: string, redeemable: Refused["redeemable"], situation = {}): Refused => ({
  redeemable,
  situation,
  says: { message: key, details },
});
const unknown = (object: string, id: string): Refused => ({
  redeemable: { object, id },
  says: {
    message: "Resource not found",
    details: `Cannot find ${object} with id ${id}`,
    resource_id: id,
    resource_type: object,
  },
});
const violated = async (message: string, kind: string, rule: string, make: typeof voucher | typeof tier) => ({
  redeemable: await make({ validation_rules: [rule] }),
  situation: { order: { amount: 10_000 }, customer: { source_id: "somebody" } },
  says: { message, details: `${kind} cannot be redeemed because of violated validation rules: ${rule}` },
});
const small = () => aRule("order.amount", { $less_than: [1] });
const order_violated = "order does not match validation rules";

/** A member's card of ten points, asked for a reward at a price. */
async function rewarded(fields: Record<string, unknown>, price: number) {
  const program = await aProgram({ api }, {}, 10);
  const reward = await aReward({ api }, fields);
  await given({ api }, program, reward, price);
  const { card, source_id } = await aMember({ api }, program);
  const redeemable = { object: "voucher", id: card.code, reward: { id: reward.id } };
  return { redeemable, reward, situation: { customer: { source_id } } };
}

/** Fields of a reward that is a code of a campaign. */
const ofCampaign = async (count: number, fields: Record<string, unknown> = {}) => ({
  parameters: { campaign: { id: (await aCampaign({ api }, count, fields)).id } },
});

/** How each refusal of a redeemable comes about, and its words to the letter (redemption.md §18.2). */
const provoked: { [K in Key]: Record<string, () => Promise<Refused>> } = {
  not_found: {
    "a code that nobody has": async () => unknown("voucher", "NOWHERE"),
    "a tier that there is not": async () => unknown("promotion_tier", "promo_none"),
    "a code that was deleted": async () => {
      const { id } = await voucher();
      await api.delete(`/v1/vouchers/${id}?force=true`, 204);
      return unknown("voucher", id);
    },
  },
  missing_reward: {
    "a loyalty card without one": async () => ({
      redeemable: await loyaltyCard(),
      says: { message: "Missing reward", details: "A reward is required when redeeming a LOYALTY_CARD" },
    }),
  },
  invalid_customer: {
    "a loyalty card of somebody else": async () => {
      const { redeemable } = await rewarded({ stock: 1 }, 1);
      return of("Customer must be a holder of a loyalty card.", redeemable);
    },
  },
  referrer_not_permitted_to_redeem: {
    "a referral code of the customer's own": async () => {
      const name = uniqueText("Friends");
      const discount = { type: "AMOUNT", amount_off: 100 };
      await api.post("/v1/campaigns", { name, campaign_type: "REFERRAL_PROGRAM", voucher: { discount } }, 200);
      const customer = { source_id: uniqueText("referrer") };
      const { body } = await api.post("/v1/publications", { campaign: { name }, customer }, 200);
      const redeemable = { object: "voucher", id: body.voucher.code };
      return of("voucher cannot be redeemed by referrer", redeemable, { customer, order: { amount: 10_000 } });
    },
  },
  reward_out_of_stock: {
    "none left": async () => {
      const { redeemable, situation, reward } = await rewarded({ stock: 0 }, 1);
      return { redeemable, situation, says: { message: "Reward out of stock", details: reward.id } };
    },
  },
  no_voucher_suitable_for_publication: {
    "a code of a campaign that has none left": async () => {
      const { redeemable, situation, reward } = await rewarded(await ofCampaign(0), 1);
      const message = "Couldn't find any voucher suitable for publication";
      return { redeemable, situation, says: { message, details: reward.id } };
    },
  },
  voucher_cannot_be_published: {
    "a second code of a campaign that gives everybody one": async () => {
      const { redeemable, situation } = await rewarded(await ofCampaign(2, { join_once: true }), 1);
      await api.post("/v1/redemptions", { redeemables: [redeemable], ...situation }, 200);
      const details = "Voucher cannot be published. Customer already joined program.";
      return { redeemable, situation, says: { message: "Voucher cannot be published", details } };
    },
  },
  loyalty_card_points_exceeded: {
    "a price beyond the balance": async () => {
      const { redeemable, situation } = await rewarded({}, 11);
      return of("loyalty card points exceeded", redeemable, situation);
    },
  },
  missing_order: {
    "a gift card on nothing": async () =>
      needsSomething("Missing order", "An order is required when redeeming a GIFT_VOUCHER", await card(500)),
    "a rule about an order, and none": async () =>
      needsSomething(
        "Missing order",
        "Order is required to validate rules",
        await voucher({ validation_rules: [await small()] }),
      ),
  },
  voucher_disabled: {
    "a voucher that is switched off": async () => of("voucher is disabled", await voucher({ active: false })),
    "a voucher whose campaign is switched off": async () => of("voucher is disabled", await ofDisabledCampaign()),
  },
  promotion_inactive: {
    "a tier that is switched off": async () => {
      const redeemable = await tier({ active: false });
      const details = `Promotion Tier with id: ${redeemable.id} is disabled.`;
      return { redeemable, says: { message: "Inactive Promotion", details } };
    },
    "a tier whose campaign is switched off": async () => {
      const redeemable = await tier();
      const { campaign } = (await api.get(`/v1/promotions/tiers/${redeemable.id}`, 200)).body;
      await api.post(`/v1/campaigns/${campaign.id}/disable`, {}, 200);
      const details = `Promotion Tier with id: ${redeemable.id} is disabled.`;
      return { redeemable, says: { message: "Inactive Promotion", details } };
    },
  },
  voucher_not_active: {
    "before its start": async () => of("voucher is not active", await voucher({ start_date: "2026-03-03" })),
  },
  voucher_expired: {
    "after its end": async () => of("voucher expired", await voucher({ expiration_date: "2026-03-01" })),
  },
  voucher_not_active_now: {
    "on another day of the week": async () =>
      of("voucher not active now", await voucher({ validity_day_of_week: [0, 6] })),
  },
  promotion_not_active_now: {
    "a tier before its start": async () => of("Promotion is not active now", await tier({ start_date: "2026-03-03" })),
    "a tier whose campaign is over": async () =>
      of("Promotion is not active now", await tier({}, { expiration_date: "2026-03-01" })),
    "a tier on another day of the week": async () =>
      of("Promotion is not active now", await tier({ validity_day_of_week: [0, 6] })),
  },
  quantity_exceeded: {
    "a code that is used up": async () => {
      const redeemable = await voucher({ redemption: { quantity: 1 } });
      await api.post("/v1/redemptions", { redeemables: [redeemable] }, 200);
      return of("quantity exceeded", redeemable);
    },
    "a code whose last use another holds": async () => {
      const redeemable = await voucher({ redemption: { quantity: 1 } });
      await api.post("/v1/validations", { redeemables: [redeemable], session: { type: "LOCK" } }, 200);
      return of("quantity exceeded", redeemable);
    },
  },
  missing_customer: {
    "a rule about a customer, and nobody": async () => {
      const rule = await aRule("customer.metadata", { $is: ["gold"] }, { property: "plan" });
      return needsSomething(
        "Missing customer",
        "Customer is required to validate rules",
        await voucher({ validation_rules: [rule] }),
        { order: { amount: 10_000 } },
      );
    },
  },
  missing_amount: {
    "a gift card on an order without any amount": async () => ({
      redeemable: await card(500),
      situation: { order: { items: [{ source_id: "free", related_object: "product", quantity: 1 }] } },
      says: { message: "Missing amount" },
    }),
  },
  customer_rules_violated: {
    "a rule about somebody else": async () =>
      violated(
        "customer does not match validation rules",
        "Discount Coupon",
        await aRule("customer.metadata", { $is: ["gold"] }, { property: "plan" }),
        voucher,
      ),
  },
  order_rules_violated: {
    "a coupon": async () => violated(order_violated, "Discount Coupon", await small(), voucher),
    "a tier": async () => violated(order_violated, "Promotion Tier", await small(), tier),
    "a gift card": async () => violated(order_violated, "Gift Card", await small(), (fields) => card(500, {}, fields)),
    "several rules, own before the campaign's, all of them named": async () => {
      const [own, campaigns] = [await small(), await small()];
      return {
        redeemable: await tier({ validation_rules: [own] }, { validation_rules: [campaigns] }),
        says: {
          message: order_violated,
          details: `Promotion Tier cannot be redeemed because of violated validation rules: ${own}, ${campaigns}`,
        },
      };
    },
    "the words that an editor gave the rule": async () => {
      const rule = await aRule("order.amount", { $less_than: [1] }, { error: { message: "Only small carts" } });
      const refused = await violated(order_violated, "Discount Coupon", rule, voucher);
      return { ...refused, says: { ...refused.says, error: { message: "Only small carts" } } };
    },
  },
  redemption_rules_violated: {
    "metadata that the rule does not want": async () =>
      violated(
        "redemption does not match validation rules",
        "Discount Coupon",
        await aRule("redemption.metadata", { $is: ["shop"] }, { property: "where" }),
        voucher,
      ),
  },
  gift_amount_exceeded: {
    "more credits than the card holds": async () =>
      of("gift amount exceeded", await card(500, { gift: { credits: 501 } })),
  },
  missing_order_items_amount: {
    "a gift card for lines, none of which has a price": async () => ({
      redeemable: await card(500, {}, { gift: { amount: 500, effect: "APPLY_TO_ITEMS" } }),
      situation: {
        order: { amount: 1000, items: [{ source_id: "free", related_object: "product", quantity: 1 }] },
      },
      says: {
        message: "Missing applicable order items",
        details: "At least one applicable order item with amount is required to redeem this GIFT_VOUCHER",
      },
    }),
  },
};

const cases = Object.entries(provoked).flatMap(([key, ways]) =>
  Object.entries(ways).map(([way, make]) => ({ key: key as Key, way, make })),
);
/** A payload's fault is an error even in the older calls, and so is what does not exist (redemption.md §15). */
const payload_faults = [
  "missing_reward",
  "missing_order",
  "missing_order_items_amount",
  "missing_customer",
  "not_found",
];

describe.each(cases)("$key: $way", ({ key, make }) => {
  test("is the same error in every answer, and on record", async () => {
    const { redeemable, situation = { order: { amount: 10_000 } }, says } = await make();
    const sent = { redeemables: [redeemable], ...situation };
    const code = key === "not_found" ? 404 : 400;
    const error = { code, key, ...says, request_id };
    const custom = says.error as { message: string } | undefined;

    const validation = (await api.post("/v1/validations", sent, 200)).body;
    expect(validation.valid).toBe(false);
    const entry = {
      status: "INAPPLICABLE",
      object: redeemable.object,
      id: redeemable.id,
      result: {
        error: { ...error, redeemable_id: redeemable.id, redeemable_type: redeemable.object },
        details: { key, message: custom?.message ?? says.message },
      },
    };
    expect(validation.inapplicable_redeemables).toEqual([entry]);
    expect(validation.redeemables).toEqual([entry]);
    expect((await page.post("/client/v1/validations", sent, 200)).body.inapplicable_redeemables).toEqual([entry]);

    const whole =
      code === 404 ? error : { ...error, resource_id: expect.stringMatching(/^rf_/), resource_type: "redemption" };
    const { body } = await api.post("/v1/redemptions", sent, code);
    expect(body).toEqual(whole);
    expect((await page.post("/client/v1/redemptions", sent, code)).body).toEqual(whole);
    if (code === 400) expect(await recordOf(body.resource_id)).toMatchObject(failureOf(key, says.message));

    const { object, id, ...more } = redeemable;
    const older = object === "voucher" ? `/v1/vouchers/${id}` : `/v1/promotions/tiers/${id}`;
    expect((await api.post(`${older}/redemption`, { ...more, ...situation }, code)).body).toEqual(whole);
    const path = object === "voucher" ? `${older}/validate` : `${older}/validation`;
    const answer = await api.post(path, { ...more, ...situation }, payload_faults.includes(key) ? code : 200);
    if (answer.status !== 200) expect(answer.body).toEqual(error);
    else {
      const reason = custom?.message ?? says.message;
      // Words of an editor stand in place of the error.
      expect(answer.body).toMatchObject({ valid: false, reason, error: custom ?? error });
      expect(Object.keys(answer.body.error).sort()).toEqual(Object.keys(custom ?? error).sort());
    }
  });
});

const recordOf = async (id: string) => (await api.get(`/v1/redemptions/${id}`, 200)).body;
const failureOf = (failure_code: string, failure_message: string) => ({
  object: "redemption",
  result: "FAILURE",
  status: "FAILED",
  failure_code,
  failure_message,
  order: null,
});

test("the catalogue has no entry that nothing provokes", () => {
  expect(Object.keys(provoked).sort()).toEqual(Object.keys(redeemable_refusals).sort());
});
