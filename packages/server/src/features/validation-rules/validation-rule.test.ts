import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";

const { api, clock, context, project, anotherProject } = await startService({ project: { timezone: "Europe/Warsaw" } });

let made = 0;
const aRule = async (rules: object, more: object = {}) => {
  made += 1;
  return (await api.post("/v1/validation-rules", { name: `rule ${made}`, rules, ...more }, 200)).body;
};
const leaf = (name: string, conditions: object, more: object = {}) => ({
  "1": { name, conditions, ...more },
  logic: "1",
});
const aVoucher = async (rule_id: string, more: object = {}) => {
  made += 1;
  const body = { discount: { type: "AMOUNT", amount_off: 300 }, validation_rules: [rule_id], ...more };
  return (await api.post(`/v1/vouchers/R-${made}`, body, 200)).body.code as string;
};
const redeemables = (...codes: string[]) => codes.map((id) => ({ object: "voucher", id }));
const errorOf = async (code: string, more: object = {}) => {
  const { body } = await api.post("/v1/validations", { redeemables: redeemables(code), ...more }, 200);
  return body.valid ? null : body.redeemables[0].result.error;
};
const redeem = (code: string, more: object = {}) =>
  api.post("/v1/redemptions", { redeemables: redeemables(code), order: { amount: 5000 }, ...more });

