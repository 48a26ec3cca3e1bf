import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";

const { api, clock, project, context, anotherProject } = await startService();

const off = (amount_off: number) => ({ discount: { type: "AMOUNT", amount_off } });
const tier = (name: string, more: Record<string, unknown> = {}) => ({ name, action: off(100), ...more });

async function aCampaign(name: string, tiers: unknown[] = []) {
  const sent = { name, campaign_type: "PROMOTION", promotion: { tiers } };
  return (await api.post("/v1/campaigns", sent, 200)).body;
}
const addTier = async (campaign: string, sent: Record<string, unknown>) =>
  (await api.post(`/v1/promotions/${campaign}/tiers`, sent, 200)).body;
const placesIn = async (campaign: string) => {
  const { tiers } = (await api.get(`/v1/promotions/${campaign}/tiers`, 200)).body;
  return tiers.map(({ name, hierarchy }: { name: string; hierarchy: number }) => `${hierarchy} ${name}`);
};
const validate = async (id: string, amount = 5000) => {
  const sent = { redeemables: [{ object: "promotion_tier", id }], order: { amount } };
  return (await api.post("/v1/validations", sent, 200)).body;
};
const told = async (campaign_id: string) => {
  const events = await context.db.many<{ type: string }>(sql`
    select events.type from events
     where events.project_id = ${project.id} and events.entity_id = ${campaign_id} order by events.id`);
  return events.map(({ type }) => type.replace("campaign.", ""));
};

describe("a tier that is added to a campaign", () => {
  test("stands after the last one, is active, and is decided on by the next request", async () => {
    const campaign = await aCampaign("Added", [tier("first")]);
    const added = await addTier("Added", tier("second", { banner: "Buy!", metadata: { a: 1 } }));
    expect(added).toEqual({
      id: expect.stringMatching(/^promo_/),
      name: "second",
      banner: "Buy!",
      action: off(100),
      metadata: { a: 1 },
      hierarchy: 2,
      promotion_id: campaign.id,
      campaign_id: campaign.id,
      campaign: { id: campaign.id, active: true, object: "campaign" },
      active: true,
      summary: { redemptions: { total_redeemed: 0 }, orders: { total_amount: 0, total_discount_amount: 0 } },
      validation_rule_assignments: { object: "list", data_ref: "data", data: [], total: 0 },
      categories: [],
      created_at: "2026-03-02T10:00:00.000Z",
      object: "promotion_tier",
    });
    expect((await api.get(`/v1/promotions/tiers/${added.id}`, 200)).body).toEqual(added);
    expect((await validate(added.id)).order.total_discount_amount).toBe(100);
    expect(await told(campaign.id)).toEqual(["created", "promotion_tier.created", "promotion_tier.created"]);
  });

  test("at a place that is taken moves those behind", async () => {
    await aCampaign("Taken", [tier("a"), tier("b")]);
    await addTier("Taken", tier("between", { hierarchy: 2 }));
    expect(await placesIn("Taken")).toEqual(["1 a", "2 between", "3 b"]);
  });

  test("takes a rule by its id or as an answer shows it, and a category by its name", async () => {
    const rules = { 1: { name: "order.amount", conditions: { $more_than: [1000] } }, logic: "1" };
    const rule = (await api.post("/v1/validation-rules", { name: "Large", rules }, 200)).body;
    await aCampaign("Ruled");
    const by_id = await addTier("Ruled", tier("x", { validation_rules: [rule.id], category: "Shoes" }));
    expect(by_id.validation_rule_assignments.data).toMatchObject([{ rule_id: rule.id, related_object_id: by_id.id }]);
    expect(by_id.categories).toMatchObject([{ name: "Shoes", id: by_id.category_id }]);
    expect((await validate(by_id.id, 500)).valid).toBe(false);
    const { validation_rule_assignments } = by_id;
    const as_shown = await addTier("Ruled", tier("y", { validation_rule_assignments }));
    expect(as_shown.validation_rule_assignments.data).toMatchObject([{ rule_id: rule.id }]);
    await api.post("/v1/promotions/Ruled/tiers", tier("z", { validation_rules: ["val_none"] }), 404);
    expect(await placesIn("Ruled")).toHaveLength(2);
  });

  test.each([
    ["an unknown campaign", "Nowhere", tier("t"), 404, "not_found"],
    ["a campaign with codes", "Codes", tier("t"), 400, "invalid_campaign"],
    ["no name", "Refused", { action: off(1) }, 400, "invalid_payload"],
    ["no discount", "Refused", { name: "t" }, 400, "invalid_payload"],
    ["a place of zero", "Refused", tier("t", { hierarchy: 0 }), 400, "invalid_payload"],
  ])("is refused for %s", async (_, campaign, sent, status, key) => {
    await api.post("/v1/campaigns", { name: "Codes", voucher: off(1) });
    await api.post("/v1/campaigns", { name: "Refused", campaign_type: "PROMOTION" });
    expect((await api.post(`/v1/promotions/${campaign}/tiers`, sent, status)).body.key).toBe(key);
  });

  test("stands once at each place, however many are added at a time", async () => {
    await aCampaign("Together");
    await Promise.all(Array.from({ length: 12 }, (_none, i) => addTier("Together", tier(`t${i}`))));
    const places = (await placesIn("Together")).map((place: string) => Number.parseInt(place, 10));
    expect(places).toEqual(Array.from({ length: 12 }, (_none, i) => i + 1));
  });
});

