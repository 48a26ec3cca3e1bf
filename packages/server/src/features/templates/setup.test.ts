import { describe, expect, test } from "vitest";
import type { Client } from "../../../test/harness/client.js";
import { uniqueText } from "../../../test/harness/resources.js";
import { startService, type TestProject } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { aRule, type Fields, off, tiersOf } from "../promotions/promotion.fixtures.js";

const { project, api, context, management, anotherProject } = await startService();
const path = "/v1/templates/campaigns";

const aCampaign = async (on: Client, more: Fields = {}): Promise<string> => {
  const sent = { name: uniqueText("C"), voucher: { type: "DISCOUNT_VOUCHER", ...off(100) }, ...more };
  return (await on.post("/v1/campaigns", sent, 200)).body.id;
};
const aTemplate = async (on: Client, campaign_id: string): Promise<string> =>
  (await on.post(path, { campaign_id, name: uniqueText("T") }, 200)).body.id;
const setUp = (on: Client, id: string, more: Fields = {}) =>
  on.post(`${path}/${id}/campaign-setup`, { name: uniqueText("set up"), ...more });
const copied = async (id: string, to: TestProject): Promise<string> => {
  const sent = { destination_project_id: to.id, name: uniqueText("copy") };
  return (await management.post(`/management/v1/projects/${project.id}/templates/campaigns/${id}/copy`, sent, 200)).body
    .id;
};
const objectsOf = (created: { object: string }[]) => created.map(({ object }) => object).sort();
const ruleOf = async (on: Client, { validation_rules_assignments }: { validation_rules_assignments: Fields }) => {
  const [{ rule_id }] = validation_rules_assignments.data as [{ rule_id: string }];
  return (await on.get(`/v1/validation-rules/${rule_id}`, 200)).body;
};

/** A template of a campaign whose rule names one of everything. */
async function ofEverything() {
  const shape = { type: "circle", format: "distance", distance: { center: "geo:1,2", radius: "1 km" } };
  const location = (
    await management.post(`/management/v1/projects/${project.id}/locations`, { name: "here", shape }, 200)
  ).body;
  const filter = { junction: "and", "metadata.place": { conditions: { $in_location: [location.id] } } };
  const segment = (await api.post("/v1/segments", { name: "near", type: "passive", filter }, 200)).body;
  const product = (await api.post("/v1/products", { name: "Mug", price: 900, metadata: { a: 1 } }, 200)).body;
  const sku = (await api.post(`/v1/products/${product.id}/skus`, { sku: "Blue", price: 950 }, 200)).body;
  const products = [{ id: sku.id, object: "sku" }];
  const collection = (await api.post("/v1/product-collections", { name: "blue", type: "STATIC", products }, 200)).body;
  const rules = {
    1: { name: "customer.segment", conditions: { $is: [segment.id] } },
    2: { name: "order.items.any", conditions: { $is: [{ id: product.id, object: "product" }] } },
    logic: "1 and 2",
  };
  const applicable_to = { included: [{ object: "products_collection", id: collection.id }] };
  const rule = (await api.post("/v1/validation-rules", { name: "all", rules, applicable_to }, 200)).body;
  const template = await aTemplate(api, await aCampaign(api, { validation_rules: [rule.id] }));
  return { location, segment, product, sku, collection, rule, template };
}

