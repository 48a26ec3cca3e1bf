import { describe, expect, test } from "vitest";
import { startService, type TestProject } from "../../../test/harness/service.js";
import { aRule, type Fields, idsOf, off, tiersOf } from "../promotions/promotion.fixtures.js";

const { anotherProject, api, clock } = await startService();

const order = { amount: 10_000 };
const validateTier = (id: string | undefined, sent: Fields = { order }, status?: number) =>
  api.post(`/v1/promotions/tiers/${id}/validation`, sent, status);

describe("POST /v1/promotions/tiers/{id}/validation", () => {
  test("answers the tier with what it does to the order", async () => {
    const { campaign_id, ids } = await tiersOf(
      api,
      [{ banner: "Take it", metadata: { shelf: "top" }, expiration_date: "2026-04-01T00:00:00.000Z" }],
      { start_date: "2026-01-01T00:00:00.000Z" },
    );
    const { body } = await validateTier(ids[0], { order, customer: { source_id: "ann" } }, 200);
    expect(body).toEqual({
      valid: true,
      id: ids[0],
      name: "tier 1",
      banner: "Take it",
      expiration_date: "2026-04-01T00:00:00.000Z",
      campaign: { id: campaign_id, start_date: "2026-01-01T00:00:00.000Z", active: true, object: "campaign" },
      hierarchy: 1,
      metadata: { shelf: "top" },
      discount: { type: "AMOUNT", effect: "APPLY_TO_ORDER", amount_off: 100, is_dynamic: false },
      discount_amount: 100,
      applied_discount_amount: 100,
      order: expect.objectContaining({ amount: 10_000, total_amount: 9900, object: "order" }),
      applicable_to: { object: "list", data_ref: "data", data: [], total: 0 },
      inapplicable_to: { object: "list", data_ref: "data", data: [], total: 0 },
      tracking_id: expect.stringMatching(/^track_/),
      object: "promotion_tier",
    });
  });

  test("counts what a tier takes off the lines as well as off the whole", async () => {
    const discount = { type: "PERCENT", percent_off: 10, effect: "APPLY_TO_ITEMS" };
    const product = (await api.post("/v1/products", { name: "Cup", price: 500 }, 200)).body;
    const items = [{ object: "product", id: product.id, effect: "APPLY_TO_EVERY" }];
    const applicable_to = { included: items, included_all: false, excluded: [] };
    const rule = await api.post("/v1/validation-rules", { name: "cups", rules: { logic: "" }, applicable_to }, 200);
    const { ids } = await tiersOf(api, [{ action: { discount }, validation_rules: [rule.body.id] }]);
    const cart = { items: [{ product_id: product.id, quantity: 4, price: 500 }] };
    const { body } = await validateTier(ids[0], { order: cart }, 200);
    expect(body).toMatchObject({ valid: true, discount_amount: 200, applied_discount_amount: 200 });
  });

  test("answers a reason and the error where the tier does not apply", async () => {
    const rule = await aRule(api, "order.amount", { $more_than: [20_000] });
    const { ids } = await tiersOf(api, [{ validation_rules: [rule] }, {}]);
    expect((await validateTier(ids[0], { order }, 200)).body).toMatchObject({
      valid: false,
      id: ids[0],
      name: "tier 1",
      hierarchy: 1,
      reason: "order does not match validation rules",
      error: { code: 400, key: "order_rules_violated", request_id: expect.stringMatching(/^v-/) },
      discount: { type: "AMOUNT", amount_off: 100 },
      tracking_id: null,
      object: "promotion_tier",
    });
    await api.post(`/v1/promotions/tiers/${ids[1]}/disable`, undefined, 200);
    const { body } = await validateTier(ids[1], { order }, 200);
    expect(body).toMatchObject({ valid: false, reason: "Inactive Promotion", error: { key: "promotion_inactive" } });
  });

  test("puts the message that an editor wrote in place of the error", async () => {
    const rules = { 1: { name: "order.amount", conditions: { $more_than: [20_000] } }, logic: "1" };
    const error = { message: "Spend more" };
    const rule = (await api.post("/v1/validation-rules", { name: "told", rules, error }, 200)).body;
    const { ids } = await tiersOf(api, [{ validation_rules: [rule.id] }]);
    expect((await validateTier(ids[0], { order }, 200)).body).toMatchObject({ reason: "Spend more", error });
  });

  test.each([
    ["an unknown tier", async () => "promo_none", {}, 404, "not_found"],
    [
      "a rule on a customer that was not sent",
      async () => {
        const rule = await aRule(api, "customer.segment", { $is: ["seg_none"] });
        return (await tiersOf(api, [{ validation_rules: [rule] }])).ids[0];
      },
      {},
      400,
      "missing_customer",
    ],
    [
      "an order that is no order",
      async () => (await tiersOf(api, [{}])).ids[0],
      { order: "none" },
      400,
      "invalid_payload",
    ],
  ])("is an error of its own for %s", async (_name, make, sent, status, key) => {
    expect((await validateTier(await make(), sent, status)).body.key).toBe(key);
  });
});

