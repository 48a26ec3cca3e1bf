import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import type { Context } from "../../../platform/context.js";
import type { Tx } from "../../../platform/db/database.js";
import { sql } from "../../../platform/db/sql.js";
import { aCampaign, aReward, coin, gift_cards, given, other_program } from "../../rewards/reward.fixtures.js";
import { aMember, aName, aProgram } from "../loyalty.fixtures.js";
import { redeemAutomatically } from "./redeem.js";

const service = await startService({ now: "2027-05-14T12:00:00Z" });
const { context, clock } = service;

/** A project with a program that redeems a reward at 60 points by itself, a member of it, and ways to look at both. */
async function aClub(fields: Record<string, unknown> = {}, program_fields: Record<string, unknown> = {}, price = 60) {
  clock.set("2027-05-14T12:00:00Z");
  const project = await service.anotherProject();
  const { api } = project;
  const program = await aProgram(project, program_fields);
  const reward = await aReward(project, fields);
  const path = `/v1/loyalties/${program.id}/rewards`;
  const parameters = { loyalty: { points: price, auto_redeem: true } };
  const [assignment] = (await api.post(path, [{ reward: reward.id, parameters }], 200)).body;
  const { card, source_id } = await aMember(project, program);
  const runDue = () => service.runDue();
  await runDue();
  const redemptions = async () =>
    (await api.get(`/v1/redemptions?customer=${card.holder_id}&order=created_at&limit=100`, 200)).body.redemptions;
  return {
    ...{ project, api, program, reward, assignment, card, source_id, path, runDue, redemptions },
    /** By hand; what follows is done. */
    add: async (points: number, more: object = {}) => {
      await api.post(`/v1/loyalties/members/${card.code}/balance`, { points, ...more }, 200);
      await runDue();
    },
    spent: async (): Promise<number[]> => (await redemptions()).map(({ amount }: { amount: number }) => amount),
    balance: async (): Promise<number> =>
      (await api.get(`/v1/loyalties/members/${card.code}`, 200)).body.loyalty_card.balance,
    given: async (): Promise<number | null> => (await api.get(`/v1/rewards/${reward.id}`, 200)).body.redeemed,
  };
}

