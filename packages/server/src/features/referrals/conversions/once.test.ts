import { describe, expect, test } from "vitest";
import { seeded, seedOfRun } from "../../../../test/harness/seeded.js";
import { startService } from "../../../../test/harness/service.js";
import { aReferralShop, handOutAgain } from "../referral.fixtures.js";

const service = await startService();
const { runDue } = service;

describe("a referral is counted once", () => {
  test("whoever hands out its event again", async () => {
    const { project, code, customer, redeem, read, campaign, api } = await aReferralShop(service);
    const own = await code();
    for (let i = 0; i < 3; i += 1) await redeem(own.code, await customer());
    await runDue();
    await handOutAgain(service, project, "referrals");
    await runDue();
    expect((await read({ id: own.referrer_id })).loyalty.referred_customers).toBe(3);
    expect((await api.get(`/v1/campaigns/${campaign.id}/summary`, 200)).body.referred_customers).toBe(3);
  });

  test("of whatever the customer does at once, and whichever processes hear of it at once", async () => {
    const { project, code, customer, redeem, read, activityOf } = await aReferralShop(service);
    const own = await code();
    const codes = [own, await code({ id: own.referrer_id })];
    const people = [await customer(), await customer(), await customer()];
    await Promise.all(people.flatMap((person) => [...codes, ...codes].map((one) => redeem(one.code, person))));
    await Promise.all([runDue(), runDue(), runDue()]);
    await handOutAgain(service, project, "referrals");
    await Promise.all([runDue(), runDue(), runDue()]);
    expect((await read({ id: own.referrer_id })).loyalty.referred_customers).toBe(3);
    for (const person of people) {
      expect((await read(person)).referrals.total).toBe(1);
      const told = (await activityOf(person)).filter(({ type }) => type === "customer.referred");
      expect(told).toHaveLength(1);
    }
  });

  test("and stays when the customer is deleted, before or after", async () => {
    const { api, code, customer, redeem, read } = await aReferralShop(service);
    const own = await code();
    const [counted, gone] = [await customer(), await customer()];
    await redeem(own.code, counted);
    await runDue();
    await redeem(own.code, gone);
    await api.delete(`/v1/customers/${gone.id}`, 204);
    await api.delete(`/v1/customers/${counted.id}`, 204);
    await runDue();
    expect((await read({ id: own.referrer_id })).loyalty.referred_customers).toBe(1);
  });
});

test("law: whatever happens in whatever order, as many are counted as there are pairs of people", async () => {
  const seed = seedOfRun();
  const random = seeded(seed);
  const { api, campaign, code, customer, redeem, read } = await aReferralShop(service);
  const codes = [await code(), await code(), await code()];
  const people = [...codes.map(({ referrer_id }) => ({ id: referrer_id })), await customer(), await customer()];
  const pairs = new Set<string>();
  const done: string[] = [];
  for (let step = 0; step < 40; step += 1) {
    const one = codes[random(codes.length)];
    const person = people[random(people.length)];
    if (!one || !person) continue;
    const is_own = one.referrer_id === person.id;
    const what = random(5);
    if (what === 0) await runDue();
    else if (what === 1 && done.length > 0) await api.post(`/v1/redemptions/${done.pop()}/rollback`, {}, 200);
    else {
      const { redemptions } = await redeem(one.code, person, is_own ? 400 : 200);
      if (is_own) continue;
      done.push(redemptions[0].id);
      pairs.add(`${one.referrer_id} ${person.id}`);
    }
  }
  await runDue();
  const of = (id: string, place: 0 | 1) => [...pairs].filter((pair) => pair.split(" ")[place] === id).length;
  for (const { id } of people) {
    const { loyalty, referrals } = await read({ id });
    expect([loyalty.referred_customers, referrals.total], `seed ${seed}`).toEqual([of(id, 0), of(id, 1)]);
  }
  expect((await api.get(`/v1/campaigns/${campaign.id}/summary`, 200)).body.referred_customers).toBe(pairs.size);
});
