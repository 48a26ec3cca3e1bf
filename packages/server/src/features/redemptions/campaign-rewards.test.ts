import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { isoOf } from "../../platform/clock.js";
import { sql } from "../../platform/db/sql.js";
import { aMember, aName, aProgram, booksOf } from "../loyalties/loyalty.fixtures.js";
import { aCampaign, aReward, gift_cards, given, other_program } from "../rewards/reward.fixtures.js";

const service = await startService();
const { api, clock, context, project } = service;
const { entriesOf } = booksOf(service);

/** A member of a program that gives what a campaign has for ten points. */
async function aCard(campaign: { id: string }, balance?: number, more: Record<string, unknown> = {}) {
  const program = await aProgram(service, {}, 100);
  const reward = await aReward(service, { parameters: { campaign: { id: campaign.id, balance } }, ...more });
  await given(service, program, reward, 10);
  return { program, reward, ...(await aMember(service, program)) };
}
type OfCard = Awaited<ReturnType<typeof aCard>>;

const asked = ({ card, reward, source_id }: Pick<OfCard, "card" | "reward" | "source_id">) => ({
  redeemables: [{ object: "voucher", id: card.code, reward: { id: reward.id } }],
  customer: { source_id },
});
const redeem = async (of: Pick<OfCard, "card" | "reward" | "source_id">) =>
  (await api.post("/v1/redemptions", asked(of), 200)).body.redemptions[0];
const voucherOf = async (code: string) => (await api.get(`/v1/vouchers/${code}`, 200)).body;
const rollBack = (redemption: { id: string }) => api.post(`/v1/redemptions/${redemption.id}/rollback`, {}, 200);
const pointsOn = async ({ card }: OfCard) => (await voucherOf(card.code)).loyalty_card.balance;
const eventsOf = async (customer_id: string) =>
  (
    await context.db.many<{ type: string }>(sql`
      select events.type from events
       where events.project_id = ${project.id} and events.customer_id = ${customer_id}
         and events.created_at = ${isoOf(clock.now())}`)
  ).map(({ type }) => type);

describe("a reward that is a code of a campaign", () => {
  test("is published to the member: the oldest code that nobody has", async () => {
    const campaign = await aCampaign(service, 2);
    const of = await aCard(campaign);
    const { body: valid } = await api.post("/v1/validations", asked(of), 200);
    expect(valid.redeemables[0]).toMatchObject({ status: "APPLICABLE", result: { loyalty_card: { points: 10 } } });
    expect((await voucherOf(campaign.codes[0] as string)).holder_id).toBeUndefined();

    const redemption = await redeem(of);
    const [code] = campaign.codes;
    expect(redemption).toMatchObject({
      amount: 10,
      loyalty_card: { points: 10 },
      reward: { id: of.reward.id, type: "CAMPAIGN", voucher: { code, holder_id: of.card.holder_id } },
      voucher: { code: of.card.code, loyalty_card: { balance: 90 } },
      order: null,
    });
    expect(await voucherOf(code as string)).toMatchObject({
      holder_id: of.card.holder_id,
      publish: { count: 1 },
      redemption: { redeemed_quantity: 0 },
    });
    expect((await api.get(`/v1/redemptions/${redemption.id}`, 200)).body.reward).toEqual(redemption.reward);
    expect((await api.get(`/v1/rewards/${of.reward.id}`, 200)).body.redeemed).toBe(1);
    expect((await redeem(of)).reward.voucher.code).toBe(campaign.codes[1]);
    await api.post("/v1/redemptions", { redeemables: [{ object: "voucher", id: code }], order: { amount: 500 } }, 200);
  });

  test("is told of as published and as rewarded", async () => {
    const of = await aCard(await aCampaign(service, 1));
    clock.advance({ minutes: 1 });
    await redeem(of);
    expect((await eventsOf(of.card.holder_id)).sort()).toEqual([
      "customer.rewarded",
      "publication.succeeded",
      "redemption.succeeded",
    ]);
  });

  test("that has none left takes no points, and is on record as refused", async () => {
    const of = await aCard(await aCampaign(service, 1));
    await redeem(of);
    const { body: invalid } = await api.post("/v1/validations", asked(of), 200);
    const message = "Couldn't find any voucher suitable for publication";
    const key = "no_voucher_suitable_for_publication";
    expect(invalid.inapplicable_redeemables[0].result.error).toMatchObject({ key, message });
    const { body } = await api.post("/v1/redemptions", asked(of), 400);
    expect(body).toMatchObject({ key, message, resource_id: expect.stringMatching(/^rf_/) });
    expect(await pointsOn(of)).toBe(90);
    expect((await api.get(`/v1/rewards/${of.reward.id}`, 200)).body.redeemed).toBe(1);
  });

  test("is made where none is left and the campaign grows", async () => {
    const campaign = await aCampaign(service, 1, { type: "AUTO_UPDATE" });
    const of = await aCard(campaign);
    const codes = [(await redeem(of)).reward.voucher.code, (await redeem(of)).reward.voucher.code];
    expect(codes[0]).toBe(campaign.codes[0]);
    expect(await voucherOf(codes[1])).toMatchObject({ campaign: campaign.name, holder_id: of.card.holder_id });
  });

  test("is given once to each where the campaign says so, also in one request", async () => {
    const campaign = await aCampaign(service, 5, { join_once: true });
    const [one, other] = [await aCard(campaign), await aCard(campaign)];
    const { source_id } = one;
    const { body: card } = await api.post(
      `/v1/loyalties/${other.program.id}/members`,
      { customer: { source_id } },
      200,
    );
    const redeemables = [...asked(one).redeemables, ...asked({ ...other, card }).redeemables];
    const both = { redeemables, customer: { source_id } };
    expect((await api.post("/v1/redemptions", both, 400)).body.key).toBe("voucher_cannot_be_published");
    await redeem(one);
    expect((await api.post("/v1/redemptions", asked(one), 400)).body.key).toBe("voucher_cannot_be_published");
    await redeem(other);
  });

  test("is not found once its campaign lies in the bin", async () => {
    const campaign = await aCampaign(service, 1);
    const of = await aCard(campaign);
    await api.delete(`/v1/campaigns/${campaign.id}`, 202);
    expect((await api.post("/v1/redemptions", asked(of), 404)).body).toMatchObject({ resource_type: "reward" });
  });

  test("is switched off by a rollback, unless it was used", async () => {
    const campaign = await aCampaign(service, 2);
    const of = await aCard(campaign);
    const [unused, used] = [await redeem(of), await redeem(of)];
    const { code } = used.reward.voucher;
    await api.post("/v1/redemptions", { redeemables: [{ object: "voucher", id: code }], order: { amount: 500 } }, 200);
    for (const redemption of [unused, used]) {
      const { body } = await rollBack(redemption);
      expect(body).toMatchObject({ amount: -10, reward: { id: of.reward.id } });
    }
    expect((await voucherOf(unused.reward.voucher.code)).active).toBe(false);
    expect((await voucherOf(code)).active).toBe(true);
    expect(await pointsOn(of)).toBe(100);
    expect((await api.get(`/v1/rewards/${of.reward.id}`, 200)).body.redeemed).toBe(0);
  });
});

