import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { aMember, aProgram } from "../loyalties/loyalty.fixtures.js";
import { aCampaign, aReward, coin, given } from "../rewards/reward.fixtures.js";

const service = await startService();
const { api, clock } = service;

interface Shown {
  id: string;
  type: string;
  group_id: string;
  created_at: string;
  data: { data: Record<string, unknown>; event_source: { channel: string } };
}
const activityOf = async (customer: string, query = "") =>
  (await api.get(`/v1/customers/${customer}/activity?${query}`, 200)).body as {
    data: Shown[];
    has_more: boolean;
    more_starting_after?: string;
  };
const typesOf = async (customer: string, query = "") =>
  (await activityOf(customer, query)).data.map(({ type }) => type);

/** A member who has spent points on a code of a campaign, which is given at once. */
async function someoneRewarded() {
  const program = await aProgram(service, {}, 100);
  const { card, source_id } = await aMember(service, program);
  const campaign = await aCampaign(service, 1);
  const reward = await aReward(service, { parameters: { campaign: { id: campaign.id } } });
  await given(service, program, reward, 10);
  const redeemables = [{ object: "voucher", id: card.code, reward: { id: reward.id } }];
  await api.post("/v1/redemptions", { redeemables, customer: { source_id } }, 200);
  return source_id;
}

describe("a customer's activity", () => {
  test("begins with the customer, and has every fact under the name that customers hear it by", async () => {
    const { body: customer, headers } = await api.post("/v1/customers", { source_id: "ann", name: "Ann" }, 200);
    const discount = { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 100 } };
    const { code } = (await api.post("/v1/vouchers", discount, 200)).body;
    const redeemables = [{ object: "voucher", id: code }];
    clock.advance({ minutes: 1 });
    await api.post("/v1/redemptions", { redeemables, customer: { source_id: "ann" }, order: { amount: 1000 } }, 200);
    expect((await typesOf("ann")).toSorted()).toEqual([
      "customer.created",
      "customer.order.created",
      "customer.order.paid",
      "customer.redemption.succeeded",
    ]);
    const oldest = (await activityOf(customer.id, "order=created_at&limit=1")).data[0];
    expect(oldest).toMatchObject({
      id: expect.stringMatching(/^evcus_/),
      type: "customer.created",
      group_id: headers.get("x-request-id"),
      created_at: customer.created_at,
      data: { data: { customer: { id: customer.id, name: "Ann" } }, event_source: { channel: "API" } },
    });
  });

  test("of somebody unknown is a 404, of a customer without any is empty", async () => {
    await api.get("/v1/customers/nobody/activity", 404);
    await api.get("/v1/customers/nobody/activities", 404);
    await api.post("/v1/customers", { source_id: "quiet" }, 200);
    expect(await typesOf("quiet", "type=customer.deleted")).toEqual([]);
  });

  test("is walked by cursor without a gap, also between the names of one fact", async () => {
    const names = ["customer.rewarded", "customer.reward_redemptions.created", "customer.reward_redemptions.completed"];
    const source_id = await someoneRewarded();
    const all = (await activityOf(source_id, "limit=100")).data;
    expect(all.map(({ type }) => type)).toEqual(expect.arrayContaining(names));
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    for (const order of ["created_at", "-created_at"]) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const after = cursor === undefined ? "" : `&starting_after_id=${cursor}`;
        const page = await activityOf(source_id, `limit=1&order=${order}${after}`);
        seen.push(...page.data.map(({ id }) => id));
        expect(page.has_more).toBe(page.more_starting_after !== undefined);
        cursor = page.more_starting_after;
      } while (cursor);
      const ids = all.map(({ id }) => id);
      expect(seen).toEqual(order === "created_at" ? ids.toReversed() : ids);
    }
    expect((await api.get(`/v1/customers/${source_id}/activities?limit=2`, 200)).body).toMatchObject({
      total: all.length,
      data: [{ id: all[0]?.id }, { id: all[1]?.id }],
    });
  });

  test("of a reward in one state is found by that state's name alone", async () => {
    const source_id = await someoneRewarded();
    expect(await typesOf(source_id, "type=customer.reward_redemptions.pending")).toEqual([]);
    expect(await typesOf(source_id, "type=customer.reward_redemptions.completed&limit=1")).toEqual([
      "customer.reward_redemptions.completed",
    ]);
  });
});

describe("the activity of a campaign", () => {
  test("has what a customer was given of it, one or several, and what was refused", async () => {
    const { id, name } = await aCampaign(service, 3);
    await api.post("/v1/customers", { source_id: "taker" }, 200);
    const take = (count: number, status: number) =>
      api.post("/v1/publications", { campaign: { name, count }, customer: { source_id: "taker" } }, status);
    await take(1, 200);
    await take(2, 200);
    await take(1, 400);
    const types = [...Array.from({ length: 2 }, () => "customer.publication.succeeded"), "customer.publication.failed"];
    expect((await typesOf("taker", `campaign_id=${id}`)).toSorted()).toEqual(types.toSorted());
    expect((await typesOf("taker", "campaign_type=DISCOUNT_COUPONS")).toSorted()).toEqual(types.toSorted());
    expect(await typesOf("taker", "campaign_type=GIFT_VOUCHERS")).toEqual([]);
  });
});

describe("a member's activity", () => {
  const typesOfMember = async (card: string, query = "limit=100") =>
    (await api.get(`/v1/loyalties/members/${card}/activity?${query}`, 200)).body.data.map(
      ({ type }: Shown) => type,
    ) as string[];

  test("is what concerns the card: nothing of the holder's other cards, but what nobody in particular tried with it", async () => {
    const program = await aProgram(service, {}, 100);
    const [{ card, source_id }, other] = [await aMember(service, program), await aProgram(service, {}, 100)];
    const { card: other_card } = await aMember(service, other, source_id);
    const order = { amount: 1000 };
    const reward = await aReward(service, coin(1, 1));
    await given(service, program, reward);
    const spent = { order, reward: { id: reward.id, points: 2 } };
    clock.advance({ minutes: 1 });
    await api.post(`/v1/vouchers/${card.code}/redemption`, spent, 400);
    await api.post(`/v1/vouchers/${card.code}/redemption`, { ...spent, customer: { source_id } }, 200);
    clock.advance({ minutes: 1 });
    await api.post(`/v1/vouchers/${card.code}/balance`, { amount: 5 }, 200);
    const types = await typesOfMember(card.code);
    expect(types[0]).toBe("customer.voucher.loyalty_card.points_added");
    expect(types.at(-1)).toBe("customer.publication.succeeded");
    const redeemed = ["customer.redemption.failed", "customer.redemption.succeeded", "customer.rewarded"];
    expect(types).toEqual(expect.arrayContaining(redeemed));
    expect(types).not.toContain("customer.created");
    expect(await typesOfMember(other_card.code)).toEqual(["customer.publication.succeeded"]);
    // Page by page, it is the same.
    const seen: string[] = [];
    let after = "";
    for (let has_more = true; has_more; ) {
      const { body } = await api.get(`/v1/loyalties/${program.id}/members/${card.id}/activity?limit=1${after}`, 200);
      seen.push(body.data[0].type);
      has_more = body.has_more;
      after = `&starting_after_id=${body.more_starting_after}`;
    }
    expect(seen).toEqual(types);
    await api.get(`/v1/loyalties/${other.id}/members/${card.id}/activity`, 404);
    await api.get("/v1/loyalties/members/nobody/activity", 404);
  });
});