describe("an edit of a tier", () => {
  test("changes what it names and is seen by the next decision", async () => {
    const campaign = await aCampaign("Edited", [tier("t", { banner: "old", metadata: { a: 1 } })]);
    const [{ id }] = campaign.promotion.tiers;
    const sent = { name: "u", action: off(700), metadata: { b: 2 } };
    const { body } = await api.put(`/v1/promotions/tiers/${id}`, sent, 200);
    expect(body).toMatchObject({ name: "u", banner: "old", metadata: { a: 1, b: 2 }, action: off(700) });
    expect(body.updated_at).toBeDefined();
    expect((await validate(id)).order.total_discount_amount).toBe(700);
    expect((await told(campaign.id)).at(-1)).toBe("promotion_tier.updated");
  });

  test("keeps the rules that it is sent with, and drops the others", async () => {
    const rules = { 1: { name: "order.amount", conditions: { $more_than: [1000] } }, logic: "1" };
    const rule = (await api.post("/v1/validation-rules", { name: "Large", rules }, 200)).body;
    await aCampaign("Rules edited");
    const stored = await addTier("Rules edited", tier("t", { validation_rules: [rule.id] }));
    const same = (await api.put(`/v1/promotions/tiers/${stored.id}`, stored, 200)).body;
    expect(same.validation_rule_assignments).toEqual(stored.validation_rule_assignments);
    const none = { validation_rule_assignments: { data: [] } };
    const { body } = await api.put(`/v1/promotions/tiers/${stored.id}`, none, 200);
    expect(body.validation_rule_assignments.total).toBe(0);
    expect((await validate(stored.id, 500)).valid).toBe(true);
  });

  test.each([
    [1, ["1 c", "2 a", "3 b", "4 d"]],
    [4, ["1 a", "2 b", "3 d", "4 c"]],
    [900, ["1 a", "2 b", "3 d", "4 c"]],
    [3, ["1 a", "2 b", "3 c", "4 d"]],
  ])("that puts the third of four at place %i moves the others", async (hierarchy, places) => {
    const name = `Moved to ${hierarchy}`;
    const campaign = await aCampaign(
      name,
      ["a", "b", "c", "d"].map((one) => tier(one)),
    );
    await api.put(`/v1/promotions/tiers/${campaign.promotion.tiers[2].id}`, { hierarchy }, 200);
    expect(await placesIn(name)).toEqual(places);
  });
});

