import { describe, expect, test } from "vitest";
import { createRunner } from "../src/features/async-actions/index.js";
import { jobs as campaignJobs } from "../src/features/campaigns/index.js";
import { type Sql, sql } from "../src/platform/db/sql.js";
import { startService } from "./harness/service.js";

const { api, clock, context, project } = await startService();
const runner = createRunner(context, campaignJobs, { project_ids: [project.id] });

const count = async (from: Sql) =>
  (await context.db.one<{ rows: number }>(sql`select count(*) as rows from ${from}`)).rows;
const assignmentsTo = (id: string) =>
  count(sql`
    validation_rules_assignments
     where validation_rules_assignments.project_id = ${project.id}
       and validation_rules_assignments.related_object_id = ${id}`);
const holdersOf = (voucher_id: string) =>
  count(sql`
    voucher_holders
     where voucher_holders.project_id = ${project.id} and voucher_holders.voucher_id = ${voucher_id}`);

async function aRule(): Promise<string> {
  const rules = { "1": { name: "order.amount", conditions: { $more_than: [1] } }, logic: "1" };
  return (await api.post("/v1/validation-rules", { name: "any", rules }, 200)).body.id;
}

async function deleteCampaign(name: string) {
  await api.delete(`/v1/campaigns/${name}?force=true`, 202);
  await runner.runDue(clock.now());
}

describe("what is deleted for good takes along what belongs to it:", () => {
  test("a promotion campaign its tiers, and their rules are assigned to nothing", async () => {
    const rule = await aRule();
    const discount = { type: "AMOUNT", amount_off: 100 };
    const tiers = [{ name: "one", action: { discount }, validation_rules: [rule] }];
    const input = { name: "Tiered", campaign_type: "PROMOTION", promotion: { tiers }, validation_rules: [rule] };
    const campaign = (await api.post("/v1/campaigns", input, 200)).body;
    const [tier] = campaign.promotion.tiers;
    expect(await assignmentsTo(tier.id)).toBe(1);
    expect(await assignmentsTo(campaign.id)).toBe(1);
    await deleteCampaign("Tiered");
    expect(await count(sql`promotion_tiers where promotion_tiers.project_id = ${project.id}`)).toBe(0);
    expect(await assignmentsTo(tier.id)).toBe(0);
    expect(await assignmentsTo(campaign.id)).toBe(0);
    expect((await api.get(`/v1/validation-rules/${rule}`, 200)).body).not.toHaveProperty("assignments_count");
  });

  test("a loyalty program its earning rules and the count of its cards", async () => {
    const voucher = { type: "LOYALTY_CARD", loyalty_card: { points: 5 } };
    const input = { name: "Points", campaign_type: "LOYALTY_PROGRAM", voucher };
    const { id } = (await api.post("/v1/campaigns", input, 200)).body;
    const earning = { event: "order.paid", name: "each", loyalty: { type: "FIXED", points: 1 } };
    await api.post(`/v1/loyalties/${id}/earning-rules`, [earning], 200);
    await api.post("/v1/campaigns/Points/vouchers/POINTS", {}, 200);
    await deleteCampaign("Points");
    expect(await count(sql`earning_rules where earning_rules.project_id = ${project.id}`)).toBe(0);
    expect(
      await count(sql`
        campaign_voucher_counts
         where campaign_voucher_counts.project_id = ${project.id} and campaign_voucher_counts.campaign_id = ${id}`),
    ).toBe(0);
  });

  test("a voucher its rules and its holders, and a customer what they hold", async () => {
    const card = { type: "LOYALTY_CARD", loyalty_card: { points: 5 } };
    await api.post("/v1/campaigns", { name: "Held", campaign_type: "LOYALTY_PROGRAM", voucher: card }, 200);
    const held = async (code: string) => {
      const { id } = (await api.post(`/v1/campaigns/Held/vouchers/${code}`, {}, 200)).body;
      await api.post("/v1/loyalties/Held/members", { voucher: code, customer: { source_id: `of ${code}` } }, 200);
      const rule = await aRule();
      await api.post(`/v1/validation-rules/${rule}/assignments`, { voucher: code }, 200);
      return id;
    };
    const [first, second] = [await held("HELD-1"), await held("HELD-2")];
    expect([await holdersOf(first), await assignmentsTo(first)]).toEqual([1, 1]);
    await api.delete("/v1/vouchers/HELD-1", 204);
    expect([await holdersOf(first), await assignmentsTo(first)]).toEqual([1, 1]);
    await deleteCampaign("Held");
    expect([await holdersOf(first), await assignmentsTo(first)]).toEqual([0, 0]);
    expect([await holdersOf(second), await assignmentsTo(second)]).toEqual([0, 0]);
  });

  test("a customer their places in segments, their holdings, orders and events", async () => {
    const card = { type: "LOYALTY_CARD", loyalty_card: { points: 5 } };
    await api.post("/v1/campaigns", { name: "Left", campaign_type: "LOYALTY_PROGRAM", voucher: card }, 200);
    const voucher = (await api.post("/v1/campaigns/Left/vouchers/LEFT", {}, 200)).body;
    await api.post("/v1/loyalties/Left/members", { voucher: "LEFT", customer: { source_id: "leaver" } }, 200);
    const { id } = (await api.get("/v1/customers/leaver", 200)).body;
    await api.post("/v1/segments", { name: "all", type: "static", customers: [id] }, 200);
    const order = (await api.post("/v1/orders", { amount: 100, customer: { id } }, 200)).body;
    await api.delete(`/v1/customers/${id}`, 204);
    expect(await holdersOf(voucher.id)).toBe(0);
    expect(await count(sql`segment_members where segment_members.project_id = ${project.id}`)).toBe(0);
    await api.get(`/v1/orders/${order.id}`, 404);
    // Only that the customer is gone is told.
    expect(
      await context.db.many(sql`
        select events.type from events where events.project_id = ${project.id} and events.customer_id = ${id}`),
    ).toEqual([{ type: "customer.deleted" }]);
  });

  test("a category itself alone: campaigns and tiers are in none from then on", async () => {
    const category = (await api.post("/v1/categories", { name: "Fleeting", hierarchy: 1 }, 200)).body;
    const discount = { type: "AMOUNT", amount_off: 100 };
    const tiers = [{ name: "one", action: { discount }, category_id: category.id }];
    const input = { name: "Sorted", campaign_type: "PROMOTION", promotion: { tiers }, category_id: category.id };
    const { id } = (await api.post("/v1/campaigns", input, 200)).body;
    await api.delete(`/v1/categories/${category.id}`, 204);
    const left = await context.db.many(sql`
      select campaigns.category_id, promotion_tiers.category_id as tier_category_id
        from campaigns
        join promotion_tiers
          on promotion_tiers.project_id = campaigns.project_id and promotion_tiers.campaign_id = campaigns.id
       where campaigns.project_id = ${project.id} and campaigns.id = ${id}`);
    expect(left).toEqual([{ category_id: null, tier_category_id: null }]);
  });
});
