import { describe, expect, test } from "vitest";
import { aMember, aName, aProgram, aProgramThatPays, aRule } from "../../src/features/loyalties/loyalty.fixtures.js";
import { aCampaign, aReward, coin, given } from "../../src/features/rewards/reward.fixtures.js";
import { startService } from "../harness/service.js";
import { listeningOn, told } from "./told.fixtures.js";

const service = await startService({ now: "2027-05-14T12:00:00Z" });
const { api, clock } = service;
const { post, put } = api;
const { toldOf } = listeningOn(service);

/** A line of the books of points, and what the card's holder hears of it. */
const line = (name: string) =>
  told("voucher.loyalty_card.transaction.created", `customer.voucher.loyalty_card.${name}`);
const added = told("voucher.loyalty_card.points_added", ...line("points_added"));
const by_hand = told("customer.loyalty.updated", ...added);
const pending = (verb: string) =>
  ["voucher", "customer.voucher"].map((of) => `${of}.loyalty_card.pending_points.${verb}`).sort();
const redeemed = told("customer.redemption.succeeded", "redemption.succeeded");
const move = ({ code }: { code: string }, points: number, more: object = {}) =>
  post(`/v1/loyalties/members/${code}/balance`, { points, ...more }, 200);

describe("points by hand", () => {
  test("are told as added, also where they are taken, and as what the customer holds by then", async () => {
    const { card } = await aMember(service, await aProgram(service));
    for (const points of [50, -20]) expect(await toldOf(() => move(card, points))).toEqual(by_hand);
  });

  test("that are handed over are told to both members, a line of the books each", async () => {
    const program = await aProgram(service, {}, 50);
    const [giving, taking] = [await aMember(service, program), await aMember(service, program)];
    const sent = [{ code: giving.card.code, points: 20, source_id: "t" }];
    const path = `/v1/loyalties/${program.id}/members/${taking.card.code}/transfers`;
    expect(await toldOf(() => post(path, sent, 200))).toEqual(
      told(...line("points_transferred"), ...line("points_transferred")),
    );
  });

  test("that are refused are told to nobody", async () => {
    const { card } = await aMember(service, await aProgram(service));
    expect(await toldOf(() => post(`/v1/loyalties/members/${card.code}/balance`, { points: -1 }, 400))).toEqual([]);
  });
});

describe("an earning rule", () => {
  test("is told to be made, changed, switched and deleted", async () => {
    const { program, event, rule_id } = await aProgramThatPays(service);
    const path = `/v1/loyalties/${program.id}/earning-rules/${rule_id}`;
    expect(await toldOf(() => aRule(service, program, event))).toEqual(["campaign.earning_rule.assigned"]);
    expect(await toldOf(() => put(path, { source: { banner: "More" } }, 200))).toEqual([
      "campaign.earning_rule.updated",
    ]);
    expect(await toldOf(() => post(`${path}/disable`, undefined, 200))).toEqual(["campaign.earning_rule.disabled"]);
    expect(await toldOf(() => post(`${path}/disable`, undefined, 200))).toEqual([]);
    expect(await toldOf(() => post(`${path}/enable`, undefined, 200))).toEqual(["campaign.earning_rule.enabled"]);
    expect(await toldOf(() => api.delete(path, 204))).toEqual(["campaign.earning_rule.deleted"]);
  });

  test("that pays is told with what it pays, and one that pays nothing is not", async () => {
    const { event, source_id } = await aProgramThatPays(service);
    const happens = (of: string) => () => post("/v1/events", { event: event.name, customer: { source_id: of } }, 200);
    expect(await toldOf(happens(source_id))).toEqual(
      told("customer.custom_event", "customer.rewarded.loyalty_points", ...added),
    );
    expect(await toldOf(happens(aName("stranger")))).toEqual(told("customer.created", "customer.custom_event"));
  });

  test("that makes a member is told with the card that it gives, and the tier that this begins in", async () => {
    const voucher = { type: "LOYALTY_CARD", loyalty_card: { points: 50 } };
    const { program, event } = await aProgramThatPays(service, {}, { auto_join: true, voucher });
    await post(`/v1/loyalties/${program.id}/tiers`, [{ name: "Silver", points: { from: 50 } }], 200);
    const customer = { source_id: aName("customer") };
    await post("/v1/customers", customer, 200);
    expect(await toldOf(() => post("/v1/events", { event: event.name, customer }, 200))).toEqual(
      told(
        ...["customer.custom_event", "voucher.created", "voucher.published", "publication.succeeded"],
        ...["customer.publication.succeeded", "customer.loyalty.tier.joined"],
        ...["customer.rewarded.loyalty_points", ...added],
      ),
    );
  });
});

