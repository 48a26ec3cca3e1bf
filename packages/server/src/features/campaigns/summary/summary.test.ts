import { describe, expect, test, vi } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";

const service = await startService({ project: { timezone: "Europe/Warsaw" } });
const { api, clock, context, project, runDue } = service;
const discount = { type: "AMOUNT", amount_off: 100 };

const summaryOf = async (name: string, query = "") => {
  await runDue();
  const { campaign, ...counted } = (await api.get(`/v1/campaigns/${name}/summary${query}`, 200)).body;
  return { ...counted, name: campaign.name };
};
const aCampaign = (name: string, voucher: object, more: object = {}) =>
  api.post("/v1/campaigns", { name, voucher, ...more }, 200);
const redeem = async (code: string, amount: number, more: object = {}) =>
  (await api.post(`/v1/vouchers/${code}/redemption`, { order: { amount }, ...more }, 200)).body;

const nothing = {
  ...{ object: "campaign_summary", redemptions: 0, redemptions_succeeded: 0, redemptions_failed: 0 },
  ...{ rollbacks: 0, rollbacks_succeeded: 0, rollbacks_failed: 0 },
  ...{ validations: 0, validations_succeeded: 0, validations_failed: 0 },
  ...{ orders_amount: 0, orders_rolledback_amount: 0 },
};
const no_codes = {
  ...{ vouchers_created: 0, vouchers_deleted: 0 },
  ...{ publications: 0, publications_succeeded: 0, publications_failed: 0 },
};