describe.each([
  ["gift card", gift_cards, 500, "CREDITS", (voucher: OfVoucher) => voucher.gift.balance],
  ["card of another program", other_program, 7, "POINTS", (voucher: OfVoucher) => voucher.loyalty_card.balance],
] as const)("a reward that fills a %s", (_what, fields, opening, unit, balanceOf) => {
  test("publishes the first, and adds to the one that the member has", async () => {
    const of = await aCard(await aCampaign(service, 2, fields), 250);
    const first = await redeem(of);
    expect(balanceOf(first.reward.voucher)).toBe(opening + 250);
    const second = await redeem(of);
    expect(second.reward.voucher).toMatchObject({ id: first.reward.voucher.id, holder_id: of.card.holder_id });
    expect(balanceOf(second.reward.voucher)).toBe(opening + 500);
    expect(await entriesOf(first.reward.voucher.id)).toMatchObject([
      { type: `${unit}_ADDITION`, amount: 250, balance: opening + 250, total: opening + 250, source: "Automation" },
      { type: `${unit}_ADDITION`, amount: 250, balance: opening + 500, details: { reward: { id: of.reward.id } } },
    ]);
    const { body } = await api.get(`/v1/vouchers/${first.reward.voucher.code}/transactions`, 200);
    expect(body.data[0].details).toMatchObject({
      balance: { operation_type: "AUTOMATIC", balance: opening + 500 },
      redemption: { id: second.id },
    });
  });

  test("needs none left where the member has one", async () => {
    const of = await aCard(await aCampaign(service, 1, fields), 5);
    await redeem(of);
    await redeem(of);
    const stranger = { ...of, ...(await aMember(service, of.program)) };
    const { body } = await api.post("/v1/redemptions", asked(stranger), 400);
    expect(body.key).toBe("no_voucher_suitable_for_publication");
  });

  test("is taken back by a rollback as far as it is still there", async () => {
    const of = await aCard(await aCampaign(service, 1, fields), 250);
    const [first, second] = [await redeem(of), await redeem(of)];
    const { id, code } = first.reward.voucher;
    await rollBack(second);
    expect(balanceOf(await voucherOf(code))).toBe(opening + 250);
    await api.post(`/v1/vouchers/${code}/balance`, { amount: -240 }, 200);
    await rollBack(first);
    expect(balanceOf(await voucherOf(code))).toBe(0);
    expect((await entriesOf(id)).slice(-1)).toMatchObject([
      { type: `${unit}_REMOVAL`, amount: -(opening + 10), balance: 0, source: "Automation" },
    ]);
    expect(await pointsOn(of)).toBe(100);
    await expectBalanced(id);
  });
});