describe("points that pend", () => {
  async function aWaitingCard() {
    const program = await aProgram(service);
    const pending_points = { period_type: "DAY", period_value: 1 };
    const rule = { event: "order.paid", loyalty: { type: "FIXED", points: 5 }, pending_points };
    await post(`/v1/loyalties/${program.id}/earning-rules`, [rule], 200);
    const { card, source_id } = await aMember(service, program);
    const pay = async () =>
      (await post("/v1/orders", { amount: 100, customer: { source_id }, status: "PAID" }, 200)).body.id as string;
    const path = `/v1/loyalties/members/${card.code}/pending-points`;
    const waiting = async () => `${path}/${(await api.get(path, 200)).body.data[0].id}`;
    return { pay, waiting };
  }

  test("are told to wait, to be changed, and to be the card's: with that, and no other, line of the books", async () => {
    const { pay, waiting } = await aWaitingCard();
    expect(await toldOf(pay)).toEqual(told("customer.order.created", "customer.order.paid", ...pending("added")));
    const one = await waiting();
    expect(await toldOf(() => post(`${one}/balance`, { points: 1 }, 200))).toEqual(pending("updated"));
    expect(await toldOf(() => post(`${one}/activate`, {}, 200))).toEqual(pending("activated"));
  });

  test("are told to be the card's by the night, and to be canceled by hand or with their order", async () => {
    const { pay, waiting } = await aWaitingCard();
    await pay();
    expect(await toldOf(async () => clock.advance({ days: 1 }))).toEqual(pending("activated"));
    await toldOf(pay);
    const one = await waiting();
    expect(await toldOf(() => post(`${one}/cancel`, {}, 204))).toEqual(pending("canceled"));
    let order = "";
    await toldOf(async () => {
      order = await pay();
    });
    expect(await toldOf(() => put(`/v1/orders/${order}`, { status: "CANCELED" }, 200))).toEqual(
      told("customer.order.canceled", ...pending("canceled")),
    );
  });
});

test("points whose day is over are told by the night, with their line of the books", async () => {
  const { card } = await aMember(service, await aProgram(service));
  const expiration_date = new Date(clock.now()).toISOString();
  await move(card, 50, { expiration_type: "CUSTOM_DATE", expiration_date });
  expect(await toldOf(async () => clock.advance({ days: 1 }))).toEqual(
    told("voucher.loyalty_card.points_expired", ...line("points_expired")),
  );
});

describe("tiers", () => {
  test("are told to be made, and the member what each move is", async () => {
    const program = await aProgram(service);
    const { card } = await aMember(service, program);
    const tiers = [
      { name: "Silver", points: { from: 100, to: 199 } },
      { name: "Gold", points: { from: 200 } },
    ];
    expect(await toldOf(() => post(`/v1/loyalties/${program.id}/tiers`, tiers, 200))).toEqual(
      told(...Array.from({ length: 2 }, () => "campaign.loyalty_tier.created")),
    );
    for (const [points, name] of [
      [100, "joined"],
      [100, "upgraded"],
      [-100, "downgraded"],
      [-100, "left"],
    ] as const)
      expect(await toldOf(() => move(card, points))).toEqual(told(...by_hand, `customer.loyalty.tier.${name}`));
  });

  test("that last are told to be prolonged, and to end on another day where the settings say so", async () => {
    const lasting = (extend: string) => ({
      ...{ qualification_type: "BALANCE", start_date: { type: "IMMEDIATE" } },
      expiration_date: { type: "CUSTOM", extend },
    });
    const program = await aProgram(service, { loyalty_tiers_expiration: lasting("P2D") }, 100);
    await post(`/v1/loyalties/${program.id}/tiers`, [{ name: "Silver", points: { from: 100 } }], 200);
    await aMember(service, program);
    expect(await toldOf(async () => clock.advance({ days: 3 }))).toEqual(["customer.loyalty.tier.prolonged"]);
    const changed = { loyalty_tiers_expiration: lasting("P9D"), options: { recalculate_tiers: true } };
    expect(await toldOf(() => put(`/v1/loyalties/${program.id}`, changed, 200))).toEqual(
      told("campaign.updated", "customer.loyalty.tier.expiration.changed"),
    );
  });
});

