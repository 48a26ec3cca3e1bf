import { describe, expect, test } from "vitest";
import { startService, type TestProject } from "../../../test/harness/service.js";

const { clock, anotherProject, runDue } = await startService();

interface Shop extends TestProject {
  /** Ids of a collection's members as the list has them. */
  members(collection: object, query?: string): Promise<{ ids: string[]; total: number }>;
}

/** A project of its own, since a filter looks at the whole catalogue; each thing is made a minute after the one before. */
async function aShop(): Promise<Shop> {
  const shop = await anotherProject();
  return {
    ...shop,
    async members(collection, query = "") {
      const { body } = await shop.api.post("/v1/product-collections", { name: "any", ...collection }, 200);
      const list = await shop.api.get(`/v1/product-collections/${body.id}/products?${query}`, 200);
      expect(list.body).toMatchObject({ object: "list", data_ref: "data" });
      return { ids: list.body.data.map(({ id }: { id: string }) => id), total: list.body.total };
    },
  };
}

async function aProduct({ api }: Shop, id: string, fields: object = {}) {
  clock.advance({ minutes: 1 });
  return (await api.post("/v1/products", { id, ...fields }, 200)).body;
}

async function aSku({ api }: Shop, product_id: string, id: string, fields: object = {}) {
  clock.advance({ minutes: 1 });
  return (await api.post(`/v1/products/${product_id}/skus`, { id, ...fields }, 200)).body;
}

const listing = (...ids: string[]) => ({
  type: "STATIC",
  products: ids.map((id) => ({ id, object: id.startsWith("sku") ? "sku" : "product" })),
});
const finding = (filter: object, junction = "and") => ({ type: "AUTO_UPDATE", filter: { junction, ...filter } });
const where = (field: string, conditions: object) => ({ [field]: { conditions } });

const shop = await aShop();
const mug = await aProduct(shop, "mug", {
  source_id: "m-1",
  name: "Mug",
  price: 1000,
  attributes: ["colour"],
  metadata: { room: "kitchen", size: "S" },
  image_url: "https://shop.example/mug.png",
});
const red = await aSku(shop, "mug", "sku-red", {
  source_id: "m-1-red",
  sku: "Red mug",
  price: 1200,
  currency: "EUR",
  attributes: { colour: "red" },
  metadata: { size: "L" },
});
await aSku(shop, "mug", "sku-blue", { sku: "Blue mug" });
await aProduct(shop, "rug", { name: "Rug", price: 9000, metadata: { room: "hall" } });
await aSku(shop, "rug", "sku-rug", { price: 400, metadata: { room: "bath" } });

describe("the members of a STATIC collection", () => {
  test("are what it lists and all SKUs of its products, the newest first and each once", async () => {
    expect(await shop.members(listing("mug", "sku-red", "sku-rug"))).toEqual({
      ids: ["sku-rug", "sku-blue", "sku-red", "mug"],
      total: 4,
    });
    expect(await shop.members(listing("sku-red"))).toEqual({ ids: ["sku-red"], total: 1 });
    expect(await shop.members(listing())).toEqual({ ids: [], total: 0 });
  });

  test("are shown as products without SKUs and as SKUs with their product", async () => {
    const { api } = shop;
    const { body } = await api.post("/v1/product-collections", { name: "Red", ...listing("mug", "sku-red") }, 200);
    const { data } = (await api.get(`/v1/product-collections/${body.id}/products?order=created_at`, 200)).body;
    const { id, source_id, name, price, attributes, metadata } = mug;
    expect(data.slice(0, 2)).toEqual([
      mug,
      { ...red, product: { id, source_id, name, price, attributes, metadata, object: "product" } },
    ]);
  });

  test("do not hold what is in the bin, and hold again what is made again under the same id", async () => {
    const shop = await aShop();
    await aProduct(shop, "pen");
    await aSku(shop, "pen", "sku-pen");
    await aSku(shop, "pen", "sku-red");
    await aProduct(shop, "cap");
    await aSku(shop, "cap", "sku-cap");
    await shop.api.delete("/v1/products/cap", 204);
    await shop.api.delete("/v1/products/pen/skus/sku-red", 204);
    await shop.api.delete("/v1/products/pen/skus/sku-pen?force=true", 204);
    const { body } = await shop.api.post(
      "/v1/product-collections",
      { name: "c", ...listing("pen", "cap", "sku-cap") },
      200,
    );
    const ids = async () => {
      const { data } = (await shop.api.get(`/v1/product-collections/${body.id}/products`, 200)).body;
      return data.map(({ id }: { id: string }) => id);
    };
    expect(await ids()).toEqual(["pen"]);
    await aSku(shop, "pen", "sku-pen");
    expect(await ids()).toEqual(["sku-pen", "pen"]);
  });
});