describe("a validation rule", () => {
  test("is stored as sent, and shows property and nested rules of every leaf", async () => {
    const rule = await aRule(leaf("order.amount", { $more_than: [1000] }), { error: { message: "Spend more" } });
    expect(rule).toMatchObject({
      rules: {
        "1": { name: "order.amount", property: null, conditions: { $more_than: [1000] }, rules: {} },
        logic: "1",
      },
      error: { message: "Spend more" },
      applicable_to: { included: [], excluded: [], included_all: false },
      bundle_rules: {},
      type: "expression",
      context_type: "global",
      object: "validation_rules",
    });
    expect((await api.get(`/v1/validation-rules/${rule.id}`, 200)).body).toEqual(rule);
  });

  test("that names one product as an object shows it as a list of one", async () => {
    const pen = { object: "product", id: "prod_pen" };
    const applicable_to = { included: pen, excluded: { object: "list", data_ref: "data", data: [pen], total: 1 } };
    const rule = await aRule(leaf("order.amount", { $more_than: [1000] }), { applicable_to });
    const entries = [{ ...pen, effect: "APPLY_TO_EVERY" }];
    expect(rule).toMatchObject({ applicable_to: { included: entries, excluded: entries, included_all: false } });
    expect((await api.get(`/v1/validation-rules/${rule.id}`, 200)).body).toEqual(rule);
  });

  test.each([
    [leaf("order.metadata", { $is: ["x"] }), "Rule 'order.metadata' must have a 'property'", /^rules\.1/],
    [leaf("order.colour", { $is: ["x"] }), "Rule 'order.colour' is not supported", /^rules\.1\.name/],
    [leaf("order.amount", { $near: [1] }), "Condition '$near' is not supported", /^rules\.1\.conditions\.\$near/],
    [{ ...leaf("order.amount", { $is: [1] }), logic: "1 and 2" }, "Invalid logic '1 and 2'", /^rules\.logic/],
  ])("that means nothing is refused, and where it is said: %j", async (rules, details, path) => {
    const { body } = await api.post("/v1/validation-rules", { name: "bad", rules }, 400);
    expect(body).toMatchObject({
      key: "invalid_validation_rules",
      message: "Invalid Validation Rule Definition",
      details,
      path: expect.stringMatching(path),
    });
  });

  const cup = { object: "product", id: "cup" };
  test.each([
    [{ applicable_to: { included: [{ ...cup, target: "X" }] } }, "applicable_to.included[0].target"],
    [{ applicable_to: { included: [{ ...cup, strict: "x" }] } }, "applicable_to.included[0].strict"],
    [{ applicable_to: { included: [{ ...cup, price_formula: "" }] } }, "applicable_to.included[0].price_formula"],
    [{ bundle_rules: { limit: 3 } }, "bundle_rules"],
    [{ bundle_rules: leaf("order.items.any", { $is: [{ ...cup, type: "product_or_sku" }] }) }, "bundle_rules.logic"],
    [{ bundle_rules: { 1: leaf("order.items.any", { $is: [cup] })[1] } }, "bundle_rules.1.conditions.$is[0].type"],
  ])("that says what nobody would heed is refused by name, new and edited: %j", async (said, path) => {
    const { id } = await aRule({ logic: "" });
    const refused = { key: "invalid_validation_rules", path };
    expect((await api.post("/v1/validation-rules", { name: "bad", ...said }, 400)).body).toMatchObject(refused);
    expect((await api.put(`/v1/validation-rules/${id}`, said, 400)).body).toMatchObject(refused);
  });

  test("that was stored when that was let in holds as it did, and may be edited beside it", async () => {
    const { id } = await aRule({ logic: "" }, { applicable_to: { included: [cup] } });
    const stored = { included: [{ ...cup, target: "X", strict: "x", price_formula: "" }] };
    await context.db.run(sql`
      update validation_rules set applicable_to = ${JSON.stringify(stored)}::json
       where validation_rules.project_id = ${project.id} and validation_rules.id = ${id}`);
    await api.put(`/v1/validation-rules/${id}`, { name: "renamed" }, 200);
    const code = await aVoucher(id, { discount: { type: "PERCENT", percent_off: 10, effect: "APPLY_TO_ITEMS" } });
    const sent = {
      redeemables: redeemables(code),
      order: { items: [{ product_id: "cup", price: 1000, quantity: 1 }] },
    };
    expect((await api.post("/v1/validations", sent, 200)).body.order.total_amount).toBe(900);
  });

  test("lets the order through that it wants, and says why it does not another", async () => {
    const rule = await aRule(leaf("order.amount", { $more_than: [1000] }, { error: { message: "Spend more" } }));
    const code = await aVoucher(rule.id);
    expect(await errorOf(code, { order: { amount: 1001 } })).toBeNull();
    expect(await errorOf(code, { order: { amount: 1000 } })).toMatchObject({
      code: 400,
      key: "order_rules_violated",
      message: "order does not match validation rules",
      details: `Discount Coupon cannot be redeemed because of violated validation rules: ${rule.id}`,
      error: { message: "Spend more" },
    });
    expect((await errorOf(code)).key).toBe("missing_order");
  });

  test("of a customer's metadata sees what is stored and what is sent", async () => {
    const rule = await aRule(leaf("customer.metadata", { $is: ["gold"] }, { property: "plan" }));
    const code = await aVoucher(rule.id);
    await api.post("/v1/customers", { source_id: "goldie", metadata: { plan: "gold" } }, 200);
    expect(await errorOf(code, { customer: { source_id: "goldie" } })).toBeNull();
    expect((await errorOf(code, { customer: { source_id: "goldie", metadata: { plan: "tin" } } })).key).toBe(
      "customer_rules_violated",
    );
    expect((await errorOf(code)).key).toBe("missing_customer");
  });

  test("that is changed or deleted counts with the next request", async () => {
    const rule = await aRule(leaf("order.amount", { $more_than: [1000] }));
    const code = await aVoucher(rule.id);
    await api.put(`/v1/validation-rules/${rule.id}`, { rules: leaf("order.amount", { $more_than: [10] }) }, 200);
    expect(await errorOf(code, { order: { amount: 500 } })).toBeNull();
    await api.put(`/v1/validation-rules/${rule.id}`, { rules: leaf("order.amount", { $more_than: [9999] }) }, 200);
    expect(await errorOf(code, { order: { amount: 500 } })).not.toBeNull();
    await api.delete(`/v1/validation-rules/${rule.id}`, 204);
    expect(await errorOf(code, { order: { amount: 500 } })).toBeNull();
    expect((await api.get(`/v1/validation-rules/${rule.id}`, 404)).body.resource_type).toBe("validation_rules");
  });

  test("shows the formula of a price as it was written, beside the price that stands in for it (redemption.md §6)", async () => {
    const price = { price: 900, price_formula: "ORDER_ITEM_PRICE - 1.5" };
    const included = [
      { object: "product", id: "cup", ...price },
      { object: "product", id: "rug", price: 7000 },
    ];
    const rule = await aRule({ logic: "" }, { applicable_to: { included } });
    const code = await aVoucher(rule.id, { discount: { type: "FIXED", fixed_amount: 0, effect: "APPLY_TO_ITEMS" } });
    const items = [{ product_id: "cup", price: 1250, quantity: 4 }];
    const { body } = await api.post("/v1/validations", { redeemables: redeemables(code), order: { items } }, 200);
    expect(body.order).toMatchObject({ items_discount_amount: 600 });
    const [cup, rug] = body.redeemables[0].applicable_to.data;
    expect(cup).toMatchObject({ id: "cup", ...price });
    expect(rug).toMatchObject({ id: "rug", price: 7000 });
    expect(rug).not.toHaveProperty("price_formula");
  });

  test("decides which lines an item discount is for", async () => {
    const applicable_to = { included: [{ object: "product", id: "cup" }] };
    const rule = await aRule({ logic: "" }, { applicable_to });
    const code = await aVoucher(rule.id, { discount: { type: "PERCENT", percent_off: 10, effect: "APPLY_TO_ITEMS" } });
    const items = [
      { product_id: "cup", price: 1250, quantity: 4 },
      { product_id: "rug", price: 7750, quantity: 1 },
    ];
    const { body } = await api.post("/v1/validations", { redeemables: redeemables(code), order: { items } }, 200);
    expect(body.order).toMatchObject({ items_discount_amount: 500, total_amount: 12_250 });
    expect(body.redeemables[0].applicable_to).toMatchObject({
      total: 1,
      data: [{ object: "product", id: "cup", order_item_indices: [0] }],
    });
  });

  test("of the campaign holds for its vouchers and its tiers, beside their own", async () => {
    const rule = await aRule(leaf("order.amount", { $more_than: [1000] }));
    const voucher = { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 10 } };
    const body = { campaign_type: "DISCOUNT_COUPONS", voucher, validation_rules: [rule.id] };
    const campaign = (await api.post("/v1/campaigns", { name: "Ruled", ...body }, 200)).body;
    expect(campaign.validation_rules_assignments).toMatchObject({
      total: 1,
      data: [{ rule_id: rule.id, related_object_type: "campaign" }],
    });
    const code = (await api.post("/v1/campaigns/Ruled/vouchers/RULED-1", {}, 200)).body;
    expect(code.validation_rules_assignments).toMatchObject({ total: 1, data: [{ related_object_id: campaign.id }] });
    expect((await errorOf("RULED-1", { order: { amount: 500 } })).key).toBe("order_rules_violated");

    const tier = { name: "T", action: { discount: { type: "AMOUNT", amount_off: 10 } }, validation_rules: [rule.id] };
    const promotion = (
      await api.post("/v1/campaigns", { name: "Tiers", campaign_type: "PROMOTION", promotion: { tiers: [tier] } }, 200)
    ).body;
    const [{ id }] = promotion.promotion.tiers;
    const validate = async (amount: number) =>
      (await api.post("/v1/validations", { redeemables: [{ object: "promotion_tier", id }], order: { amount } }, 200))
        .body;
    expect((await validate(1001)).valid).toBe(true);
    expect((await validate(999)).redeemables[0].result.error.details).toBe(
      `Promotion Tier cannot be redeemed because of violated validation rules: ${rule.id}`,
    );
  });
});