describe("a reward", () => {
  const rewarded = (state: string) =>
    told("customer.rewarded", ["customer.reward_redemptions", "created", state], ...redeemed);
  const spent = "voucher.loyalty_card.transaction.created";

  async function aMemberWith(reward: { id: string }, points: number | null = 10) {
    const program = await aProgram(service, {}, 100);
    const assignment = await given(service, program, reward, points);
    const { card, source_id } = await aMember(service, program);
    const redeem = async (status = 200) => {
      const redeemables = [{ object: "voucher", id: card.code, reward: { id: reward.id } }];
      const sent = { redeemables, customer: { source_id }, ...(points === null ? { order: { amount: 100 } } : {}) };
      return (await post("/v1/redemptions", sent, status)).body;
    };
    return { program, assignment, redeem };
  }

  test("is told to be given by a program, at another price, and no more", async () => {
    const reward = await aReward(service);
    const program = await aProgram(service);
    let path = "";
    const give = async () => {
      path = `/v1/rewards/${reward.id}/assignments/${(await given(service, program, reward, 10)).id}`;
    };
    expect(await toldOf(give)).toEqual(["campaign.reward.assignment.created"]);
    const price = { parameters: { loyalty: { points: 20 } } };
    expect(await toldOf(() => put(path, price, 200))).toEqual(["campaign.reward.assignment.updated"]);
    expect(await toldOf(() => api.delete(path, 204))).toEqual(["campaign.reward.assignment.deleted"]);
  });

  test("that is a product is told to be on its way, and to be taken back", async () => {
    const { redeem } = await aMemberWith(await aReward(service));
    let redemption = "";
    const take = async () => {
      redemption = (await redeem()).redemptions[0].id;
    };
    expect(await toldOf(take)).toEqual(told(spent, ...rewarded("pending")));
    expect(await toldOf(() => post(`/v1/redemptions/${redemption}/rollback`, {}, 200))).toEqual(
      told(
        ...[spent, "customer.reward_redemptions.rolledback"],
        ...["redemption.rollback.succeeded", "customer.redemption.rollback.succeeded"],
      ),
    );
    expect(await toldOf(() => post(`/v1/redemptions/${redemption}/rollback`, {}, 400))).toEqual(
      told("redemption.rollback.failed", "customer.redemption.rollback.failed"),
    );
  });

  test("that is a code is told to be there, with its publication", async () => {
    const parameters = { campaign: { id: (await aCampaign(service, 1)).id } };
    const { redeem } = await aMemberWith(await aReward(service, { parameters }));
    expect(await toldOf(redeem)).toEqual(
      told(
        ...[spent, ...rewarded("completed")],
        ...["publication.succeeded", "voucher.published", "customer.publication.succeeded"],
      ),
    );
  });

  test("that is points of another program makes a member there, and is told as that", async () => {
    const voucher = { type: "LOYALTY_CARD", loyalty_card: { points: 50 } };
    const other = await aProgram(service, { voucher });
    await post(`/v1/loyalties/${other.id}/tiers`, [{ name: "Silver", points: { from: 50 } }], 200);
    const { redeem } = await aMemberWith(
      await aReward(service, { parameters: { campaign: { id: other.id, balance: 5 } } }),
    );
    expect(await toldOf(redeem)).toEqual(
      told(
        ...[spent, ...rewarded("completed"), "voucher.created", "publication.succeeded", "voucher.published"],
        ...["customer.publication.succeeded", "customer.loyalty.tier.joined", ...by_hand],
      ),
    );
  });

  test("that pays for an order is told with the order", async () => {
    const { redeem } = await aMemberWith(await aReward(service, coin(1, 1)), null);
    expect(await toldOf(redeem)).toEqual(
      told(spent, ...rewarded("completed"), "customer.order.created", "customer.order.paid"),
    );
  });

  test("beyond what the card holds is told as a redemption that failed", async () => {
    const { redeem } = await aMemberWith(await aReward(service), 101);
    expect(await toldOf(() => redeem(400))).toEqual(told("customer.redemption.failed", "redemption.failed"));
  });
});
