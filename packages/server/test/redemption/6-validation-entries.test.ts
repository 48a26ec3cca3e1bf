import { describe, expect, test } from "vitest";
import { aRule, type Fields, off, tiersOf } from "../../src/features/promotions/promotion.fixtures.js";
import { request_id } from "../harness/exact-bodies.js";
import { startService } from "../harness/service.js";
import { aShop, aStockedShop, asked } from "./shop.fixtures.js";

const service = await startService();
const percent = (percent_off: number) => ({ discount: { type: "PERCENT", percent_off } });
const empty_list = { data: [], total: 0, data_ref: "data", object: "list" };

describe("an entry of a validation (redemption.md §6)", () => {
  test("that applies has the voucher's code even where an id was sent, and both lists", async () => {
    const shop = await aStockedShop(service);
    const { id } = await shop.read("A");
    const { redeemables } = await shop.validate([id]);
    expect(redeemables).toEqual([
      {
        status: "APPLICABLE",
        id: "A",
        object: "voucher",
        order: expect.objectContaining({ amount: 10_000, total_amount: 9_900 }),
        applicable_to: empty_list,
        inapplicable_to: empty_list,
        result: { discount: expect.objectContaining({ type: "AMOUNT", amount_off: 100, is_dynamic: false }) },
      },
    ]);
  });

  test("that does not apply has its error, and key and message once more", async () => {
    const shop = await aStockedShop(service);
    const { redeemables } = await shop.validate(["OFF"]);
    expect(redeemables[0]).toMatchObject({ status: "INAPPLICABLE", id: "OFF", object: "voucher" });
    expect(redeemables[0].result).toEqual({
      error: {
        code: 400,
        key: "voucher_disabled",
        message: "voucher is disabled",
        details: "OFF",
        request_id,
        redeemable_id: "OFF",
        redeemable_type: "voucher",
      },
      details: { key: "voucher_disabled", message: "voucher is disabled" },
    });
  });

  test("that is skipped has the reason and nothing else", async () => {
    const shop = await aStockedShop(service);
    const { skipped_redeemables } = await shop.validate(["OFF", "A"]);
    expect(skipped_redeemables[0].result).toEqual({
      details: {
        key: "preceding_validation_failed",
        message: "Redeemable cannot be applied due to preceding validation failure",
      },
    });
  });

  test("whose bundle is incomplete says what is missing", async () => {
    const shop = await aShop(service);
    const product = async (name: string) => (await shop.api.post("/v1/products", { name, price: 500 }, 200)).body.id;
    const [mug, pen] = [await product("Mug"), await product("Pen")];
    const one = (id: string) => ({
      name: "order.items.any",
      conditions: { $is: [{ id, object: "product", type: "product_or_sku" }] },
    });
    const sent = { name: "both", rules: { logic: "" }, bundle_rules: { "1": one(mug), "2": one(pen) } };
    const rule = (await shop.api.post("/v1/validation-rules", sent, 200)).body.id;
    await shop.voucher("BOTH", { validation_rules: [rule] });
    const cart = (...ids: string[]) => ({ order: { items: ids.map((product_id) => ({ product_id, quantity: 2 })) } });
    const { redeemables } = await shop.validate(["BOTH"], cart(mug));
    expect(redeemables[0].result).toMatchObject({
      error: { key: "order_rules_violated" },
      bundle: { quantity: 0, limit: 1, missing: [{ id: pen, object: "product", item_quantity: 1 }] },
    });
    const complete = await shop.validate(["BOTH"], cart(mug, pen));
    expect(complete.redeemables[0].result.bundle).toMatchObject({
      quantity: 1,
      limit: 1,
      identified: [
        { id: mug, object: "product", item_index: 0, item_quantity: 1 },
        { id: pen, object: "product", item_index: 1, item_quantity: 1 },
      ],
      missing: [],
    });
  });

  test("of items lists them with what was said of them and the lines they are on", async () => {
    const shop = await aShop(service);
    const product = async (source_id: string, price: number) =>
      (await shop.api.post("/v1/products", { source_id, name: source_id, price }, 200)).body.id;
    const [pen, cap] = [await product("pen", 300), await product("cap", 900)];
    const included = [
      {
        object: "product",
        id: pen,
        source_id: "pen",
        effect: "APPLY_TO_EVERY",
        target: "UNIT",
        skip_initially: 1,
        repeat: 2,
        quantity_limit: 4,
      },
    ];
    const applicable_to = {
      included,
      excluded: [{ object: "product", id: cap, source_id: "cap" }],
      included_all: false,
    };
    const sent = { name: "pens", rules: { logic: "" }, applicable_to };
    const rule = (await shop.api.post("/v1/validation-rules", sent, 200)).body.id;
    const discount = { type: "AMOUNT", amount_off: 50, effect: "APPLY_TO_ITEMS_BY_QUANTITY" };
    await shop.voucher("PENS", { discount, validation_rules: [rule] });
    const items = [
      { product_id: cap, quantity: 1 },
      { product_id: pen, quantity: 5 },
    ];
    const body = await shop.validate(["PENS"], { order: { items } });
    expect(body.redeemables[0].applicable_to).toMatchObject({ total: 1, data_ref: "data", object: "list" });
    expect(body.redeemables[0].applicable_to.data[0]).toMatchObject({
      object: "product",
      id: pen,
      source_id: "pen",
      strict: false,
      effect: "APPLY_TO_EVERY",
      quantity_limit: 4,
      order_item_indices: [1],
      order_item_units: [{ index: 1, units: [2, 4] }],
      skip_initially: 1,
      repeat: 2,
      target: "UNIT",
    });
    expect(body.redeemables[0].inapplicable_to.data).toMatchObject([{ object: "product", id: cap, source_id: "cap" }]);
    expect(body.order).toMatchObject({ items_discount_amount: 100, total_amount: 2_300 });
  });
});