describe("a limit", () => {
  test("per customer counts what was redeemed before it was set, and a rollback gives back", async () => {
    const rule = await aRule({ logic: "" });
    const code = await aVoucher(rule.id);
    const ann = { customer: { source_id: "ann" } };
    expect((await redeem(code, ann)).status).toBe(200);
    await api.put(
      `/v1/validation-rules/${rule.id}`,
      { rules: leaf("redemption.count.per_customer", { $less_than_or_equal: [2] }) },
      200,
    );
    const second = await redeem(code, ann);
    expect(second.status).toBe(200);
    expect((await redeem(code, ann)).body.key).toBe("redemption_rules_violated");
    expect((await redeem(code, { customer: { source_id: "bob" } })).status).toBe(200);
    expect((await redeem(code)).body.key).toBe("missing_customer");
    await api.post(`/v1/redemptions/${second.body.redemptions[0].id}/rollback`, {}, 200);
    expect((await redeem(code, ann)).status).toBe(200);
  });

  test("a day ends at the project's midnight", async () => {
    const rule = await aRule(leaf("redemption.count.daily", { $less_than_or_equal: [1] }));
    const code = await aVoucher(rule.id);
    clock.set("2026-03-10T22:30:00Z");
    expect((await redeem(code)).status).toBe(200);
    expect((await redeem(code)).status).toBe(400);
    clock.set("2026-03-10T23:00:00Z");
    expect((await redeem(code)).status).toBe(200);
  });

  test("on a campaign's redemptions and money holds over all its codes, whatever runs at once", async () => {
    const rule = await aRule({
      "1": { name: "campaign.redemptions.count", conditions: { $less_than_or_equal: [5] } },
      "2": { name: "campaign.orders.amount_discounted", conditions: { $less_than_or_equal: [1000] } },
      logic: "1 and 2",
    });
    const voucher = { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 300 } };
    const body = { campaign_type: "DISCOUNT_COUPONS", voucher, validation_rules: [rule.id] };
    await api.post("/v1/campaigns", { name: "Budget", ...body }, 200);
    const codes = Array.from({ length: 16 }, (_, i) => `BUDGET-${i}`);
    for (const code of codes) await api.post(`/v1/campaigns/Budget/vouchers/${code}`, {}, 200);
    const answers = await Promise.all(codes.map((code) => redeem(code)));
    // Three discounts of 300 fit into 1000.
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  });
});

