import { describe, expect, test } from "vitest";
import type { Answer } from "../../../test/harness/client.js";
import { startService } from "../../../test/harness/service.js";
import { aMember, aProgram } from "../../features/loyalties/loyalty.fixtures.js";
import { aReward, coin, given } from "../../features/rewards/reward.fixtures.js";

const service = await startService();
const { api, context } = service;

/** How many recordings have looked up names before they locked, and how many transactions began anew, since the process began. */
async function counts(): Promise<{ resolved: number; begun_anew: number }> {
  const text = await context.metrics.text({ pool: context.db.pool(), backlog: null });
  const sumOf = (start: string) =>
    text
      .split("\n")
      .filter((line) => line.startsWith(start))
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
  return {
    resolved: sumOf('guerdon_recording_stage_seconds_count{stage="resolve"}'),
    begun_anew: sumOf("guerdon_transaction_retries_total"),
  };
}

/** What some redemptions add to the counts. */
async function countsOf(work: () => Promise<unknown>) {
  const before = await counts();
  await work();
  const after = await counts();
  return { resolved: after.resolved - before.resolved, begun_anew: after.begun_anew - before.begun_anew };
}

const discount = { type: "AMOUNT", amount_off: 100 };
const voucher = { type: "DISCOUNT_VOUCHER", discount };
const order = { amount: 1_000 };

let made = 0;
const newName = () => {
  made += 1;
  return `named-${made}`;
};
const aVoucher = async (fields = {}) =>
  (await api.post(`/v1/vouchers/${newName()}`, { discount, ...fields }, 200)).body;

async function aRule(rules: Record<string, unknown>): Promise<string> {
  return (await api.post("/v1/validation-rules", { name: newName(), rules: { ...rules, logic: "1" } }, 200)).body.id;
}
const anAmount = () => aRule({ "1": { name: "order.initial_amount", conditions: { $more_than: [1] } } });
const aLimit = () => aRule({ "1": { name: "redemption.count", conditions: { $less_than: [99] } } });

async function aCodeUnder(rule: string): Promise<string> {
  const campaign = { name: newName(), campaign_type: "DISCOUNT_COUPONS", voucher, validation_rules: [rule] };
  const { id } = (await api.post("/v1/campaigns", campaign, 200)).body;
  return (await api.post(`/v1/campaigns/${id}/vouchers`, {}, 200)).body.code;
}

async function aTier(rule: string): Promise<string> {
  const tier = { name: newName(), action: { discount }, validation_rules: [rule] };
  const campaign = { name: newName(), campaign_type: "PROMOTION", promotion: { tiers: [tier] } };
  return (await api.post("/v1/campaigns", campaign, 200)).body.promotion.tiers[0].id;
}

const redeem = (body: Record<string, unknown>): Promise<Answer> => api.post("/v1/redemptions", { order, ...body }, 200);
const byCode = (id: string) => ({ redeemables: [{ object: "voucher", id }] });

describe("a redemption locks all that it needs by the names that it was given", () => {
  test.each<[string, () => Promise<Record<string, unknown>>]>([
    ["a code", async () => byCode((await aVoucher()).code)],
    ["a voucher's id", async () => byCode((await aVoucher()).id)],
    ["a gift card", async () => byCode((await aVoucher({ type: "GIFT_VOUCHER", gift: { amount: 9_000 } })).code)],
    ["a code of a campaign under a rule", async () => byCode(await aCodeUnder(await anAmount()))],
    [
      "a promotion tier under a limit",
      async () => ({ redeemables: [{ object: "promotion_tier", id: await aTier(await aLimit()) }] }),
    ],
    [
      "a new customer and a new order",
      async () => ({
        ...byCode((await aVoucher()).code),
        customer: { source_id: newName() },
        order: { ...order, source_id: newName() },
      }),
    ],
    [
      "a customer by source id, and who referred them by id",
      async () => {
        const [known, referrer] = [
          (await api.post("/v1/customers", { source_id: newName() }, 200)).body,
          (await api.post("/v1/customers", { source_id: newName() }, 200)).body,
        ];
        const people = { customer: { source_id: known.source_id }, order: { ...order, referrer: { id: referrer.id } } };
        return { ...byCode((await aVoucher()).code), ...people };
      },
    ],
    [
      "a stored order by source id",
      async () => {
        const stored = (await api.post("/v1/orders", { source_id: newName(), ...order }, 200)).body;
        return { ...byCode((await aVoucher()).code), order: { source_id: stored.source_id } };
      },
    ],
    [
      "a stored order by id",
      async () => {
        const stored = (await api.post("/v1/orders", { source_id: newName(), ...order }, 200)).body;
        return { ...byCode((await aVoucher()).code), order: { id: stored.id } };
      },
    ],
  ])("%s", async (_, bodyOf) => {
    const body = await bodyOf();
    expect(await countsOf(() => redeem(body))).toEqual({ resolved: 0, begun_anew: 0 });
  });
});

describe("a rule that counts", () => {
  test.each<[string, () => Promise<string>]>([
    ["of a campaign", async () => aCodeUnder(await aLimit())],
    ["of a code", async () => (await aVoucher({ validation_rules: [await aLimit()] })).code],
  ])("%s makes the first that meets it begin anew, and nobody after that", async (_, aCode) => {
    const body = { ...byCode(await aCode()), customer: { source_id: newName() } };
    expect(await countsOf(() => redeem(body))).toEqual({ resolved: 1, begun_anew: 1 });
    expect(await countsOf(() => redeem(body))).toEqual({ resolved: 0, begun_anew: 0 });
  });

  test("that no longer counts has nobody begin anew either", async () => {
    const rule = await aLimit();
    const body = { ...byCode(await aCodeUnder(rule)), customer: { source_id: newName() } };
    await redeem(body);
    const rules = { "1": { name: "order.initial_amount", conditions: { $more_than: [1] } }, logic: "1" };
    await api.put(`/v1/validation-rules/${rule}`, { rules }, 200);
    expect(await countsOf(() => redeem(body))).toEqual({ resolved: 0, begun_anew: 0 });
  });
});

test("what is spent on a reward is looked up first, since it asks for keys of what is given", async () => {
  const program = await aProgram(service, {}, 500);
  const { id } = await aReward(service, coin(1, 1));
  await given(service, program, { id }, null);
  const { card, source_id } = await aMember(service, program);
  const redeemables = [{ object: "voucher", id: card.id, reward: { id, points: 10 } }];
  const of_card = () => redeem({ redeemables, customer: { source_id } });
  expect(await countsOf(of_card)).toEqual({ resolved: 1, begun_anew: 0 });
});

test("redemptions that come together, of codes with limits and without, lock what all of them need", async () => {
  const codes = [await aCodeUnder(await anAmount()), await aCodeUnder(await aLimit()), (await aVoucher()).code];
  const people = [newName(), newName()];
  const one = (i: number) =>
    redeem({ ...byCode(codes[i % codes.length] as string), customer: { source_id: people[i % people.length] } });
  // Nobody is new by then, and the rule that counts has been met.
  for (const i of codes.keys()) await one(i);
  const together = () => Promise.all(Array.from({ length: 24 }, (_, i) => one(i)));
  expect(await countsOf(together)).toEqual({ resolved: 0, begun_anew: 0 });
});

test("where more rules count than can be told, names are looked up first", async () => {
  const codes = await Promise.all(Array.from({ length: 66 }, async () => aCodeUnder(await aLimit())));
  for (const code of codes) await redeem(byCode(code));
  const again = () => redeem(byCode(codes[0] as string));
  expect(await countsOf(again)).toEqual({ resolved: 1, begun_anew: 0 });
});
