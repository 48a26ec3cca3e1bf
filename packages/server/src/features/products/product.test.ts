import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";

const { api, clock, anotherProject } = await startService();
const created = "2026-03-02T10:00:00.000Z";

describe("a product", () => {
  test("is made with what is sent, and read by its id and its source id", async () => {
    const sent = {
      source_id: "mug-1",
      name: "Mug",
      price: 1250,
      attributes: ["color"],
      metadata: { tier: "a" },
      image_url: "https://shop.test/mug.png",
    };
    const { body } = await api.post("/v1/products", sent, 200);
    expect(body).toEqual({ ...sent, id: body.id, created_at: created, updated_at: null, object: "product" });
    expect(body.id).toMatch(/^prod_/);
    const skus = { object: "list", data_ref: "data", data: [], total: 0 };
    expect((await api.get(`/v1/products/${body.id}`, 200)).body).toEqual({ ...body, skus });
    expect((await api.get("/v1/products/mug-1", 200)).body.id).toBe(body.id);
    expect((await api.get("/v1/products/mug-1?hide=sku", 200)).body).toEqual(body);
  });

  test("of which nothing is said has nulls", async () => {
    const { body } = await api.post("/v1/products", {}, 200);
    expect(body).toMatchObject({ source_id: null, name: null, price: null, attributes: [], metadata: {} });
    expect(body).toMatchObject({ image_url: null, updated_at: null });
  });

  test("posted again by source id or id is changed: absent fields stay, metadata merges, null empties", async () => {
    const first = await api.post(
      "/v1/products",
      { source_id: "again", name: "A", price: 5, metadata: { a: 1, b: [1, 2], c: { x: 1 } } },
      200,
    );
    const second = await api.post(
      "/v1/products",
      { source_id: "again", price: null, metadata: { b: [3], c: { y: 1 }, d: null } },
      200,
    );
    expect(second.body).toMatchObject({
      id: first.body.id,
      name: "A",
      price: null,
      metadata: { a: 1, b: [3], c: { y: 1 }, d: null },
      updated_at: created,
    });
    const third = await api.post("/v1/products", { id: first.body.id, name: "B", source_id: "renamed" }, 200);
    expect(third.body).toMatchObject({ id: first.body.id, name: "B", source_id: "renamed" });
    await api.get("/v1/products/again", 404);
  });

  test("may be given its id, and an id wins over a source id", async () => {
    const { body } = await api.post("/v1/products", { id: "own-id", source_id: "own-source" }, 200);
    expect(body.id).toBe("own-id");
    await api.post("/v1/products", { source_id: "own-id", name: "confusing" }, 200);
    expect((await api.get("/v1/products/own-id", 200)).body.source_id).toBe("own-source");
  });

  test("keeps its source id to itself", async () => {
    const { body: one } = await api.post("/v1/products", { source_id: "one" }, 200);
    await api.post("/v1/products", { source_id: "two" }, 200);
    const { body } = await api.post("/v1/products", { id: one.id, source_id: "two" }, 409);
    expect(body).toMatchObject({
      key: "duplicate_found",
      details: "Duplicated product exists with source_id two",
      resource_type: "product",
    });
  });

  test("is changed by PUT, which leaves what is absent and cannot change the source id", async () => {
    await api.post("/v1/products", { source_id: "put", name: "Before", price: 7, attributes: ["size"] }, 200);
    const { body } = await api.put("/v1/products/put", { name: "After", source_id: "other", metadata: { a: 1 } }, 200);
    expect(body).toMatchObject({ source_id: "put", name: "After", price: 7, attributes: ["size"], metadata: { a: 1 } });
    const emptied = await api.put("/v1/products/put", { attributes: null, image_url: null, metadata: null }, 200);
    expect(emptied.body).toMatchObject({ attributes: [], image_url: null, metadata: { a: 1 } });
  });

  test("made by many requests at once is made once", async () => {
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        api.post("/v1/products", { source_id: "rush", metadata: { [`k${i}`]: i } }, 200),
      ),
    );
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    const { body } = await api.get("/v1/products/rush", 200);
    expect(Object.keys(body.metadata)).toHaveLength(12);
  });
});