describe("an assignment", () => {
  test("is one an object; force puts another in its place", async () => {
    const [first, second] = [await aRule({ logic: "" }), await aRule(leaf("order.amount", { $more_than: [100] }))];
    const code = await aVoucher(first.id);
    const assign = (rule: string, query = "") =>
      api.post(`/v1/validation-rules/${rule}/assignments${query}`, {
        related_object_id: code,
        related_object_type: "voucher",
      });
    const duplicate = await assign(first.id);
    expect(duplicate).toMatchObject({
      status: 409,
      body: { key: "duplicate_found", resource_type: "validation_rules_assignment" },
    });
    expect((await assign(second.id)).status).toBe(409);
    const forced = await assign(second.id, "?force=true");
    expect(forced.status).toBe(200);
    const { id: voucher_id } = (await api.get(`/v1/vouchers/${code}`, 200)).body;
    expect(forced.body).toMatchObject({
      rule_id: second.id,
      related_object_id: voucher_id,
      object: "validation_rules_assignment",
    });
    const listed = (await api.get(`/v1/validation-rules-assignments?related_object_id=${voucher_id}`, 200)).body;
    expect(listed).toMatchObject({ total: 1, data: [{ id: forced.body.id, validation_status: "VALID" }] });
    await api.delete(`/v1/validation-rules/${second.id}/assignments/${forced.body.id}`, 204);
    await api.delete(`/v1/validation-rules/${second.id}/assignments/${forced.body.id}`, 404);
    expect(await errorOf(code, { order: { amount: 50 } })).toBeNull();
  });

  test("to what is not there, or is another project's, is a 404", async () => {
    const rule = await aRule({ logic: "" });
    const code = await aVoucher(rule.id);
    const other = await anotherProject();
    const foreign = (await other.api.post("/v1/validation-rules", { name: "theirs" }, 200)).body;
    expect(
      (await api.post(`/v1/validation-rules/${foreign.id}/assignments?force=true`, { related_object_id: code }, 404))
        .body,
    ).toMatchObject({
      resource_type: "validation_rules",
    });
    // The voucher has a rule already, which is no duplicate of one that there is none of.
    const unknown = await api.post("/v1/validation-rules/val_nope/assignments", { related_object_id: code }, 404);
    expect(unknown.body).toMatchObject({ key: "not_found", resource_type: "validation_rules" });
    expect(
      (await api.post(`/v1/validation-rules/${rule.id}/assignments`, { related_object_id: "NOBODY" }, 404)).body,
    ).toMatchObject({
      resource_type: "voucher",
    });
  });
});
