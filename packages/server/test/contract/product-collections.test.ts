import { describe, expect, test } from "vitest";
import { startService } from "../harness/service.js";

const { api } = await startService();
const path = "/v1/product-collections";
const filter = { junction: "and", name: { conditions: { $is: ["Cup"] } } };

const { body: cup } = await api.post("/v1/products", { source_id: "cup", name: "Cup", price: 500 }, 200);
const { body: sku } = await api.post("/v1/products/cup/skus", { source_id: "cup-red", sku: "Red" }, 200);
const products = [
  { id: cup.id, object: "product" },
  { id: sku.id, object: "sku", product_id: cup.id },
];

const kinds = [
  { type: "STATIC", products },
  { type: "AUTO_UPDATE", filter },
];
const shownAs = (kind: object, name: string) => ({
  id: expect.any(String),
  name,
  ...kind,
  created_at: expect.any(String),
  object: "products_collection",
});

describe.each(kinds)("a collection of products that is $type", (kind) => {
  test("is created, read, listed, changed and deleted in one shape", async () => {
    const { body } = await api.post(path, { name: "Cups", ...kind }, 200);
    expect(body).toEqual(shownAs(kind, "Cups"));
    expect((await api.get(`${path}/${body.id}`, 200)).body).toEqual(body);
    expect((await api.get(path, 200)).body).toEqual({ object: "list", data_ref: "data", data: [body], total: 1 });
    const { type, ...changeable } = kind;
    const changed = (await api.put(`${path}/${body.id}`, { ...changeable, name: "Mugs" }, 200)).body;
    expect(changed).toEqual({ ...shownAs(kind, "Mugs"), id: body.id, updated_at: expect.any(String) });
    expect((await api.delete(`${path}/${body.id}`, 204)).body).toBeNull();
  });

  test("lists its products and SKUs", async () => {
    const { id } = (await api.post(path, { name: "Cups", ...kind }, 200)).body;
    const { body } = await api.get(`${path}/${id}/products`, 200);
    const { image_url, created_at, updated_at, ...product } = cup;
    expect(body).toEqual({ object: "list", data_ref: "data", data: [{ ...sku, product }, cup], total: 2 });
    await api.delete(`${path}/${id}`, 204);
  });
});

test("the page size of both lists is 1 to 100", async () => {
  const { id } = (await api.post(path, { name: "Cups", type: "STATIC" }, 200)).body;
  for (const list of [path, `${path}/${id}/products`]) {
    for (const limit of [1, 100]) await api.get(`${list}?limit=${limit}`, 200);
    for (const limit of [0, 101]) await api.get(`${list}?limit=${limit}`, 400);
  }
});

test("a collection that a rule names is in use: 400, with the rules' ids and what they are", async () => {
  const { id } = (await api.post(path, { name: "Cups", type: "STATIC" }, 200)).body;
  const applicable_to = { included: [{ object: "products_collection", id }] };
  const rule = (await api.post("/v1/validation-rules", { name: "names it", applicable_to }, 200)).body;
  expect((await api.delete(`${path}/${id}`, 400)).body).toEqual({
    code: 400,
    key: "resource_in_use",
    message: "Resource in use",
    details: `Resource products_collection with id ${id} is in use by validation_ruless with ids [${rule.id}]`,
    request_id: expect.any(String),
    resource_id: id,
    resource_type: "products_collection",
    related_object_ids: [rule.id],
    related_object_type: "validation_rules",
  });
});
