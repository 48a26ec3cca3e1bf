import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";

const { api, anotherProject } = await startService();

await api.post("/v1/products", { source_id: "mug", name: "Mug", price: 1000, metadata: { kind: "cup", a: 1 } }, 200);
const { body: mug } = await api.get("/v1/products/mug", 200);
const { body: red } = await api.post(
  "/v1/products/mug/skus",
  { source_id: "mug-red", sku: "Red mug", price: 1200, metadata: { a: 2 } },
  200,
);
const { body: blue } = await api.post("/v1/products/mug/skus", { source_id: "mug-blue", sku: "Blue mug" }, 200);
await api.post("/v1/vouchers/TEN", { discount: { type: "PERCENT", percent_off: 10 } }, 200);

const validated = async (code: string, items: unknown[], status = 200) => {
  const redeemables = [{ object: "voucher", id: code }];
  return (await api.post("/v1/validations", { redeemables, order: { items } }, status)).body;
};

describe("a line of an order", () => {
  test.each([
    ["the product's id", { product_id: mug.id }, 1000, {}],
    ["the product's source id", { product_id: "mug" }, 1000, {}],
    ["a source id", { source_id: "mug" }, 1000, {}],
    ["a source id of a product", { source_id: "mug", related_object: "product" }, 1000, {}],
    ["the product inside", { product: { id: mug.id } }, 1000, {}],
    ["the product's source id inside", { product: { source_id: "mug" } }, 1000, {}],
    ["the SKU's id", { sku_id: red.id }, 1200, { sku_id: red.id }],
    ["the SKU's source id", { sku_id: "mug-red" }, 1200, { sku_id: red.id }],
    ["a source id of a SKU", { source_id: "mug-red", related_object: "sku" }, 1200, { sku_id: red.id }],
    ["the SKU inside", { sku: { source_id: "mug-red" } }, 1200, { sku_id: red.id }],
    ["a SKU without a price", { sku_id: "mug-blue" }, 1000, { sku_id: blue.id }],
    ["product and SKU", { product_id: "mug", sku_id: "mug-red" }, 1200, { sku_id: red.id }],
    ["an unknown SKU of a known product", { product_id: "mug", sku_id: "mug-green" }, 1000, { sku_id: "mug-green" }],
  ])("that names %s has the catalogue's price", async (_name, line, price, more) => {
    const { order } = await validated("TEN", [{ ...line, quantity: 2 }]);
    expect(order).toMatchObject({ amount: 2 * price, total_amount: 2 * price * 0.9 });
    expect(order.items[0]).toMatchObject({
      product_id: mug.id,
      ...more,
      price,
      amount: 2 * price,
      product: { id: mug.id, source_id: "mug", name: "Mug", price: 1000, metadata: { kind: "cup", a: 1 } },
    });
  });

  test.each([
    ["its own", { price: 5, sku: { price: 6 }, product: { price: 7 } }, 5],
    ["its SKU's", { sku: { price: 6 }, product: { price: 7 } }, 6],
    ["its product's", { product: { price: 7 } }, 7],
    ["zero, if that was sent", { price: 0 }, 0],
    ["the catalogue's, which is the SKU's", {}, 1200],
  ])("is priced at %s", async (_name, sent, price) => {
    const { order } = await validated("TEN", [{ sku_id: "mug-red", quantity: 1, ...sent }]);
    expect(order.items[0].price).toBe(price);
  });

  test("that names nothing known is judged as sent", async () => {
    const { order } = await validated("TEN", [{ source_id: "unheard", quantity: 1, price: 300 }, { amount: 700 }]);
    expect(order.amount).toBe(1000);
    expect(order.items[0]).not.toHaveProperty("product");
  });

  test.each([
    ["product", { product_id: "unheard" }],
    ["product", { source_id: "unheard", related_object: "product" }],
    ["sku", { product_id: "mug", sku_id: "unheard" }],
    ["sku", { source_id: "unheard", related_object: "sku" }],
  ])("whose %s is not in the catalogue is found by its source id as %j", async (object, naming) => {
    const item = { object, source_id: "unheard" };
    const filter = { junction: "and", source_id: { conditions: { $is: ["unheard"] } } };
    const { body: held } = await api.post("/v1/product-collections", { name: "Unheard", type: "AUTO_UPDATE", filter });
    const { body: voucher } = await api.post(
      "/v1/vouchers",
      { discount: { type: "PERCENT", percent_off: 10, effect: "APPLY_TO_ITEMS" } },
      200,
    );
    const asked = (operands: object[], n: number) => ({
      [n]: { name: "order.items.any", conditions: { $is: operands } },
    });
    const collection = { id: held.id, object: "products_collection" };
    const { body: rule } = await api.post(
      "/v1/validation-rules",
      {
        name: "Unheard",
        rules: { ...asked([item], 1), ...asked([collection], 2), logic: "1 and 2" },
        applicable_to: { included: [item] },
      },
      200,
    );
    await api.post(`/v1/validation-rules/${rule.id}/assignments`, { related_object_id: voucher.code }, 200);
    const { valid, order } = await validated(voucher.code, [
      { ...naming, quantity: 1, price: 500 },
      { product_id: "mug", quantity: 1, price: 500 },
    ]);
    expect({ valid, discount: order?.total_discount_amount }).toEqual({ valid: true, discount: 50 });
  });

  test("does not know what is in the bin, and nothing of another project", async () => {
    await api.post("/v1/products", { source_id: "gone", price: 900 }, 200);
    expect((await validated("TEN", [{ product_id: "gone", quantity: 1 }])).order.amount).toBe(900);
    await api.delete("/v1/products/gone", 204);
    const left = { product_id: "gone", quantity: 1 };
    expect((await validated("TEN", [left, { amount: 1 }])).order.amount).toBe(1);
    const other = await anotherProject();
    const { body } = await other.api.post("/v1/orders", { items: [{ product_id: mug.id, quantity: 1 }] }, 200);
    expect(body).not.toHaveProperty("amount");
  });
});