describe("a message of one's own", () => {
  test.each<[string, Fields, Fields, Fields | undefined, string]>([
    [
      "of the condition",
      { error: { message: "Buy more" } },
      { error: { message: "Sorry" } },
      { message: "Buy more" },
      "Buy more",
    ],
    ["of the rule, where the condition has none", {}, { error: { message: "Sorry" } }, { message: "Sorry" }, "Sorry"],
    ["of nobody", {}, {}, undefined, "order does not match validation rules"],
  ])("%s", async (_, condition, rule, error, message) => {
    const shop = await aShop(service);
    const leaf = { name: "order.amount", conditions: { $more_than: [20_000] }, ...condition };
    const sent = { name: "large", rules: { 1: leaf, logic: "1" }, ...rule };
    const id = (await shop.api.post("/v1/validation-rules", sent, 200)).body.id;
    await shop.voucher("LARGE", { validation_rules: [id] });
    const { result } = (await shop.validate(["LARGE"])).redeemables[0];
    expect(result.error.error).toEqual(error);
    expect(result.error.message).toBe("order does not match validation rules");
    expect(result.details).toEqual({ key: "order_rules_violated", message });
  });
});

test("the worked example: gift, percentage and tier on a cart of 870.00", async () => {
  const shop = await aShop(service);
  await shop.voucher("GIFT", { gift: { amount: 5_000 } });
  await shop.voucher("TEN", percent(10));
  const [tier] = (await tiersOf(shop.api, [{ action: off(7_000) }])).ids as [string];
  const sent = [asked("GIFT", { gift: { credits: 1_500 } }), "TEN", { object: "promotion_tier", id: tier }];
  const { redeemables, order } = await shop.validate(sent, { order: { amount: 87_000 } });
  const row = ({ discount_amount, applied_discount_amount, total_amount }: Record<string, number>) => [
    discount_amount,
    applied_discount_amount,
    total_amount,
  ];
  expect([...redeemables.map((entry: { order: Record<string, number> }) => row(entry.order)), row(order)]).toEqual([
    [1_500, 1_500, 85_500],
    [10_050, 8_550, 76_950],
    [17_050, 7_000, 69_950],
    [17_050, 17_050, 69_950],
  ]);
  expect(redeemables[0].result).toEqual({ gift: { balance: 5_000, credits: 1_500 } });
});

test("a condition on the amount sees the order as earlier redeemables left it", async () => {
  const shop = await aShop(service);
  const rule = await aRule(shop.api, "order.amount", { $more_than: [35_000] });
  await shop.voucher("FIFTEEN", percent(15));
  await shop.voucher("RULED", { validation_rules: [rule] });
  const order = { amount: 40_000 };
  expect((await shop.validate(["FIFTEEN", "RULED"], { order })).valid).toBe(false);
  expect((await shop.validate(["RULED", "FIFTEEN"], { order })).valid).toBe(true);
});
