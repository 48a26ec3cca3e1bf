import { describe, expect, test } from "vitest";
import { uniqueText } from "../../../test/harness/resources.js";
import { startService } from "../../../test/harness/service.js";
import { aRule, type Fields, off, tiersOf } from "../promotions/promotion.fixtures.js";

const { api, clock, anotherProject } = await startService();
const path = "/v1/templates/campaigns";

const aCampaign = async (more: Fields = {}) => {
  const sent = { name: uniqueText("C"), voucher: { type: "DISCOUNT_VOUCHER", ...off(100) }, ...more };
  return (await api.post("/v1/campaigns", sent, 200)).body;
};
const aTemplate = async (campaign_id: string, more: Fields = {}) =>
  (await api.post(path, { campaign_id, name: uniqueText("T"), ...more }, 200)).body;

describe("a template", () => {
  test("is made of a campaign, changed and deleted for good", async () => {
    const { id: campaign_id } = await aCampaign();
    const made = await aTemplate(campaign_id, { name: "Summer", description: "10 off" });
    expect(made).toEqual({
      id: expect.stringMatching(/^camp_tpl_/),
      name: "Summer",
      description: "10 off",
      campaign_type: "DISCOUNT_COUPONS",
      created_at: "2026-03-02T10:00:00.000Z",
      object: "campaign_template",
    });
    expect((await api.get(`${path}/${made.id}`, 200)).body).toEqual(made);
    clock.advance({ minutes: 1 });
    const { description, ...rest } = made;
    const changed = { ...rest, name: "Autumn", updated_at: "2026-03-02T10:01:00.000Z" };
    const sent = { name: "Autumn", description: null };
    expect((await api.put(`${path}/${made.id}`, sent, 200)).body).toEqual(changed);
    expect((await api.put(`${path}/${made.id}`, {}, 200)).body).toEqual(changed);
    await api.delete(`${path}/${made.id}`, 204);
    for (const method of ["GET", "PUT", "DELETE"]) {
      const answer = await api.send(method, `${path}/${made.id}`, method === "PUT" ? { raw: "{}", status: 404 } : {});
      expect(answer.body).toMatchObject({
        key: "not_found",
        details: `Cannot find campaign_template with id ${made.id}`,
        resource_type: "campaign_template",
      });
    }
  });

  test("has a name that no other of the project has", async () => {
    const { id: campaign_id } = await aCampaign();
    await aTemplate(campaign_id, { name: "Taken" });
    const other = await aTemplate(campaign_id, { name: "Free" });
    for (const { status, body } of [
      await api.post(path, { campaign_id, name: "Taken" }),
      await api.put(`${path}/${other.id}`, { name: "Taken" }),
    ]) {
      expect([status, body.key]).toEqual([409, "duplicate_found"]);
      expect(body.details).toBe("Duplicated campaign_template exists with name Taken");
    }
  });

  test("is listed with a total where it is asked for", async () => {
    const { api } = await anotherProject();
    const voucher = { type: "GIFT_VOUCHER", gift: { amount: 100 } };
    const { id: campaign_id } = (await api.post("/v1/campaigns", { name: "C", voucher }, 200)).body;
    for (const name of ["a", "b"]) await api.post(path, { campaign_id, name }, 200);
    const { body } = await api.get(`${path}?limit=1`, 200);
    expect(body).toMatchObject({ object: "list", data_ref: "data", has_more: true, data: [{ name: "b" }] });
    expect(body.more_starting_after).toBe(body.data[0].id);
    expect(body.total).toBeUndefined();
    expect((await api.get(`${path}?include_total=true`, 200)).body.total).toBe(2);
  });

  test("holds settings and rules, and of metadata what it is called", async () => {
    const conditions = { $more_than: [1000] };
    const rule = await aRule(api, "order.amount", conditions);
    const { id: campaign_id } = await aCampaign({
      type: "STATIC",
      join_once: true,
      description: "d",
      category: "Shoes",
      metadata: { season: "summer", year: 2026, tags: ["a"] },
      start_date: "2026-01-01T00:00:00Z",
      validity_day_of_week: [1, 2],
      activity_duration_after_publishing: "P1D",
      validation_rules: [rule],
      voucher: { ...off(100), redemption: { quantity: 3 }, code_config: { pattern: "S-####", initial_count: 5 } },
      vouchers_count: 2,
    });
    const { id } = await aTemplate(campaign_id);
    const { json_template } = (await api.get(`${path}/${id}?expand=json_template`, 200)).body;
    expect(json_template).toMatchObject({
      campaign_type: "DISCOUNT_COUPONS",
      campaign: {
        type: "STATIC",
        join_once: true,
        description: "d",
        metadata: { season: "string", year: "number", tags: "array" },
        start_date: "2026-01-01T00:00:00.000Z",
        validity_day_of_week: [1, 2],
        activity_duration_after_publishing: "P1D",
        voucher: { ...off(100), redemption: { quantity: 3 }, code_config: { pattern: "S-####" } },
      },
      validation_rule: { rules: { 1: { name: "order.amount", conditions } } },
    });
    const { campaign } = json_template;
    for (const not_saved of ["name", "category", "category_id", "vouchers_count"]) {
      expect(campaign).not.toHaveProperty(not_saved);
    }
    expect(campaign.voucher.code_config).not.toHaveProperty("initial_count");
  });

  test("of a promotion tier is one of coupons", async () => {
    const { ids } = await tiersOf(api, [{ expiration_date: "2027-01-01T00:00:00Z" }]);
    const made = (await api.post(path, { promotion_tier_id: ids[0], name: uniqueText("T") }, 200)).body;
    expect(made.campaign_type).toBe("DISCOUNT_COUPONS");
    const { json_template } = (await api.get(`${path}/${made.id}?expand=json_template`, 200)).body;
    expect(json_template.campaign).toMatchObject({ expiration_date: "2027-01-01T00:00:00.000Z", voucher: off(100) });
    expect(json_template.validation_rule).toBeNull();
  });
});