describe("a stored order", () => {
  test("is priced by the catalogue, and keeps its prices when that changes", async () => {
    await api.post("/v1/products", { source_id: "pen", name: "Pen", price: 150 }, 200);
    const items = [{ product_id: "pen", quantity: 4 }];
    const { body } = await api.post("/v1/orders", { source_id: "o-1", items }, 200);
    expect(body).toMatchObject({ amount: 600, total_amount: 600 });
    expect(body.items[0]).toMatchObject({ price: 150, amount: 600, subtotal_amount: 600, product: { name: "Pen" } });
    await api.put("/v1/products/pen", { price: 200 }, 200);
    expect((await api.get("/v1/orders/o-1", 200)).body.amount).toBe(600);
    expect((await api.put("/v1/orders/o-1", { metadata: { a: 1 } }, 200)).body.amount).toBe(600);
    expect((await api.put("/v1/orders/o-1", { items }, 200)).body.amount).toBe(800);
  });

  test("made by a redemption is priced by the catalogue too", async () => {
    const order = { source_id: "o-2", items: [{ sku_id: "mug-red", quantity: 1 }] };
    const redeemables = [{ object: "voucher", id: "TEN" }];
    const { body } = await api.post("/v1/redemptions", { redeemables, order }, 200);
    expect(body.order).toMatchObject({ amount: 1200, total_amount: 1080 });
    expect((await api.get("/v1/orders/o-2", 200)).body.items[0]).toMatchObject({
      price: 1200,
      sku: { id: red.id, source_id: "mug-red", sku: "Red mug" },
    });
  });
});

