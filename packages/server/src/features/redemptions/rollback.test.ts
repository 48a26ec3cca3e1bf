import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { createRunner } from "../async-actions/index.js";
import { jobs as campaignJobs } from "../campaigns/index.js";

const { api, clock, context, project } = await startService();
const runner = createRunner(context, campaignJobs, { project_ids: [project.id] });

const redeem = async (code: string) => {
  const redeemables = [{ object: "voucher", id: code }];
  return (await api.post("/v1/redemptions", { redeemables, order: { amount: 4000 } }, 200)).body.redemptions[0];
};

/** What the books say of a card, asked of them alone: no operation shows what is in the bin. */
async function booksOf(voucher_id: string) {
  const card = await context.db.one(sql`
    select card_balances.balance, card_balances.redeemed, card_balances.opening from card_balances
     where card_balances.project_id = ${project.id} and card_balances.voucher_id = ${voucher_id}`);
  const entries = await context.db.many(sql`
    select ledger_entries.type, ledger_entries.amount, ledger_entries.balance from ledger_entries
     where ledger_entries.project_id = ${project.id} and ledger_entries.voucher_id = ${voucher_id}
     order by ledger_entries.id`);
  return { card, entries };
}

async function aCardIn(campaign: string, code: string) {
  await api.post("/v1/campaigns", { name: campaign, voucher: { gift: { amount: 10_000 } } }, 200);
  return (await api.post(`/v1/campaigns/${campaign}/vouchers/${code}`, {}, 200)).body;
}

const aCard = async (code: string) => (await api.post(`/v1/vouchers/${code}`, { gift: { amount: 10_000 } }, 200)).body;

const ways: [string, () => Promise<{ id: string; code: string }>, (code: string) => Promise<unknown>][] = [
  ["lies in the bin", () => aCard("BINNED"), () => api.delete("/v1/vouchers/BINNED", 204)],
  ["was deleted for good", () => aCard("GONE"), () => api.delete("/v1/vouchers/GONE?force=true", 204)],
  [
    "lies in the bin with its campaign",
    () => aCardIn("Spring", "SPRING"),
    async () => {
      await api.delete("/v1/campaigns/Spring", 202);
      await runner.runDue(clock.now());
    },
  ],
  [
    "was deleted for good with its campaign",
    () => aCardIn("Autumn", "AUTUMN"),
    async () => {
      await api.delete("/v1/campaigns/Autumn?force=true", 202);
      await runner.runDue(clock.now());
    },
  ],
];

describe("a rollback", () => {
  test.each(ways)("gives a gift card back what it spent also when the card %s", async (_name, make, remove) => {
    const card = await make();
    const redemption = await redeem(card.code);
    await remove(card.code);
    await api.get(`/v1/vouchers/${card.code}`, 404);

    const { body } = await api.post(`/v1/redemptions/${redemption.id}/rollback`, {}, 200);
    expect(body).toMatchObject({
      amount: -4000,
      status: "SUCCEEDED",
      order: { status: "CANCELED", total_amount: 4000 },
    });
    expect(await booksOf(card.id)).toEqual({
      card: { opening: 10_000, redeemed: 0, balance: 10_000 },
      entries: [
        { type: "CREDITS_REDEMPTION", amount: -4000, balance: 6000 },
        { type: "CREDITS_REFUND", amount: 4000, balance: 10_000 },
      ],
    });
    expect((await api.post(`/v1/redemptions/${redemption.id}/rollback`, {}, 400)).body.key).toBe("already_rolled_back");
    expect(await booksOf(card.id)).toMatchObject({ card: { balance: 10_000 } });
  });

  test("tells of a voucher in the bin as it left it", async () => {
    const { code } = await aCard("TOLD");
    const { id } = await redeem(code);
    await api.delete(`/v1/vouchers/${code}`, 204);
    const { body } = await api.post(`/v1/redemptions/${id}/rollback`, {}, 200);
    const voucher = { code, gift: { balance: 10_000 }, redemption: { redeemed_quantity: 0 } };
    expect(body).toMatchObject({ voucher, gift: { amount: -4000 } });
    expect((await api.get(`/v1/redemptions/${id}`, 200)).body).toMatchObject({
      status: "ROLLED_BACK",
      voucher: { code, gift: { balance: 6000 }, redemption: { redeemed_quantity: 1 } },
    });
  });

  test("of a voucher in the bin gives its campaign's counters back", async () => {
    await aCardIn("Summer", "SUMMER");
    const { id } = await redeem("SUMMER");
    await api.delete("/v1/campaigns/Summer", 202);
    await runner.runDue(clock.now());
    await api.post(`/v1/redemptions/${id}/rollback`, {}, 200);
    const [sums] = await context.db.many(sql`
      select sum(usage_days.redemptions) as redemptions, sum(usage_days.gift_credits) as gift_credits
        from usage_days
        join campaigns on campaigns.project_id = usage_days.project_id and campaigns.id = usage_days.object_id
       where usage_days.project_id = ${project.id} and campaigns.name = 'Summer'`);
    expect(sums).toEqual({ redemptions: 0, gift_credits: 0 });
  });
});