describe("a campaign that is set up from a template", () => {
  test("has no formula where one was stored when it might be empty", async () => {
    const id = await aTemplate(api, await aCampaign(api));
    await context.db.run(sql`
      update campaign_templates
         set content = jsonb_set(content::jsonb, '{campaign,voucher,discount,amount_off_formula}', '""')
       where campaign_templates.project_id = ${project.id} and campaign_templates.id = ${id}`);
    expect((await setUp(api, id)).body.campaign.voucher.discount).not.toHaveProperty("amount_off_formula");
  });

  test("is what the template says, but for what is sent", async () => {
    const voucher = { ...off(500), redemption: { quantity: 3 }, code_config: { pattern: "A-####" } };
    const settings = { type: "STATIC", description: "d", start_date: "2026-01-01T00:00:00Z", join_once: true };
    const of = await aCampaign(api, { ...settings, voucher, metadata: { a: 1 }, vouchers_count: 2 });
    const id = await aTemplate(api, of);
    const { body } = await setUp(api, id, { name: "As it is" });
    expect(body).toMatchObject({
      object: "campaign_setup",
      created_resources: [],
      campaign: {
        name: "As it is",
        campaign_type: "DISCOUNT_COUPONS",
        ...{ ...settings, start_date: "2026-01-01T00:00:00.000Z" },
        voucher: { ...off(500), redemption: { quantity: 3 }, code_config: { pattern: "A-####" } },
        vouchers_count: 0,
        metadata: {},
      },
    });
    expect((await api.get(`/v1/campaigns/${body.campaign.id}`, 200)).body).toEqual(body.campaign);
    const sent = {
      type: "AUTO_UPDATE",
      start_date: null,
      metadata: { b: 2 },
      vouchers_count: 1,
      voucher: { redemption: { quantity: 1 }, code_config: { length: 5, prefix: "B-" } },
    };
    const { campaign } = (await setUp(api, id, sent)).body;
    expect(campaign).toMatchObject({
      type: "AUTO_UPDATE",
      description: "d",
      metadata: { b: 2 },
      vouchers_count: 1,
      voucher: { ...off(500), redemption: { quantity: 1 }, code_config: { length: 5, prefix: "B-" } },
    });
    expect(campaign.start_date).toBeUndefined();
  });

  test("is told of like one that is made by hand, and found by the next decision", async () => {
    const id = await aTemplate(api, await aCampaign(api));
    const { campaign } = (await setUp(api, id)).body;
    const events = await context.db.many<{ type: string }>(sql`
      select events.type from events where events.project_id = ${project.id} and events.entity_id = ${campaign.id}`);
    expect(events.map(({ type }) => type)).toEqual(["campaign.created"]);
    await api.post(`/v1/campaigns/${campaign.id}/vouchers/FROM-A-TEMPLATE`, {}, 200);
    const redeemables = [{ object: "voucher", id: "FROM-A-TEMPLATE" }];
    const { order } = (await api.post("/v1/validations", { redeemables, order: { amount: 1000 } }, 200)).body;
    expect(order.total_discount_amount).toBe(100);
  });

  test("has a rule of its own, also when the template's was changed or deleted", async () => {
    const rule = await aRule(api, "order.amount", { $more_than: [1000] });
    const id = await aTemplate(api, await aCampaign(api, { validation_rules: [rule] }));
    await api.delete(`/v1/validation-rules/${rule}`, 204);
    const { campaign, created_resources } = (await setUp(api, id)).body;
    const own = await ruleOf(api, campaign);
    expect(created_resources).toEqual([{ id: own.id, object: "validation_rules" }]);
    expect(own.rules["1"]).toMatchObject({ name: "order.amount", conditions: { $more_than: [1000] } });
    expect((await ruleOf(api, (await setUp(api, id)).body.campaign)).id).not.toBe(own.id);
  });

  test("goes without all that it could have brought when its name is taken", async () => {
    const { template } = await ofEverything();
    const other = await anotherProject();
    const id = await copied(template, other);
    await other.api.post("/v1/campaigns", { name: "Taken", voucher: off(1) }, 200);
    expect((await setUp(other.api, id, { name: "Taken" })).body).toMatchObject({ code: 409, key: "duplicate_found" });
    for (const list of ["products", "product-collections", "segments", "validation-rules", "locations"]) {
      expect((await other.api.get(`/v1/${list}`, 200)).body.total, list).toBe(0);
    }
  });

  test.each([
    ["a rule", { validation_rules: ["val_1"] }, ".validation_rules"],
    ["a discount", { voucher: off(1) }, ".voucher.discount"],
    ["no name", { name: undefined }, "name"],
  ])("is refused with %s", async (_, sent, place) => {
    const id = await aTemplate(api, await aCampaign(api));
    const { body } = await setUp(api, id, sent);
    expect(body).toMatchObject({ code: 400, key: "invalid_payload" });
    expect(body.details).toContain(place);
  });
});

