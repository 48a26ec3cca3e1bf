import { expect, test } from "vitest";
import { seeded, seedOfRun } from "../../../../test/harness/seeded.js";
import { startService } from "../../../../test/harness/service.js";
import { segmentCalls } from "../../segments/segment.fixtures.js";
import { handOutAgain } from "../referral.fixtures.js";
import { aGivingShop, coupons, gifts } from "../rewards/reward.fixtures.js";

const service = await startService();
const { runDue } = service;

/** What comes together on a card tells which of these numbers its holder has reached. */
const steps = [
  { referees_min: 1, balance: 1 },
  { referees_min: 2, balance: 10 },
  { referees_min: 3, balance: 100 },
  { referees_min: 5, balance: 1000 },
];
const on_each_card = 100;

/** A shop that gives a code for each referee in a segment, and credits by the steps. */
async function aShopOfSteps() {
  const shop = await aGivingShop(service);
  const vips = { "metadata.vip": { conditions: { $is: [true] } } };
  const { id: segment_id } = await segmentCalls(shop.api).passive(vips);
  const [each, cards] = [await coupons(shop.api), await gifts(shop.api)];
  await shop.tier({ campaign: { id: each.id } }, { criterion: "EACH_REFEREE", segment_id });
  for (const { referees_min, balance } of steps) {
    const criterion = { criterion: "MIN_REFEREES", referees_min, segment_id };
    await shop.tier({ campaign: { id: cards.id, balance } }, criterion);
  }
  return {
    ...shop,
    setVip: ({ id }: { id: string }, vip: boolean) => shop.api.put(`/v1/customers/${id}`, { metadata: { vip } }, 200),
    /** How many codes somebody has, and how many credits. */
    given: async (person: { id: string }) => {
      const [card] = await shop.held(person, cards.id);
      return [(await shop.held(person, each.id)).length, card ? card.gift.balance - on_each_card : 0];
    },
  };
}

/** What somebody gets who has referred so many of the segment. */
const due = (members: number) => {
  const reached = steps.filter(({ referees_min }) => referees_min <= members);
  return [members, reached.reduce((sum, { balance }) => sum + balance, 0)];
};

test("law: a tier counts whom its segment held when they came, whatever comes at once, again or changes later", {
  timeout: 60_000,
}, async () => {
  const seed = seedOfRun();
  const random = seeded(seed);
  const shop = await aShopOfSteps();
  const codes = [await shop.code(), await shop.code()];
  const people: { id: string }[] = [];
  for (let i = 0; i < 8; i += 1) people.push(await shop.customer());
  const vips = new Set<string>();
  const seen = new Set<string>();
  const members = codes.map(() => 0);
  for (let round = 0; round < 4; round += 1) {
    for (const person of people) {
      if (random(2) === 0) continue;
      const vip = random(3) > 0;
      await shop.setVip(person, vip);
      vips[vip ? "add" : "delete"](person.id);
    }
    const burst = Array.from({ length: 8 }, () => ({ k: random(codes.length), person: people[random(people.length)] }));
    await Promise.all(burst.map(({ k, person }) => shop.redeem(codes[k]?.code as string, person as { id: string })));
    for (const { k, person } of burst) {
      const pair = `${k} ${person?.id}`;
      if (!seen.has(pair) && vips.has(person?.id as string)) members[k] = (members[k] ?? 0) + 1;
      seen.add(pair);
    }
    await Promise.all([runDue(), runDue(), runDue()]);
    await handOutAgain(service, shop.project, "referrals");
    await handOutAgain(service, shop.project, "referral rewards");
    await Promise.all([runDue(), runDue(), runDue()]);
    await runDue();
    for (const [k, { referrer_id }] of codes.entries())
      expect(await shop.given({ id: referrer_id }), `seed ${seed}, round ${round}`).toEqual(due(members[k] ?? 0));
  }
  expect(seen.size).toBeGreaterThan(4);
});