describe("a reward that is redeemed by itself (loyalty.md §9.6)", () => {
  test("is, as soon as a card holds its price: as many as the balance pays for, in one redemption", async () => {
    const club = await aClub();
    await club.add(59);
    expect(await club.redemptions()).toEqual([]);
    await club.add(131);
    const [redemption, ...others] = await club.redemptions();
    expect(others).toEqual([]);
    expect(redemption).toMatchObject({
      ...{ result: "SUCCESS", amount: 180, loyalty_card: { points: 180 }, customer_id: club.card.holder_id },
      channel: { channel_type: "AUTO_REDEEM", channel_id: club.assignment.id },
      reward: { id: club.reward.id, assignment_id: club.assignment.id },
      voucher: { loyalty_card: { balance: 10 } },
    });
    expect([await club.balance(), await club.given()]).toEqual([10, 3]);
    const { data } = (await club.api.get(`/v1/loyalties/members/${club.card.code}/transactions?limit=1`, 200)).body;
    expect(data[0]).toMatchObject({
      type: "POINTS_REDEMPTION",
      source: null,
      details: {
        balance: { points: -180, balance: 10, total: 190, operation_type: "AUTOMATIC" },
        redemption: { id: redemption.id },
        reward: { id: club.reward.id },
      },
    });
    await club.runDue();
    expect(await club.spent()).toEqual([180]);
  });

  test("is told as every redemption is, by the service", async () => {
    const club = await aClub();
    await club.add(60);
    const { body } = await club.api.get(`/v1/loyalties/members/${club.card.code}/activity?limit=100`, 200);
    const types = body.data.map(({ type }: { type: string }) => type);
    for (const type of ["customer.redemption.succeeded", "customer.rewarded", "customer.reward_redemptions.created"])
      expect(types.filter((one: string) => one === type)).toHaveLength(1);
    const sources = await context.db.many(sql`
      select events.event_source from events
       where events.project_id = ${club.project.id} and events.type in ('redemption.succeeded', 'customer.rewarded')`);
    expect(sources).toEqual([1, 2].map(() => ({ event_source: { channel: "INTERNAL" } })));
  });

  test("takes 25 at once, and what is left with the next points or the next night", async () => {
    const club = await aClub({}, {}, 10);
    await club.add(1_000);
    expect(await club.spent()).toEqual([250]);
    await club.add(1);
    expect(await club.spent()).toEqual([250, 250]);
    clock.set("2027-05-15T00:00:10Z");
    await club.runDue();
    await club.runDue();
    expect(await club.spent()).toEqual([250, 250, 250]);
    const [, , at_night] = await club.redemptions();
    expect(at_night.date).toBe("2027-05-15T00:00:00.000Z");
  });

  test("is not redeemed more than ten times on a customer's day", async () => {
    const club = await aClub({}, {}, 1);
    for (let i = 0; i < 12; i += 1) await club.add(1);
    expect(await club.spent()).toHaveLength(10);
    expect(await club.balance()).toBe(2);
    clock.set("2027-05-15T12:00:00Z");
    await club.add(1);
    // Both that were left with the night, and the one that came.
    expect((await club.spent()).slice(10).reduce((sum, points) => sum + points, 0)).toBe(3);
  });

  test("gives as many codes of a campaign, and takes all of them back", async () => {
    const project = await service.anotherProject();
    const program = await aProgram(project);
    const campaign = await aCampaign(project, 2);
    const reward = await aReward(project, { parameters: { campaign: { id: campaign.id } } });
    const parameters = { loyalty: { points: 10, auto_redeem: true } };
    await project.api.post(`/v1/loyalties/${program.id}/rewards`, [{ reward: reward.id, parameters }], 200);
    const { card } = await aMember(project, program);
    await project.api.post(`/v1/loyalties/members/${card.code}/balance`, { points: 55 }, 200);
    await service.runDue();
    const { redemptions } = (await project.api.get(`/v1/redemptions?customer=${card.holder_id}`, 200)).body;
    expect(redemptions).toMatchObject([{ amount: 20, reward: { voucher: { code: campaign.codes[0] } } }]);
    const codes = async () =>
      Promise.all(campaign.codes.map(async (code) => (await project.api.get(`/v1/vouchers/${code}`, 200)).body));
    for (const code of await codes()) expect(code).toMatchObject({ holder_id: card.holder_id, active: true });
    await project.api.post(`/v1/redemptions/${redemptions[0].id}/rollback`, {}, 200);
    for (const code of await codes()) expect(code).toMatchObject({ active: false });
    expect((await project.api.get(`/v1/rewards/${reward.id}`, 200)).body.redeemed).toBe(0);
    await service.runDue();
    expect((await project.api.get(`/v1/loyalties/members/${card.code}`, 200)).body.loyalty_card.balance).toBe(55);
  });

  test.each([
    ["gift cards", gift_cards, 500 + 3 * 40],
    ["another program", other_program, 7 + 3 * 40],
  ])("adds so many times the balance to a card of %s", async (_name, fields, balance) => {
    const project = await service.anotherProject();
    const program = await aProgram(project);
    const campaign = await aCampaign(project, 1, fields);
    const reward = await aReward(project, { parameters: { campaign: { id: campaign.id, balance: 40 } } });
    const parameters = { loyalty: { points: 10, auto_redeem: true } };
    await project.api.post(`/v1/loyalties/${program.id}/rewards`, [{ reward: reward.id, parameters }], 200);
    const { card } = await aMember(project, program);
    await project.api.post(`/v1/loyalties/members/${card.code}/balance`, { points: 31 }, 200);
    await service.runDue();
    const { gift, loyalty_card } = (await project.api.get(`/v1/vouchers/${campaign.codes[0]}`, 200)).body;
    expect((gift ?? loyalty_card).balance).toBe(balance);
  });

  test("takes no more than there are, and leaves the points of who comes too late", async () => {
    const club = await aClub({ stock: 2 });
    await club.add(300);
    expect([await club.spent(), await club.given()]).toEqual([[120], 2]);
    await club.add(60);
    expect([await club.spent(), await club.balance()]).toEqual([[120], 240]);
  });

  test("costs what the member's tier makes of its price", async () => {
    const club = await aClub();
    const rewards = { [club.assignment.id]: { type: "CUSTOM", points: 25 } };
    const tier = { name: "Gold", points: { from: 20 }, rewards };
    await club.api.post(`/v1/loyalties/${club.program.id}/tiers`, [tier], 200);
    await club.add(24);
    await club.add(2);
    expect([await club.spent(), await club.balance()]).toEqual([[25], 1]);
  });

  test("is spent before tiers are looked at: a tier by the balance is never reached, one by points collected is", async () => {
    const by_points = {
      ...{ qualification_type: "POINTS_IN_PERIOD", qualification_period: "MONTH", start_date: { type: "IMMEDIATE" } },
      expiration_date: { type: "END_OF_PERIOD" },
    };
    for (const [loyalty_tiers_expiration, reached] of [
      [null, []],
      [by_points, ["Gold"]],
    ] as const) {
      const club = await aClub({}, { loyalty_tiers_expiration }, 80);
      await club.api.post(`/v1/loyalties/${club.program.id}/tiers`, [{ name: "Gold", points: { from: 80 } }], 200);
      const source = { banner: "Paid" };
      const rule = { event: "order.paid", loyalty: { type: "FIXED", points: 45 }, source };
      await club.api.post(`/v1/loyalties/${club.program.id}/earning-rules`, [rule, rule, rule], 200);
      const order = { customer: { source_id: club.source_id }, amount: 100, status: "PAID" };
      await club.api.post("/v1/orders", order, 200);
      await club.runDue();
      expect([await club.spent(), await club.balance()]).toEqual([[80], 55]);
      const { body } = await club.api.get(`/v1/loyalties/members/${club.card.code}/tiers`, 200);
      expect(body.data.map(({ name }: { name: string }) => name)).toEqual(reached);
      const told = await club.api.get(`/v1/loyalties/members/${club.card.code}/activity?limit=100`, 200);
      const of_tiers = told.body.data.filter(({ type }: { type: string }) => type.startsWith("customer.loyalty.tier"));
      expect(of_tiers).toHaveLength(reached.length);
    }
  });

  test("is redeemed with the points that pended, in the night that they become the card's, before others expire", async () => {
    const club = await aClub();
    const rule = {
      ...{ event: "order.paid", loyalty: { type: "FIXED", points: 50 }, source: { banner: "Later" } },
      pending_points: { period_type: "DAY", period_value: 1 },
    };
    await club.api.post(`/v1/loyalties/${club.program.id}/earning-rules`, [rule], 200);
    await club.add(30, { expiration_type: "CUSTOM_DATE", expiration_date: "2027-05-15" });
    await club.api.post("/v1/orders", { customer: { source_id: club.source_id }, amount: 100, status: "PAID" }, 200);
    await club.runDue();
    clock.set("2027-05-17T12:00:00Z");
    await club.runDue();
    expect([await club.spent(), await club.balance()]).toEqual([[60], 20]);
    expect((await club.redemptions())[0].date).toBe("2027-05-15T00:00:00.000Z");
  });

  test("is redeemed once for an event, however often that is told and wherever whoever is told of it dies", async () => {
    const club = await aClub({}, {}, 1);
    await club.api.post(`/v1/loyalties/members/${club.card.code}/balance`, { points: 100 }, 200);
    let transactions = 0;
    const log = { ...context.log, warn() {}, error() {} } as unknown as Context["log"];
    const mortal: Context = {
      ...context,
      log,
      db: {
        ...context.db,
        transaction: <Answer>(work: (tx: Tx) => Promise<Answer>) =>
          context.db.transaction(async (tx) => {
            const answer = await work(tx);
            if (transactions++ % 3 !== 2) await tx.run(sql`select pg_terminate_backend(pg_backend_pid())`);
            return answer;
          }),
      },
    };
    const grown = {
      ...{ project_id: club.project.id, card_id: club.card.id, cause: aName("event"), request_id: "req" },
      instant: clock.now(),
    };
    for (let i = 0; i < 4; i += 1) {
      const tries = [mortal, context, mortal].map((on) => redeemAutomatically(on, grown).catch(() => undefined));
      await Promise.all(tries);
    }
    expect([await club.spent(), await club.balance()]).toEqual([[25], 75]);
  });

  test("is one of its program, and none that pays with points", async () => {
    const club = await aClub();
    const second = await aReward(club.project);
    const automatic = { loyalty: { points: 5, auto_redeem: true } };
    const refused = async (reward: string) =>
      (await club.api.post(club.path, [{ reward, parameters: automatic }], 400)).body;
    expect((await refused(second.id)).details).toContain(club.assignment.id);
    expect((await refused((await aReward(club.project, coin(1, 1))).id)).details).toContain("auto_redeem");
    const other = await given(club.project, club.program, second, 5);
    const asked = { parameters: { loyalty: { auto_redeem: true } } };
    expect((await club.api.put(`${club.path}/${other.id}`, asked, 400)).body.key).toBe("invalid_payload");
    const off = { parameters: { loyalty: { auto_redeem: false } } };
    const { body } = await club.api.put(`${club.path}/${club.assignment.id}`, off, 200);
    expect(body.parameters).toEqual({ loyalty: { points: 60 } });
    await club.api.put(`${club.path}/${other.id}`, asked, 200);
    const { data } = (await club.api.get(club.path, 200)).body;
    const shown = data.map(({ parameters }: { parameters: object }) => parameters);
    expect(shown).toEqual([{ loyalty: { points: 5, auto_redeem: true } }, { loyalty: { points: 60 } }]);
  });
});