describe("what a template's rule names", () => {
  test("is used as it is while nothing of it has changed", async () => {
    const { template, rule } = await ofEverything();
    const { campaign, created_resources } = (await setUp(api, template)).body;
    expect(objectsOf(created_resources)).toEqual(["validation_rules"]);
    const { rules, applicable_to } = await ruleOf(api, campaign);
    expect({ rules, applicable_to }).toEqual({ rules: rule.rules, applicable_to: rule.applicable_to });
  });

  test("is made anew where it has changed, and what names it too", async () => {
    const { template, location, segment, product, sku } = await ofEverything();
    const moved = { type: "circle", format: "distance", distance: { center: "geo:3,4", radius: "1 km" } };
    await management.put(`/management/v1/projects/${project.id}/locations/${location.id}`, { shape: moved }, 200);
    await api.put(`/v1/products/${product.id}/skus/${sku.id}`, { price: 1 }, 200);
    const { campaign, created_resources } = (await setUp(api, template)).body;
    const objects = ["location", "products_collection", "segments", "sku", "validation_rules"];
    expect(objectsOf(created_resources)).toEqual(objects);
    const { rules } = await ruleOf(api, campaign);
    const [segment_id] = rules["1"].conditions.$is;
    expect(segment_id).not.toBe(segment.id);
    const made = (await api.get(`/v1/segments/${segment_id}`, 200)).body;
    const place = created_resources.find(({ object }: { object: string }) => object === "location").id;
    expect(made.filter["metadata.place"].conditions.$in_location).toEqual([place]);
    expect(rules["2"].conditions.$is).toEqual([{ id: product.id, object: "product" }]);
  });

  test("is made in another project once a campaign is set up there, under ids of that project", async () => {
    const all = await ofEverything();
    const other = await anotherProject();
    const id = await copied(all.template, other);
    expect((await other.api.get("/v1/products", 200)).body.total).toBe(0);
    const { campaign, created_resources } = (await setUp(other.api, id)).body;
    const objects = ["location", "product", "products_collection", "segments", "sku", "validation_rules"];
    expect(objectsOf(created_resources)).toEqual(objects);
    const rule = await ruleOf(other.api, campaign);
    for (const { id: old } of [all.segment, all.product, all.sku, all.collection]) {
      expect(JSON.stringify(rule)).not.toContain(old);
    }
    const product = (await other.api.get(`/v1/products/${rule.rules["2"].conditions.$is[0].id}`, 200)).body;
    expect(product).toMatchObject({ name: "Mug", price: 900, metadata: { a: 1 }, skus: { data: [{ sku: "Blue" }] } });
    const again = (await setUp(other.api, id)).body;
    expect(objectsOf(again.created_resources)).toContain("products_collection");
  });

  test("is a product by its source id wherever that is known, and refused while it is in the bin", async () => {
    const source_id = uniqueText("mug");
    const product = (await api.post("/v1/products", { source_id, name: "Mug" }, 200)).body;
    const unit = { type: "UNIT", unit_off: 1, effect: "ADD_MISSING_ITEMS", unit_type: product.id };
    const voucher = { type: "DISCOUNT_VOUCHER", discount: unit };
    const template = await aTemplate(api, await aCampaign(api, { voucher }));
    const other = await anotherProject();
    const theirs = (await other.api.post("/v1/products", { source_id, name: "Their mug" }, 200)).body;
    const id = await copied(template, other);
    const { campaign, created_resources } = (await setUp(other.api, id)).body;
    expect(created_resources).toEqual([]);
    expect(campaign.voucher.discount.unit_type).toBe(theirs.id);
    await other.api.delete(`/v1/products/${theirs.id}`, 204);
    expect((await setUp(other.api, id)).body).toMatchObject({ code: 404, resource_type: "product" });
  });
});