describe("no template is made", () => {
  const refused = async (sent: Fields, status: number) =>
    (await api.post(path, { name: uniqueText("T"), ...sent }, status)).body;
  const unsupported = { key: "campaign_type_is_not_supported_by_campaign_template" };

  test("of a loyalty program, or a whole promotion", async () => {
    const voucher = { type: "LOYALTY_CARD", loyalty_card: { points: 1 } };
    const program = (await api.post("/v1/loyalties", { name: uniqueText("P"), voucher }, 200)).body;
    expect(await refused({ campaign_id: program.id }, 400)).toMatchObject(unsupported);
    const { campaign_id } = await tiersOf(api, [{}]);
    expect(await refused({ campaign_id }, 400)).toMatchObject(unsupported);
  });

  test("of both, of neither, of nothing that is there, or with another kind of description", async () => {
    const { id: campaign_id } = await aCampaign();
    const { ids } = await tiersOf(api, [{}]);
    const both = await refused({ campaign_id, promotion_tier_id: ids[0] }, 400);
    expect(both.details).toBe("Payload must have exactly one of the properties .campaign_id and .promotion_tier_id");
    expect(await refused({}, 400)).toMatchObject({ key: "invalid_payload" });
    expect((await refused({ campaign_id: "camp_none" }, 404)).resource_type).toBe("campaign");
    expect((await refused({ promotion_tier_id: "promo_none" }, 404)).resource_type).toBe("promotion_tier");
    expect((await refused({ campaign_id, description: 7 }, 400)).details).toContain(".description");
  });

  test.each([
    ["redemption.api_key", { $is: ["app_1"] }],
    ["redemption.count.per_api_key", { $less_than: [3] }],
    ["redemption.count.per_user", { $less_than: [3] }],
    ["customer.loyalty_tier", { $is: ["ltr_1"] }],
    ["customer.loyalty.tier", { $is: ["ltr_1"] }],
  ])("of what is judged by %s", async (name, conditions) => {
    const { id: campaign_id } = await aCampaign({ validation_rules: [await aRule(api, name, conditions)] });
    expect((await refused({ campaign_id }, 400)).details).toContain(name);
  });

  test("of what is judged by a static segment", async () => {
    const segment = (await api.post("/v1/segments", { name: uniqueText("S"), type: "static", customers: [] }, 200))
      .body;
    const rule = await aRule(api, "customer.segment", { $is: [segment.id] });
    const { id: campaign_id } = await aCampaign({ validation_rules: [rule] });
    expect((await refused({ campaign_id }, 400)).details).toContain(segment.id);
  });
});