describe("a unit discount", () => {
  const unit = (unit_type: string, effect = "ADD_MISSING_ITEMS", unit_off = 1) => ({
    discount: { type: "UNIT", unit_off, unit_type, effect },
  });

  test("gives a product that is not in the cart at the catalogue's price", async () => {
    await api.post("/v1/vouchers/FREE-MUG", unit(mug.id, "ADD_NEW_ITEMS", 2), 200);
    const { order, redeemables } = await validated("FREE-MUG", [{ amount: 500 }]);
    expect(order).toMatchObject({ amount: 2500, initial_amount: 500, total_amount: 500 });
    expect(order.items[1]).toMatchObject({
      product_id: mug.id,
      quantity: 2,
      initial_quantity: 0,
      discount_quantity: 2,
      discount_amount: 2000,
      product: { name: "Mug" },
    });
    expect(redeemables[0].result.discount).toMatchObject({
      unit_type: mug.id,
      product: { id: mug.id, source_id: "mug", name: "Mug" },
    });
    expect(redeemables[0].result.discount.product).not.toHaveProperty("price");
    expect(redeemables[0].result.discount).not.toHaveProperty("sku");
  });

  test("gives a SKU, and knows it in the cart by any of its names", async () => {
    await api.post("/v1/vouchers/FREE-RED", unit(red.id, "ADD_MISSING_ITEMS", 3), 200);
    const { order, redeemables } = await validated("FREE-RED", [{ sku_id: "mug-red", quantity: 2 }]);
    expect(order.items).toHaveLength(1);
    expect(order).toMatchObject({ amount: 3600, total_amount: 0 });
    expect(redeemables[0].result.discount.sku).toEqual({
      id: red.id,
      source_id: "mug-red",
      name: "Red mug",
      sku: "Red mug",
    });
  });

  test("gives many, each with its name", async () => {
    const units = [
      { unit_off: 1, unit_type: mug.id, effect: "ADD_NEW_ITEMS" },
      { unit_off: 1, unit_type: red.id, effect: "ADD_NEW_ITEMS" },
    ];
    await api.post("/v1/vouchers/MANY", { discount: { type: "UNIT", effect: "ADD_MANY_ITEMS", units } }, 200);
    const { order, redeemables } = await validated("MANY", [{ amount: 500 }]);
    expect(order).toMatchObject({ amount: 2700, total_amount: 500 });
    expect(redeemables[0].result.discount.units).toMatchObject([
      { product: { name: "Mug" } },
      { product: { name: "Mug" }, sku: { sku: "Red mug" } },
    ]);
  });

  test("of shipping adds a line without money until shipping has a price", async () => {
    const shop = await anotherProject();
    await shop.api.post("/v1/vouchers/SHIP", unit("prod_5h1pp1ng"), 200);
    const ask = { redeemables: [{ object: "voucher", id: "SHIP" }], order: { items: [{ amount: 900 }] } };
    const { body } = await shop.api.post("/v1/validations", ask, 200);
    expect(body.order).toMatchObject({ amount: 900, total_amount: 900 });
    expect(body.order.items[1]).toMatchObject({
      product_id: "prod_5h1pp1ng",
      quantity: 1,
      initial_quantity: 0,
      discount_quantity: 1,
      product: { source_id: "5h1pp1ng", name: "Shipping" },
    });
    expect(body.order.items[1]).not.toHaveProperty("amount");
    expect(body.redeemables[0].result.discount.product).toEqual({
      id: "prod_5h1pp1ng",
      source_id: "5h1pp1ng",
      name: "Shipping",
    });
    await shop.api.put("/v1/products/prod_5h1pp1ng", { price: 450 }, 200);
    const priced = await shop.api.post("/v1/validations", ask, 200);
    expect(priced.body.order).toMatchObject({ amount: 1350, total_amount: 900 });
    const in_cart = { ...ask, order: { items: [{ amount: 900 }, { source_id: "5h1pp1ng", quantity: 1, price: 700 }] } };
    expect((await shop.api.post("/v1/validations", in_cart, 200)).body.order.total_amount).toBe(900);
  });

  test.each([
    ["prod_nothing", "product"],
    ["sku_nothing", "sku"],
  ])("of %s, which nobody knows, is refused", async (id, resource_type) => {
    const expected = { key: "not_found", resource_type, resource_id: id };
    expect((await api.post("/v1/vouchers", unit(id), 404)).body).toMatchObject(expected);
    const campaign = { name: `Unit ${id}`, campaign_type: "DISCOUNT_COUPONS", voucher: unit(id), vouchers_count: 1 };
    expect((await api.post("/v1/campaigns", campaign, 404)).body).toMatchObject(expected);
    const tiers = [{ name: "t", action: unit(id) }];
    const promotion = { name: `Tier ${id}`, promotion: { tiers } };
    expect((await api.post("/v1/campaigns", promotion, 404)).body).toMatchObject(expected);
  });

  test("of a product that was deleted since still adds its line", async () => {
    const { body } = await api.post("/v1/products", { source_id: "soon-gone", price: 100 }, 200);
    await api.post("/v1/vouchers/GONE", unit(body.id, "ADD_NEW_ITEMS"), 200);
    await api.delete("/v1/products/soon-gone?force=true", 204);
    expect((await validated("GONE", [{ amount: 900 }])).order.total_amount).toBe(900);
  });
});

test("a promotion tier may give a unit", async () => {
  const discount = { type: "UNIT", unit_off: 1, unit_type: mug.id, effect: "ADD_NEW_ITEMS" };
  const tiers = [{ name: "t", action: { discount } }];
  const { body } = await api.post("/v1/campaigns", { name: "Gift", promotion: { tiers } }, 200);
  const redeemables = [{ object: "promotion_tier", id: body.promotion.tiers[0].id }];
  const { body: valid } = await api.post("/v1/validations", { redeemables, order: { amount: 100 } }, 200);
  expect(valid.order.items[0]).toMatchObject({ product_id: mug.id, quantity: 1, discount_amount: 1000 });
});