describe("the members of an AUTO_UPDATE collection", () => {
  test.each([
    [
      "a price, of a SKU its own or else its product's",
      where("price", { $more_than: [900] }),
      "and",
      ["rug", "sku-blue", "sku-red", "mug"],
    ],
    ["a price that only the SKU has", where("price", { $is: [1200] }), "and", ["sku-red"]],
    ["a product that does not bring its SKU", where("metadata.room", { $is: ["hall"] }), "and", ["rug"]],
    [
      "metadata that a SKU has from its product",
      where("metadata.room", { $is: ["kitchen"] }),
      "and",
      ["sku-blue", "sku-red", "mug"],
    ],
    [
      "metadata that a SKU has instead of its product's",
      where("metadata.size", { $is_not: ["L"] }),
      "and",
      ["sku-rug", "rug", "sku-blue", "mug"],
    ],
    ["a name, which SKUs have from the product", where("name", { $is: "Rug" }), "and", ["sku-rug", "rug"]],
    ["the kind", where("object", { $is: ["product"] }), "and", ["rug", "mug"]],
    ["a source id", where("source_id", { $starts_with: ["m-1-"] }), "and", ["sku-red"]],
    ["both", { ...where("object", { $is: ["sku"] }), ...where("price", { $less_than: [500] }) }, "AND", ["sku-rug"]],
    [
      "either",
      { ...where("object", { $is: ["product"] }), ...where("price", { $less_than: [500] }) },
      "OR",
      ["sku-rug", "rug", "mug"],
    ],
    ["when it was made", where("created_at", { $before: [red.created_at] }), "and", ["mug"]],
    ["nothing in particular", {}, "and", ["sku-rug", "rug", "sku-blue", "sku-red", "mug"]],
  ])("are what its filter finds by %s", async (_name, filter, junction, ids) => {
    expect(await shop.members(finding(filter, junction))).toEqual({ ids, total: ids.length });
  });

  test("come and go with the catalogue and with the day", async () => {
    const shop = await aShop();
    await aProduct(shop, "hat", { price: 100 });
    await aProduct(shop, "cap", { price: 100 });
    await aSku(shop, "cap", "sku-cap");
    await shop.api.delete("/v1/products/cap", 204);
    expect((await shop.members(finding(where("price", { $is: [100] })))).ids).toEqual(["hat"]);
    await shop.api.put("/v1/products/hat", { price: 200 }, 200);
    expect((await shop.members(finding(where("price", { $is: [100] })))).ids).toEqual([]);
    const old = finding(where("created_at", { $more_than: [2] }));
    expect((await shop.members(old)).ids).toEqual([]);
    clock.advance({ days: 3 });
    expect((await shop.members(old)).ids).toEqual(["hat"]);
  });

  test("are counted to the last, however many there are, and only those of the page are read", async () => {
    const shop = await aShop();
    const products = Array.from({ length: 1100 }, (_, i) => ({ source_id: `p-${i}`, price: i }));
    await shop.api.post("/v1/products/bulk/async", products, 202);
    await runDue();
    const many = finding(where("price", { $more_than: [99] }));
    const first = await shop.members(many, "limit=100");
    expect(first.total).toBe(1000);
    const last = await shop.members(many, "limit=100&page=10");
    expect([last.ids.length, last.total]).toEqual([100, 1000]);
    expect(first.ids.filter((id) => last.ids.includes(id))).toEqual([]);
    expect(await shop.members(many, "limit=100&page=11")).toEqual({ ids: [], total: 1000 });
  });
});

describe.each([
  ["STATIC", listing("mug", "rug", "sku-rug")],
  ["AUTO_UPDATE", finding(where("metadata.room", { $in: ["kitchen", "hall", "bath"] }))],
])("the list of members of a collection that is %s", (_type, collection) => {
  const oldest_first = ["mug", "sku-red", "sku-blue", "rug", "sku-rug"];

  test.each([
    ["", [...oldest_first].reverse()],
    ["order=created_at", oldest_first],
    ["order=-created_at&limit=2", ["sku-rug", "rug"]],
    ["order=created_at&limit=2&page=2", ["sku-blue", "rug"]],
    ["page=2", []],
    [`order=created_at&starting_after=${red.created_at}`, ["sku-blue", "rug", "sku-rug"]],
    [`starting_after=${red.created_at}`, ["mug"]],
  ])("with %j", async (query, ids) => {
    expect(await shop.members(collection, query)).toEqual({ ids, total: 5 });
  });

  test("is also ordered by the last change", async () => {
    const shop = await aShop();
    for (const id of ["mug", "rug"]) await aProduct(shop, id, { metadata: { room: "hall" } });
    clock.advance({ minutes: 1 });
    await shop.api.put("/v1/products/mug", { name: "changed" }, 200);
    expect((await shop.members(collection, "order=-updated_at")).ids).toEqual(["mug", "rug"]);
    expect((await shop.members(collection, "order=updated_at")).ids).toEqual(["rug", "mug"]);
    expect((await shop.members(collection, "order=-created_at")).ids).toEqual(["rug", "mug"]);
  });

  test.each(["limit=101", "limit=0", "page=101", "order=name", "starting_after=soon"])("refuses %s", async (query) => {
    const { body } = await shop.api.post("/v1/product-collections", { name: "any", ...collection }, 200);
    const answer = await shop.api.get(`/v1/product-collections/${body.id}/products?${query}`, 400);
    expect(answer.body.key).toBe("invalid_query_params");
  });
});