describe("POST /v1/promotions/validation", () => {
  const of = ({ api }: TestProject) => ({
    tiers: (tiers: Fields[], more: Fields = {}) => tiersOf(api, tiers, more),
    validate: async (sent: Fields = {}, query = "", status = 200) =>
      (await api.post(`/v1/promotions/validation${query}`, { order, ...sent }, status)).body,
    rule: (name: string, conditions: Fields) => aRule(api, name, conditions),
  });

  test("answers every tier that applies to the cart, each by itself, in the order of their hierarchy", async () => {
    const { tiers, validate, rule } = of(await anotherProject());
    const large = { validation_rules: [await rule("order.amount", { $more_than: [20_000] })] };
    const first = await tiers([{}, large, { action: off(300) }, { expiration_date: "2026-03-01T00:00:00Z" }]);
    const second = await tiers([{ action: off(500) }]);
    const body = await validate({ customer: { source_id: "carter" } });
    expect(body).toMatchObject({ valid: true, tracking_id: expect.stringMatching(/^track_/) });
    const { promotions, tracking_id } = body;
    // Both firsts of their campaigns, the newer before the older; ids tell ties of one instant apart.
    expect(new Set(idsOf(promotions.slice(0, 2)))).toEqual(new Set([first.ids[0], second.ids[0]]));
    expect(promotions[2]).toMatchObject({
      valid: "true",
      id: first.ids[2],
      tracking_id,
      hierarchy: 3,
      discount: { type: "AMOUNT", amount_off: 300 },
      discount_amount: 300,
      applied_discount_amount: 300,
      order: { total_amount: 9700 },
      campaign: { id: first.campaign_id, active: true, object: "campaign" },
      object: "promotion_tier",
    });
    expect(promotions).toHaveLength(3);
  });

  test("answers none as not valid", async () => {
    expect(await of(await anotherProject()).validate()).toEqual({ valid: false, promotions: [] });
  });

  test("judges rules on segments, metadata and products as a validation does", async () => {
    const project = await anotherProject();
    const { tiers, validate, rule } = of(project);
    const filter = { "metadata.plan": { conditions: { $is: ["gold"] } }, junction: "and" };
    const segment = (await project.api.post("/v1/segments", { name: "Gold", type: "auto-update", filter }, 200)).body;
    const product = (await project.api.post("/v1/products", { name: "Cup", price: 500 }, 200)).body;
    const { ids } = await tiers([
      { validation_rules: [await rule("customer.segment", { $is: [segment.id] })] },
      { validation_rules: [await rule("customer.segment", { $is_not: [segment.id] })] },
      { validation_rules: [await rule("order.items.any", { $is: [{ object: "product", id: product.id }] })] },
    ]);
    const asked = async (plan: string, product_id?: string) => {
      const items = [{ product_id, quantity: 1, price: 900 }];
      const sent = { order: { items }, customer: { source_id: plan, metadata: { plan } } };
      return idsOf((await validate(sent)).promotions).sort();
    };
    expect(await asked("gold")).toEqual([ids[0]]);
    expect(await asked("tin")).toEqual([ids[1]]);
    expect(await asked("gold", product.id)).toEqual([ids[0], ids[2]].sort());
  });

  test("with audienceRulesOnly looks at nothing but what rules ask of the customer", async () => {
    const project = await anotherProject();
    const { tiers, validate, rule } = of(project);
    const { ids } = await tiers([
      { validation_rules: [await rule("order.amount", { $more_than: [20_000] })] },
      { validation_rules: [await rule("customer.segment", { $is: ["seg_none"] })] },
    ]);
    const customer = { source_id: "audience" };
    expect((await validate({ customer })).promotions).toEqual([]);
    expect((await validate({ customer }, "?audienceRulesOnly=false")).promotions).toEqual([]);
    expect(idsOf((await validate({ customer }, "?audienceRulesOnly=true")).promotions)).toEqual([ids[0]]);
  });

  test("answers those of a campaign, or with a metadata, that the filters name", async () => {
    const { tiers, validate } = of(await anotherProject());
    const first = await tiers([{ metadata: { shelf: "top" } }, {}]);
    const second = await tiers([{ metadata: { shelf: "top" } }]);
    const filtered = async (query: string) => idsOf((await validate({}, query)).promotions).sort();
    expect(await filtered(`?filters[promotion_id][conditions][$is][0]=${first.campaign_id}`)).toEqual(
      [...first.ids].sort(),
    );
    expect(await filtered(`?filters[campaign_id][conditions][$is][0]=${second.campaign_id}`)).toEqual(second.ids);
    const top = "filters[metadata.shelf][conditions][$is][0]=top";
    expect(await filtered(`?${top}`)).toEqual([first.ids[0], second.ids[0]].sort());
    expect(await filtered(`?${top}&filters[promotion_id][conditions][$is][0]=${second.campaign_id}`)).toEqual(
      second.ids,
    );
    expect(await filtered(`?${top}&filters[promotion_id][conditions][$is][0]=camp_none&filters[junction]=or`)).toEqual(
      [first.ids[0], second.ids[0]].sort(),
    );
  });

  test.each([
    ["?audienceRulesOnly=maybe", {}, "audienceRulesOnly"],
    ["?filters[metadata][conditions][$is]=x", {}, "filters.metadata"],
    ["?filters[promotion_id][conditions][$like]=x", {}, "filters"],
    ["", { options: { expand: ["redeemable"] } }, "options.expand"],
    ["", { order: { amount: -1 } }, "Amount"],
    ["", { customer: "ann" }, "customer"],
  ])("refuses %s %j by name", async (query, sent, name) => {
    const body = await of(await anotherProject()).validate(sent, query, 400);
    expect(body.details).toContain(name);
  });

  test.each(["campaign", "campaignid", "metadata"])(
    "refuses the field %s, which it does not know, or a slip would offer every promotion",
    async (field) => {
      const query = `?filters[${field}][conditions][$is][0]=x`;
      expect(await of(await anotherProject()).validate({}, query, 400)).toMatchObject({
        key: "invalid_payload",
        details: `Property .filters.${field} is not supported`,
      });
    },
  );

  test("of a customer or an order that nobody has is a 404", async () => {
    const { validate } = of(await anotherProject());
    expect((await validate({ customer: { id: "cust_none" } }, "", 404)).resource_type).toBe("customer");
    expect((await validate({ order: { id: "ord_none" } }, "", 404)).resource_type).toBe("order");
  });

  test("shows categories where it is asked to", async () => {
    const { tiers, validate } = of(await anotherProject());
    await tiers([{ category: "Shoes" }], { category: "Season" });
    const [plain] = (await validate()).promotions;
    expect(plain).not.toHaveProperty("categories");
    const [shown] = (await validate({ options: { expand: ["category"] } })).promotions;
    expect(shown).toMatchObject({
      category_id: shown.categories.id,
      categories: { name: "Shoes", object: "category" },
      campaign: { categories: { name: "Season" } },
    });
  });

  test("leaves out a tier whose rule takes more work than one redeemable may, and answers the others", async () => {
    const project = await anotherProject();
    const { tiers, validate } = of(project);
    const $contains = Array.from({ length: 100 }, (_none, i) => `word ${i}`);
    const heavy = { 1: { name: "order.metadata", property: "essay", conditions: { $contains } }, logic: "1" };
    const rule = (await project.api.post("/v1/validation-rules", { name: "heavy", rules: heavy }, 200)).body;
    const { ids } = await tiers([{ validation_rules: [rule.id] }, {}]);
    const essay = { order: { ...order, metadata: { essay: "a".repeat(60_000) } } };
    const alone = { redeemables: [{ object: "promotion_tier", id: ids[0] }], ...essay };
    expect((await project.api.post("/v1/validations", alone, 400)).body.key).toBe("decision_too_heavy");
    expect(idsOf((await validate(essay)).promotions)).toEqual([ids[1]]);
  });

  test("answers the newest 150 of those that apply, though many that do not are newer", async () => {
    const { tiers, validate, rule } = of(await anotherProject());
    await tiers(Array.from({ length: 10 }, () => ({})));
    clock.advance({ ms: 1000 });
    const { ids } = await tiers(Array.from({ length: 150 }, () => ({})));
    clock.advance({ ms: 1000 });
    // Nothing that the index knows, so each of these is looked at.
    const never = { validation_rules: [await rule("order.items.count", { $is_not: [0] })] };
    await tiers(Array.from({ length: 200 }, () => never));
    expect(idsOf((await validate()).promotions)).toEqual(ids);
  });
});