test("a gift card that is filled is worth what the requests beside it left and gave, in one batch too", async () => {
  const of = await aCard(await aCampaign(service, 1, gift_cards), 100);
  const { voucher } = (await redeem(of)).reward;
  const pay = { redeemables: [{ object: "voucher", id: voucher.code, gift: { credits: 50 } }], order: { amount: 50 } };
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) => api.post("/v1/redemptions", i % 2 ? asked(of) : pay)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
  expect((await voucherOf(voucher.code)).gift.balance).toBe(600 + 6 * 100 - 6 * 50);
  await expectBalanced(voucher.id);
});

test("a stack pays with the card that it fills", async () => {
  const of = await aCard(await aCampaign(service, 1, gift_cards), 100);
  const { voucher } = (await redeem(of)).reward;
  const redeemables = [...asked(of).redeemables, { object: "voucher", id: voucher.code, gift: { credits: 600 } }];
  const stack = { redeemables, customer: asked(of).customer, order: { amount: 600 } };
  const { body } = await api.post("/v1/redemptions", stack, 200);
  expect((await voucherOf(voucher.code)).gift.balance).toBe(100);
  await api.post(`/v1/redemptions/${body.parent_redemption.id}/rollbacks`, {}, 200);
  expect((await voucherOf(voucher.code)).gift.balance).toBe(600);
  await expectBalanced(voucher.id);
});

describe("at once", () => {
  test("the last codes are given once each, and nobody else pays", async () => {
    const campaign = await aCampaign(service, 3);
    const { program, reward } = await aCard(campaign);
    const members = await Promise.all(Array.from({ length: 10 }, () => aMember(service, program)));
    const answers = await Promise.all(
      members.map((member) => api.post("/v1/redemptions", asked({ ...member, reward }))),
    );
    const done = answers.filter(({ status }) => status === 200);
    const codes = done.map(({ body }) => body.redemptions[0].reward.voucher.code);
    expect(codes.sort()).toEqual([...campaign.codes].sort());
    for (const { status, body } of answers)
      if (status !== 200) expect(body.key).toBe("no_voucher_suitable_for_publication");
    const balances = await Promise.all(
      members.map(async ({ card }) => (await voucherOf(card.code)).loyalty_card.balance),
    );
    expect(balances.filter((balance) => balance === 90)).toHaveLength(3);
    expect(balances.filter((balance) => balance === 100)).toHaveLength(7);
  });

  test("a member whose first card is published is given one, and all of the balance", async () => {
    const of = await aCard(await aCampaign(service, 4, gift_cards), 10);
    await Promise.all(Array.from({ length: 6 }, () => redeem(of)));
    const { body } = await api.get(`/v1/vouchers?customer=${of.card.holder_id}`, 200);
    const cards = body.vouchers.filter(({ type }: { type: string }) => type === "GIFT_VOUCHER");
    expect(cards.map((card: OfVoucher) => card.gift.balance)).toEqual([560]);
  });

  test("a stock holds as it does for other rewards", async () => {
    const of = await aCard(await aCampaign(service, 5), undefined, { stock: 2 });
    const answers = await Promise.all(Array.from({ length: 6 }, () => api.post("/v1/redemptions", asked(of))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    for (const { status, body } of answers) if (status !== 200) expect(body.key).toBe("reward_out_of_stock");
  });
});

test("the member's own call and the older one give it too", async () => {
  const campaign = await aCampaign(service, 2);
  const { card, reward, source_id } = await aCard(campaign);
  const { body } = await api.post(`/v1/loyalties/members/${card.code}/redemption`, { reward }, 200);
  expect(body.reward.voucher.code).toBe(campaign.codes[0]);
  const older = { customer: { source_id }, reward };
  const { body: second } = await api.post(`/v1/vouchers/${card.code}/redemption`, older, 200);
  expect(second.reward.voucher.code).toBe(campaign.codes[1]);
});

test("sent again with its key it gives nothing twice", async () => {
  const of = await aCard(await aCampaign(service, 3));
  const headers = { "content-type": "application/json", "idempotency-key": aName("key") };
  const send = () => api.send("POST", "/v1/redemptions", { raw: JSON.stringify(asked(of)), headers, status: 200 });
  const [first, again] = [await send(), await send()];
  expect(again.body).toEqual(first.body);
  expect(await pointsOn(of)).toBe(90);
});

interface OfVoucher {
  gift: { balance: number };
  loyalty_card: { balance: number };
}

async function expectBalanced(voucher_id: string) {
  const { opening, balance, entries } = await context.db.one<Record<"opening" | "balance" | "entries", number>>(sql`
    select card_balances.opening, card_balances.balance,
           (select sum(ledger_entries.amount) from ledger_entries
             where ledger_entries.project_id = ${project.id} and ledger_entries.voucher_id = ${voucher_id})::bigint as entries
      from card_balances where card_balances.project_id = ${project.id} and card_balances.voucher_id = ${voucher_id}`);
  expect(balance).toBe(opening + entries);
  const last = (await entriesOf(voucher_id)).at(-1);
  expect(last?.balance).toBe(balance);
}