describe("deleting a product", () => {
  test("puts it and its SKUs into the bin, where they keep their source ids", async () => {
    const { body } = await api.post("/v1/products", { source_id: "binned" }, 200);
    await api.post("/v1/products/binned/skus", { source_id: "binned-sku" }, 200);
    await api.post("/v1/products", { source_id: "stays" }, 200);
    await api.delete("/v1/products/binned", 204);
    const { body: gone } = await api.delete("/v1/products/binned", 404);
    expect(gone).toMatchObject({ key: "not_found", resource_type: "product", resource_id: "binned" });
    await api.get(`/v1/products/${body.id}`, 404);
    await api.put("/v1/products/binned", { name: "x" }, 404);
    await api.get("/v1/skus/binned-sku", 404);
    await api.post("/v1/products", { source_id: "binned" }, 409);
    await api.post("/v1/products", { id: body.id }, 409);
    await api.post("/v1/products/stays/skus", { source_id: "binned-sku" }, 409);
    const { body: list } = await api.get("/v1/products?limit=100", 200);
    expect(list.products.map(({ id }: { id: string }) => id)).not.toContain(body.id);
  });

  test("with force frees every source id", async () => {
    await api.post("/v1/products", { source_id: "forced" }, 200);
    await api.post("/v1/products/forced/skus", { source_id: "forced-sku" }, 200);
    await api.delete("/v1/products/forced?force=true", 204);
    await api.post("/v1/products", { source_id: "forced" }, 200);
    await api.post("/v1/products/forced/skus", { source_id: "forced-sku" }, 200);
  });

  test("while SKUs are added leaves no SKU without its product", async () => {
    await api.post("/v1/products", { source_id: "race" }, 200);
    const statuses = await Promise.all([
      ...Array.from({ length: 6 }, (_, i) => api.post("/v1/products/race/skus", { source_id: `race-${i}` })),
      api.delete("/v1/products/race"),
    ]);
    expect(statuses.map(({ status }) => status)).toContain(204);
    for (let i = 0; i < 6; i += 1) await api.get(`/v1/skus/race-${i}`, 404);
  });
});

describe("the built-in product Shipping", () => {
  test("is owned by every project, and has no price until it is given one", async () => {
    const { api } = await anotherProject();
    const { body } = await api.get("/v1/products/prod_5h1pp1ng", 200);
    expect(body).toMatchObject({ id: "prod_5h1pp1ng", source_id: "5h1pp1ng", name: "Shipping", price: null });
    expect((await api.get("/v1/products/5h1pp1ng/skus", 200)).body.total).toBe(0);
    await api.put("/v1/products/5h1pp1ng", { price: 499 }, 200);
    await api.post("/v1/products", { source_id: "5h1pp1ng", metadata: { a: 1 } }, 200);
    expect((await api.get("/v1/products/prod_5h1pp1ng", 200)).body).toMatchObject({
      name: "Shipping",
      price: 499,
      metadata: { a: 1 },
    });
  });

  test("cannot be deleted", async () => {
    for (const force of ["", "?force=true"]) {
      const { body } = await api.delete(`/v1/products/prod_5h1pp1ng${force}`, 400);
      expect(body).toMatchObject({ key: "resource_protected", resource_type: "product" });
    }
  });

  test("can have SKUs", async () => {
    const { api } = await anotherProject();
    await api.post("/v1/products/prod_5h1pp1ng/skus", { sku: "Express", price: 999 }, 200);
    expect((await api.get("/v1/products/prod_5h1pp1ng", 200)).body.skus.total).toBe(1);
  });
});

describe("the list of products", () => {
  test("is newest first, in pages, with the SKUs of each", async () => {
    const { api } = await anotherProject();
    clock.set("2026-04-01T00:00:00.000Z");
    for (let i = 0; i < 5; i += 1) {
      await api.post("/v1/products", { source_id: `p${i}` }, 200);
      clock.advance({ days: 1 });
    }
    await api.post("/v1/products/p3/skus", { source_id: "p3-a" }, 200);
    await api.put("/v1/products/p0", { name: "touched" }, 200);
    const listed = async (query: string) => {
      const { body } = await api.get(`/v1/products${query}`, 200);
      return [body.products.map(({ source_id }: { source_id: string }) => source_id).join(" "), body.total];
    };
    const { body } = await api.get("/v1/products?limit=2", 200);
    expect(body).toMatchObject({ object: "list", data_ref: "products", total: 5 });
    expect(body.products[1].skus).toMatchObject({ object: "list", data_ref: "data", total: 1 });
    expect(body.products[0].skus).toMatchObject({ data: [], total: 0 });
    expect(await listed("")).toEqual(["p4 p3 p2 p1 p0", 5]);
    expect(await listed("?limit=2&page=3")).toEqual(["p0", 5]);
    expect(await listed("?page=9")).toEqual(["", 5]);
    expect(await listed("?order=created_at&limit=2")).toEqual(["p0 p1", 5]);
    expect(await listed("?order=-updated_at&limit=1")).toEqual(["p0", 5]);
    expect(await listed("?start_date=2026-04-02&end_date=2026-04-04T00:00:00Z")).toEqual(["p3 p2 p1", 3]);
  });

  test.each(["limit=0", "limit=101", "limit=x", "page=0", "page=101", "order=name", "start_date=soon", "end_date=1"])(
    "refuses ?%s",
    async (query) => {
      expect((await api.get(`/v1/products?${query}`, 400)).body.key).toBe("invalid_query_params");
    },
  );
});
