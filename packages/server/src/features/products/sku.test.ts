import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";

const { api, anotherProject } = await startService();

describe("a SKU", () => {
  test("belongs to its product and is read by either of its names", async () => {
    const { body: product } = await api.post("/v1/products", { source_id: "shirt", attributes: ["size"] }, 200);
    const sent = {
      source_id: "shirt-m",
      sku: "Shirt M",
      price: 2000,
      currency: "EUR",
      attributes: { size: "M" },
      metadata: { fit: "slim" },
      image_url: "https://shop.test/m.png",
    };
    const { body } = await api.post("/v1/products/shirt/skus", sent, 200);
    expect(body).toMatchObject({ ...sent, product_id: product.id, updated_at: null, object: "sku" });
    expect(body.id).toMatch(/^sku_/);
    for (const path of [
      `/v1/skus/${body.id}`,
      "/v1/skus/shirt-m",
      "/v1/products/shirt/skus/shirt-m",
      `/v1/products/${product.id}/skus/${body.id}`,
    ]) {
      expect((await api.get(path, 200)).body).toEqual(body);
    }
    expect((await api.get("/v1/products/shirt", 200)).body.skus).toMatchObject({ data: [body], total: 1 });
    const list = await api.get("/v1/products/shirt/skus", 200);
    expect(list.body).toEqual({ object: "list", data_ref: "skus", skus: [body], total: 1 });
  });

  test("posted again is changed; by PUT all but its names can be", async () => {
    await api.post("/v1/products", { source_id: "twice" }, 200);
    const { body } = await api.post("/v1/products/twice/skus", { source_id: "s", price: 1, metadata: { a: 1 } }, 200);
    const again = await api.post("/v1/products/twice/skus", { source_id: "s", sku: "S", metadata: { b: 2 } }, 200);
    expect(again.body).toMatchObject({ id: body.id, sku: "S", price: 1, metadata: { a: 1, b: 2 } });
    expect(again.body.updated_at).not.toBeNull();
    const put = await api.put(
      "/v1/products/twice/skus/s",
      { source_id: "no", product_id: "no", price: null, attributes: { size: "L" } },
      200,
    );
    expect(put.body).toMatchObject({ source_id: "s", price: null, sku: "S", attributes: { size: "L" } });
  });

  test("has a source id that no other SKU of the catalogue has", async () => {
    await api.post("/v1/products", { source_id: "a-1" }, 200);
    await api.post("/v1/products", { source_id: "a-2" }, 200);
    await api.post("/v1/products/a-1/skus", { source_id: "shared" }, 200);
    const { body } = await api.post("/v1/products/a-2/skus", { source_id: "shared" }, 409);
    expect(body).toMatchObject({ key: "duplicate_found", resource_type: "sku", resource_id: "shared" });
  });

  test("goes to the bin, or for good", async () => {
    await api.post("/v1/products", { source_id: "bins" }, 200);
    await api.post("/v1/products/bins/skus", { source_id: "soft" }, 200);
    await api.delete("/v1/products/bins/skus/soft", 204);
    await api.delete("/v1/products/bins/skus/soft", 404);
    await api.post("/v1/products/bins/skus", { source_id: "soft" }, 409);
    await api.post("/v1/products/bins/skus", { source_id: "hard" }, 200);
    await api.delete("/v1/products/bins/skus/hard?force=true", 204);
    await api.post("/v1/products/bins/skus", { source_id: "hard" }, 200);
    expect((await api.get("/v1/products/bins", 200)).body.skus.total).toBe(1);
  });

  test("is unknown under another product, and an unknown product is told first", async () => {
    await api.post("/v1/products", { source_id: "home" }, 200);
    await api.post("/v1/products", { source_id: "foreign" }, 200);
    await api.post("/v1/products/home/skus", { source_id: "homely" }, 200);
    for (const [method, body] of [["GET"], ["PUT", "{}"], ["DELETE"]] as const) {
      const call = (path: string) => api.send(method, path, { raw: body, status: 404 });
      expect((await call("/v1/products/foreign/skus/homely")).body).toMatchObject({
        resource_type: "sku",
        resource_id: "homely",
      });
      expect((await call("/v1/products/nowhere/skus/nothing")).body).toMatchObject({
        resource_type: "product",
        resource_id: "nowhere",
        details: "Cannot find product with id nowhere",
      });
    }
  });
});

test("products and SKUs of another project are unknown", async () => {
  const { body: product } = await api.post("/v1/products", { source_id: "private" }, 200);
  const { body: sku } = await api.post("/v1/products/private/skus", { source_id: "private-sku" }, 200);
  const other = await anotherProject();
  await other.api.get(`/v1/products/${product.id}`, 404);
  await other.api.put("/v1/products/private", { name: "x" }, 404);
  await other.api.delete("/v1/products/private?force=true", 404);
  await other.api.post(`/v1/products/${product.id}/skus`, {}, 404);
  await other.api.get(`/v1/products/${product.id}/skus`, 404);
  await other.api.get(`/v1/skus/${sku.id}`, 404);
  await other.api.delete(`/v1/products/${product.id}/skus/${sku.id}`, 404);
  expect((await other.api.get("/v1/products", 200)).body.total).toBe(0);
  await other.api.post("/v1/products", { id: product.id, source_id: "private" }, 200);
  expect((await api.get("/v1/products/private", 200)).body.updated_at).toBeNull();
});