describe("a tier that is set up from a template", () => {
  test("stands in the promotion with the discount and rules of the template", async () => {
    const rule = await aRule(api, "order.amount", { $more_than: [1000] });
    const id = await aTemplate(api, await aCampaign(api, { ...off(1), validation_rules: [rule] }));
    const { campaign_id } = await tiersOf(api, [{}]);
    const sent = { campaign_id, name: "second", banner: "Buy!", metadata: { a: 1 } };
    const { body } = await api.post(`${path}/${id}/tier-setup`, sent, 200);
    expect(body).toMatchObject({
      object: "promotion_tier_setup",
      created_resources: [{ object: "validation_rules" }],
      promotion_tier: {
        name: "second",
        banner: "Buy!",
        metadata: { a: 1 },
        hierarchy: 2,
        action: off(100),
        campaign_id,
      },
    });
    const { id: tier_id, validation_rule_assignments } = body.promotion_tier;
    expect(validation_rule_assignments.data).toMatchObject([{ rule_id: body.created_resources[0].id }]);
    expect((await api.get(`/v1/promotions/tiers/${tier_id}`, 200)).body).toEqual(body.promotion_tier);
  });

  test("is refused from gift cards, in a campaign with codes, and with a discount of its own", async () => {
    const gifts = await aTemplate(
      api,
      await aCampaign(api, { voucher: { type: "GIFT_VOUCHER", gift: { amount: 5 } } }),
    );
    const { campaign_id } = await tiersOf(api, [{}]);
    const ofGifts = await api.post(`${path}/${gifts}/tier-setup`, { campaign_id, name: "t" }, 400);
    expect(ofGifts.body.key).toBe("campaign_type_is_not_supported_by_campaign_template");
    const codes = await aCampaign(api);
    const id = await aTemplate(api, codes);
    const refused = async (sent: Fields, status = 400) =>
      (await api.post(`${path}/${id}/tier-setup`, { name: "t", ...sent }, status)).body;
    expect((await refused({ campaign_id: codes })).key).toBe("invalid_campaign");
    expect((await refused({ campaign_id: "camp_none" }, 404)).resource_type).toBe("campaign");
    expect((await refused({ campaign_id, action: off(1) })).details).toContain(".action");
    expect((await refused({ campaign_id, validation_rules: [] })).details).toContain(".validation_rules");
  });

  test("takes the window of a tier that the template was made of, also as a campaign", async () => {
    const { ids, campaign_id } = await tiersOf(api, [{ expiration_date: "2027-01-01T00:00:00Z" }]);
    const { id } = (await api.post(path, { promotion_tier_id: ids[0], name: uniqueText("T") }, 200)).body;
    const tier = (await api.post(`${path}/${id}/tier-setup`, { campaign_id, name: "t" }, 200)).body.promotion_tier;
    expect(tier).toMatchObject({ expiration_date: "2027-01-01T00:00:00.000Z", action: off(100) });
    expect((await setUp(api, id)).body.campaign).toMatchObject({
      campaign_type: "DISCOUNT_COUPONS",
      expiration_date: "2027-01-01T00:00:00.000Z",
      voucher: off(100),
    });
  });
});

describe("the organization", () => {
  test("copies a template into another project, under a name that is free there", async () => {
    const template = (await api.post(path, { campaign_id: await aCampaign(api), name: "T", description: "d" }, 200))
      .body;
    const other = await anotherProject();
    const copy = `/management/v1/projects/${project.id}/templates/campaigns/${template.id}/copy`;
    const sent = { destination_project_id: other.id, name: "Copy" };
    const made = (await management.post(copy, sent, 200)).body;
    expect(made).toMatchObject({ name: "Copy", description: "d", campaign_type: "DISCOUNT_COUPONS" });
    expect((await other.api.get(`${path}/${made.id}`, 200)).body).toEqual(made);
    const { body } = await management.post(copy, sent, 409);
    expect(body.details).toBe("Duplicated campaign_template exists with name Copy");
    const { description, ...bare } = (await management.post(copy, { ...sent, name: "Bare", description: null }, 200))
      .body;
    expect([description, bare.name]).toEqual([undefined, "Bare"]);
    const of_theirs = copy.replace(project.id, other.id);
    expect((await management.post(of_theirs, { ...sent, name: "x" }, 404)).body.resource_type).toBe(
      "campaign_template",
    );
    const nowhere = { destination_project_id: "proj_none", name: "x" };
    expect((await management.post(copy, nowhere, 404)).body.resource_type).toBe("project");
  });
});