test("a tier that is disabled is not to be had until it is enabled again; to say so twice changes nothing", async () => {
  const campaign = await aCampaign("Switched", [tier("t")]);
  const [{ id }] = campaign.promotion.tiers;
  const path = `/v1/promotions/tiers/${id}`;
  expect((await api.post(`${path}/disable`, undefined, 200)).body.active).toBe(false);
  const [refused] = (await validate(id)).redeemables;
  expect(refused.result.error.key).toBe("promotion_inactive");
  await api.post(`${path}/disable`, undefined, 200);
  expect((await api.post(`${path}/enable`, undefined, 200)).body.active).toBe(true);
  expect((await validate(id)).valid).toBe(true);
  expect((await told(campaign.id)).slice(-2)).toEqual(["promotion_tier.disabled", "promotion_tier.enabled"]);
});

test("a tier that is deleted is gone, with its rules, and what it was redeemed for stays", async () => {
  const campaign = await aCampaign("Deleted", [tier("t")]);
  const [{ id }] = campaign.promotion.tiers;
  const redeemables = [{ object: "promotion_tier", id }];
  const { redemptions } = (await api.post("/v1/redemptions", { redeemables, order: { amount: 900 } }, 200)).body;
  const summary = { redemptions: { total_redeemed: 1 }, orders: { total_amount: 900, total_discount_amount: 100 } };
  expect((await api.get(`/v1/promotions/tiers/${id}`, 200)).body.summary).toEqual(summary);
  await api.delete(`/v1/promotions/tiers/${id}`, 204);
  expect((await api.get(`/v1/promotions/tiers/${id}`, 404)).body).toMatchObject({
    key: "not_found",
    details: `Cannot find promotion_tier with id ${id}`,
    resource_type: "promotion_tier",
  });
  await api.delete(`/v1/promotions/tiers/${id}`, 404);
  expect((await api.get(`/v1/redemptions/${redemptions[0].id}`, 200)).body.promotion_tier.id).toBe(id);
  expect((await told(campaign.id)).at(-1)).toBe("promotion_tier.deleted");
});

describe("GET /v1/promotions/tiers", () => {
  test("is newest first, in pages, and tells what can be had now from what cannot", async () => {
    const { api, campaign } = await withTiers();
    const names = async (query: string) => {
      const { body } = await api.get(`/v1/promotions/tiers?${query}`, 200);
      return [...body.tiers.map(({ name }: { name: string }) => name), body.total, body.has_more];
    };
    expect(await names("limit=2")).toEqual(["disabled", "over", 3, true]);
    expect(await names("limit=2&page=2")).toEqual(["plain", 3, false]);
    expect(await names("order=created_at&limit=1")).toEqual(["plain", 3, true]);
    expect(await names("is_available=true")).toEqual(["plain", 1, false]);
    expect(await names("is_available=false")).toEqual(["disabled", "over", 2, false]);
    await api.post(`/v1/campaigns/${campaign.id}/disable`, undefined, 200);
    expect(await names("is_available=true")).toEqual([0, false]);
    await api.delete(`/v1/campaigns/${campaign.id}`, 202);
    expect(await names("")).toEqual([0, false]);
  });

  test("shows another project nothing", async () => {
    const { campaign } = await withTiers();
    const { id } = campaign.promotion.tiers[0];
    const other = (await anotherProject()).api;
    expect((await other.get("/v1/promotions/tiers", 200)).body.total).toBe(0);
    await other.get(`/v1/promotions/tiers/${id}`, 404);
    await other.get(`/v1/promotions/${campaign.id}/tiers`, 404);
    await other.put(`/v1/promotions/tiers/${id}`, { name: "mine" }, 404);
    await other.delete(`/v1/promotions/tiers/${id}`, 404);
  });

  async function withTiers() {
    const { api } = await anotherProject();
    const { body } = await api.post("/v1/campaigns", { name: "Several", campaign_type: "PROMOTION" }, 200);
    for (const more of [
      {},
      { name: "over", expiration_date: "2026-01-01T00:00:00Z" },
      { name: "disabled", active: false },
    ]) {
      clock.advance({ ms: 1000 });
      await api.post("/v1/promotions/Several/tiers", tier("plain", more), 200);
    }
    return { api, campaign: (await api.get(`/v1/campaigns/${body.id}`, 200)).body };
  }
});
