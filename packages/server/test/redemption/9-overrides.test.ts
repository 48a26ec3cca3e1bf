import { describe, expect, test } from "vitest";
import type { Fields } from "../../src/features/promotions/promotion.fixtures.js";
import { startService } from "../harness/service.js";
import { aStockedShop, asked, type Shop } from "./shop.fixtures.js";

const service = await startService();
const mug = (fields: Fields = {}) => ({ name: "Mug", price: 900, metadata: { shelf: "B" }, ...fields });
const line = (product: Fields, more: Fields = {}) => ({
  source_id: "mug",
  related_object: "product",
  quantity: 1,
  product,
  ...more,
});
const productsOf = async ({ api }: Shop) => (await api.get("/v1/products", 200)).body.products as Fields[];
const writers: [string, (shop: Shop, order: Fields) => Promise<unknown>][] = [
  ["a redemption", (shop, order) => shop.redeem(["A"], { order })],
  ["an order", (shop, order) => shop.api.post("/v1/orders", order, 200)],
];

describe.each(writers)("what %s writes to the catalogue of products (redemption.md §9, rules.md §19)", (_, write) => {
  test.each([true, false, undefined, null])("is a line's product only where it says override: %s", async (override) => {
    const shop = await aStockedShop(service);
    await write(shop, { items: [line(mug({ override }))] });
    expect(await productsOf(shop)).toMatchObject(override ? [{ source_id: "mug", ...mug() }] : []);
  });

  test.each([true, false])("changes what is there where it says override: %s", async (override) => {
    const shop = await aStockedShop(service);
    const cup = { source_id: "mug", name: "Cup", price: 500, metadata: { shelf: "A", size: 2 } };
    const { id } = (await shop.api.post("/v1/products", cup, 200)).body;
    for (const named of [{ source_id: "mug" }, { source_id: null, product_id: id }])
      await write(shop, { items: [line({ price: 900, metadata: { shelf: "B" }, override }, named)] });
    expect(await productsOf(shop)).toMatchObject([
      override ? { id, name: "Cup", price: 900, metadata: { shelf: "B", size: 2 } } : { id, ...cup },
    ]);
  });

  test("is a SKU, too, of a product that is there or made with it", async () => {
    const shop = await aStockedShop(service);
    const sku = { source_id: "large", sku: "Large", price: 950, metadata: { size: "L" } };
    const of_sku = { source_id: "large", related_object: "sku", sku: { ...sku, override: true } };
    await write(shop, { items: [line(mug({ source_id: "mug", override: true }), of_sku)] });
    const [product] = await productsOf(shop);
    expect(product).toMatchObject({ source_id: "mug", name: "Mug" });
    expect((await shop.api.get("/v1/skus/large", 200)).body).toMatchObject({ ...sku, product_id: product?.id });
    const changed = { source_id: "large", related_object: "sku", sku: { price: 990, override: true } };
    await write(shop, { items: [{ ...changed, quantity: 1 }] });
    expect((await shop.api.get("/v1/skus/large", 200)).body).toMatchObject({ sku: "Large", price: 990 });
    const alone = { source_id: "small", related_object: "sku", quantity: 1, sku: { price: 1, override: true } };
    await write(shop, { items: [alone] });
    await shop.api.get("/v1/skus/small", 404);
  });

  test("is what several lines say of one product, together", async () => {
    const shop = await aStockedShop(service);
    const items = [
      { name: "Mug", metadata: { a: 1 } },
      { price: 900, metadata: { b: 2 } },
    ].map((product) => line({ ...product, override: true }));
    await write(shop, { items });
    const expected = { source_id: "mug", name: "Mug", price: 900, metadata: { a: 1, b: 2 } };
    expect(await productsOf(shop)).toMatchObject([expected]);
  });

  test("is nothing of a line without a name, of a product in the bin, and the built-in one is changed", async () => {
    const shop = await aStockedShop(service);
    await shop.api.post("/v1/products", { source_id: "mug", name: "Cup", price: 500 }, 200);
    await shop.api.delete("/v1/products/mug", 204);
    await write(shop, { items: [line(mug({ override: true })), { quantity: 1, product: mug({ override: true }) }] });
    expect(await productsOf(shop)).toEqual([]);
    await write(shop, {
      items: [{ product_id: "prod_5h1pp1ng", quantity: 1, product: { price: 400, override: true } }],
    });
    expect(await productsOf(shop)).toMatchObject([{ id: "prod_5h1pp1ng", name: "Shipping", price: 400 }]);
  });
});

test("a redemption that fails, a validation, a page and a stored order that is named leave the catalogue as it is", async () => {
  const shop = await aStockedShop(service);
  const items = [line(mug({ override: true }))];
  await shop.redeem(["OFF"], { order: { items } }, 400);
  await shop.validate(["A"], { order: { items } });
  await shop.page.post("/client/v1/redemptions", { redeemables: [asked("A")], order: { items } }, 200);
  expect(await productsOf(shop)).toEqual([]);
  const { order } = await shop.redeem(["A"], { order: { source_id: "cart", items } });
  await shop.api.put("/v1/products/mug", { price: 500 }, 200);
  await shop.redeem(["A"], { order: { id: order.id } });
  await shop.redeem(["A"], { order: { source_id: "cart", items } });
  expect(await productsOf(shop)).toMatchObject([{ price: 500 }]);
  await shop.redeem(["A"], { order: { id: order.id, items } });
  expect(await productsOf(shop)).toMatchObject([{ price: 900 }]);
});

test.each(writers)("%s, many at once, make one product with what each says of it", async (_, write) => {
  const shop = await aStockedShop(service);
  const writeWith = (key: number) =>
    write(shop, { items: [line(mug({ metadata: { [`k${key}`]: key }, override: true }))] });
  await Promise.all(Array.from({ length: 12 }, (_, i) => writeWith(i)));
  const [product, ...others] = await productsOf(shop);
  expect(others).toEqual([]);
  expect(Object.keys(product?.metadata as Fields)).toHaveLength(12);
  expect((await shop.api.get("/v1/orders", 200)).body.total).toBe(12);
});