describe("the summary of a campaign", () => {
  test("says as much as a number can of orders that are worth more together", async () => {
    await aCampaign("Large", { discount });
    for (const code of ["L1", "L2"]) {
      await api.post(`/v1/campaigns/Large/vouchers/${code}`, {}, 200);
      await redeem(code, Number.MAX_SAFE_INTEGER);
    }
    const orders_amount = Number.MAX_SAFE_INTEGER;
    expect(await summaryOf("Large")).toMatchObject({ redemptions_succeeded: 2, orders_amount });
  });

  test("of coupons counts what was redeemed, refused and rolled back, each for itself", async () => {
    await aCampaign("Coupons", { discount, redemption: { quantity: 1 } });
    for (const code of ["A", "B"]) await api.post(`/v1/campaigns/Coupons/vouchers/${code}`, {}, 200);
    const first = await redeem("A", 1_000);
    await api.post("/v1/vouchers/A/redemption", { order: { amount: 1_000 } }, 400);
    await redeem("B", 2_000);
    await api.post(`/v1/redemptions/${first.id}/rollback`, {}, 200);
    await api.post(`/v1/redemptions/${first.id}/rollback`, {}, 400);
    const customer = { source_id: "ann" };
    await api.post("/v1/publications", { campaign: { name: "Coupons" }, customer }, 200);
    await api.delete("/v1/vouchers/B", 204);
    const summary = await summaryOf("Coupons");
    expect(summary).toEqual({
      ...{ ...nothing, ...no_codes, name: "Coupons" },
      ...{ redemptions: 3, redemptions_succeeded: 2, redemptions_failed: 1 },
      ...{
        rollbacks: summary.rollbacks_failed + 1,
        rollbacks_succeeded: 1,
        rollbacks_failed: summary.rollbacks_failed,
      },
      ...{ orders_amount: 3_000, orders_rolledback_amount: 1_000 },
      ...{ discounted_amount: 200, rolledback_discounted_amount: 100 },
      ...{ vouchers_created: 2, vouchers_deleted: 1, publications: 1, publications_succeeded: 1 },
    });
    const binned = (await api.get("/v1/trash-bin?limit=1", 200)).body.data[0];
    await api.delete(`/v1/trash-bin/${binned.id}`, 204);
    expect(await summaryOf("Coupons")).toMatchObject({ vouchers_deleted: 1, redemptions: 3 });
  });

  test("counts codes however they were made", async () => {
    await aCampaign("Codes", { discount }, { vouchers_count: 30 });
    await runDue();
    await api.post("/v1/campaigns/Codes/vouchers?vouchers_count=12", {}, 202);
    await api.post("/v1/campaigns/Codes/vouchers/BY-NAME", {}, 200);
    await api.post("/v1/vouchers/JOINED", { campaign: "Codes" }, 200);
    await aCampaign("Code", { discount }, { vouchers_count: 1 });
    expect(await summaryOf("Codes")).toMatchObject({ vouchers_created: 44 });
    expect(await summaryOf("Code")).toMatchObject({ vouchers_created: 1 });
  });

  test("of gift cards tells what was on them, added, taken, left on deleted ones and given back", async () => {
    await aCampaign("Gifts", { type: "GIFT_VOUCHER", gift: { amount: 300, effect: "APPLY_TO_ORDER" } });
    for (const code of ["G1", "G2"]) await api.post(`/v1/campaigns/Gifts/vouchers/${code}`, {}, 200);
    await api.post("/v1/vouchers/G1/balance", { amount: 50 }, 200);
    await api.post("/v1/vouchers/G1/balance", { amount: -20 }, 200);
    await api.delete("/v1/vouchers/G2", 204);
    const { id } = await redeem("G1", 900, { gift: { credits: 90 } });
    await api.post(`/v1/redemptions/${id}/rollback`, {}, 200);
    expect(await summaryOf("Gifts")).toEqual({
      ...{ ...nothing, ...no_codes, name: "Gifts" },
      ...{ redemptions: 1, redemptions_succeeded: 1, rollbacks: 1, rollbacks_succeeded: 1 },
      ...{ orders_amount: 900, orders_rolledback_amount: 900, vouchers_created: 2, vouchers_deleted: 1 },
      ...{ created_vouchers_amount: 600, amount_added: 50, amount_subtracted: 20, amount_deleted: 300 },
      ...{ amount_redeemed: 90, amount_rolledback: 90 },
    });
  });

  test("of a loyalty program tells of points by the way they went", async () => {
    const { body: program } = await api.post(
      "/v1/loyalties",
      { name: "Points", voucher: { type: "LOYALTY_CARD", loyalty_card: { points: 100 } } },
      200,
    );
    const pays = (more: object) => ({ event: "order.paid", loyalty: { type: "FIXED", points: 7 }, ...more });
    await api.post(`/v1/loyalties/${program.id}/earning-rules`, [pays({})], 200);
    const member = async (source_id: string) =>
      (await api.post(`/v1/loyalties/${program.id}/members`, { customer: { source_id } }, 200)).body;
    const [ann, bob] = [await member("ann-p"), await member("bob-p")];
    await api.post("/v1/orders", { customer: { source_id: "ann-p" }, amount: 100, status: "PAID" }, 200);
    await runDue();
    await api.post(`/v1/loyalties/members/${ann.id}/balance`, { points: 30 }, 200);
    await api.post(`/v1/loyalties/members/${ann.id}/balance`, { points: -5 }, 200);
    const moved = [{ code: bob.code, points: 11, source_id: "t" }];
    await api.post(`/v1/loyalties/${program.id}/members/${ann.id}/transfers`, moved, 200);
    expect(await summaryOf("Points")).toEqual({
      ...{ ...nothing, ...no_codes, name: "Points", vouchers_created: 2, publications: 2, publications_succeeded: 2 },
      ...{
        created_vouchers_points: 200,
        points_deleted: 0,
        points_subtracted: 5,
        points_added: 30,
        points_rewarded: 7,
      },
      ...{ points_redeemed: 0, points_rolledback: 0, points_expired: 0 },
      ...{ points_transferred_out: 11, points_transferred_in: 11 },
      ...{ pending_points_added: 0, pending_points_subtracted: 0 },
      ...{ pending_points_activated: 0, pending_points_canceled: 0 },
    });
  });

  test("tells of points that wait, are changed, activated and cancelled", async () => {
    const { body: program } = await api.post(
      "/v1/loyalties",
      { name: "Waiting", voucher: { type: "LOYALTY_CARD", loyalty_card: { points: 0 } } },
      200,
    );
    const pending_points = { period_type: "DAY", period_value: 90 };
    const rule = { event: "order.paid", loyalty: { type: "FIXED", points: 10 }, pending_points };
    await api.post(`/v1/loyalties/${program.id}/earning-rules`, [rule], 200);
    const customer = { source_id: "waits" };
    const card = (await api.post(`/v1/loyalties/${program.id}/members`, { customer }, 200)).body;
    for (let i = 0; i < 2; i += 1) await api.post("/v1/orders", { customer, amount: 100, status: "PAID" }, 200);
    await runDue();
    const at = `/v1/loyalties/members/${card.id}/pending-points`;
    const [one, two] = (await api.get(at, 200)).body.data;
    await api.post(`${at}/${one.id}/balance`, { points: -4 }, 200);
    await api.post(`${at}/${one.id}/activate`, {}, 200);
    await api.post(`${at}/${two.id}/cancel`, {}, 204);
    expect(await summaryOf("Waiting")).toMatchObject({
      ...{ pending_points_added: 20, pending_points_subtracted: 4 },
      ...{ pending_points_activated: 6, pending_points_canceled: 10, points_rewarded: 6 },
    });
  });

  test("of a promotion has no codes, and counts each tier", async () => {
    const tiers = [{ name: "t", action: { discount } }];
    const { body } = await api.post("/v1/campaigns", { name: "Tiers", promotion: { tiers } }, 200);
    const [tier] = body.promotion.tiers;
    const redeemables = [{ object: "promotion_tier", id: tier.id }];
    await api.post("/v1/redemptions", { redeemables, order: { amount: 500 } }, 200);
    expect(await summaryOf("Tiers")).toEqual({
      ...{ ...nothing, name: "Tiers", redemptions: 1, redemptions_succeeded: 1, orders_amount: 500 },
      ...{ discounted_amount: 100, rolledback_discounted_amount: 0 },
    });
  });

  test("counts the parts of a stack, and not the stack again", async () => {
    await aCampaign("Stacked", { discount });
    for (const code of ["S1", "S2"]) await api.post(`/v1/campaigns/Stacked/vouchers/${code}`, {}, 200);
    const redeemables = ["S1", "S2"].map((id) => ({ object: "voucher", id }));
    const { body } = await api.post("/v1/redemptions", { redeemables, order: { amount: 500 } }, 200);
    await api.post(`/v1/redemptions/${body.parent_redemption.id}/rollbacks`, {}, 200);
    expect(await summaryOf("Stacked")).toMatchObject({
      ...{ redemptions: 2, discounted_amount: 200, rollbacks: 2, rolledback_discounted_amount: 200 },
    });
  });

  test("counts validations by what became of the campaign's own codes", async () => {
    await aCampaign("Asked", { discount });
    for (const code of ["Q1", "Q2"]) await api.post(`/v1/campaigns/Asked/vouchers/${code}`, {}, 200);
    await api.post("/v1/vouchers/Q2/disable", {}, 200);
    for (const id of ["Q1", "Q2"])
      await api.post("/v1/validations", { redeemables: [{ object: "voucher", id }], order: { amount: 500 } }, 200);
    await vi.waitFor(
      async () =>
        expect(await summaryOf("Asked")).toMatchObject({
          ...{ validations: 2, validations_succeeded: 1, validations_failed: 1 },
        }),
      { timeout: 10_000, interval: 100 },
    );
  });

  test("is of the days that are asked for, where the project is, the last one included", async () => {
    clock.set("2026-03-10T22:30:00.000Z");
    await aCampaign("Days", { discount });
    await api.post("/v1/campaigns/Days/vouchers/D", {}, 200);
    await redeem("D", 100);
    // Past midnight in Warsaw.
    clock.set("2026-03-10T23:30:00.000Z");
    const { id } = await redeem("D", 1_000);
    clock.set("2026-03-12T12:00:00.000Z");
    await api.post(`/v1/redemptions/${id}/rollback`, {}, 200);
    const amounts = async (query: string) => {
      const { orders_amount, orders_rolledback_amount } = await summaryOf("Days", query);
      return [orders_amount, orders_rolledback_amount];
    };
    expect(await amounts("")).toEqual([1_100, 1_000]);
    expect(await amounts("?end_date=2026-03-10")).toEqual([100, 0]);
    expect(await amounts("?start_date=2026-03-11")).toEqual([1_000, 1_000]);
    expect(await amounts("?start_date=2026-03-11&end_date=2026-03-11")).toEqual([1_000, 0]);
    expect(await amounts("?start_date=2026-03-12&end_date=2026-03-12")).toEqual([0, 1_000]);
    for (const wrong of ["soon", "2026-02-30", "0000-01-01"]) {
      const { body } = await api.get(`/v1/campaigns/Days/summary?start_date=${wrong}`, 400);
      expect(body.details).toContain(".start_date");
    }
  });

  test("looks nothing up: it is the same when the books are gone", async () => {
    await aCampaign("Kept", { discount });
    await api.post("/v1/campaigns/Kept/vouchers/K", {}, 200);
    await redeem("K", 100);
    const before = await summaryOf("Kept");
    await context.db.run(sql`delete from redemptions where redemptions.project_id = ${project.id}`);
    expect(await summaryOf("Kept")).toEqual(before);
    expect(before.redemptions).toBe(1);
  });

  test("shows the campaign, and is found by its name; of another project's there is none", async () => {
    await api.post("/v1/campaigns", { name: "Shown", category: "C", voucher: { discount } }, 200);
    const { body } = await api.get("/v1/campaigns/Shown/summary", 200);
    expect(body.campaign).toMatchObject({ name: "Shown", category: "C", categories: [], object: "campaign" });
    const other = await service.anotherProject();
    const refused = (await other.api.get(`/v1/campaigns/${body.campaign.id}/summary`, 404)).body;
    expect(refused).toMatchObject({ key: "not_found", resource_type: "campaign" });
  });
});
