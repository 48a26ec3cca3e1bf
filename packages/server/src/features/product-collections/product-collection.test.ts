import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import type { ShelfRow } from "../../catalogue/index.js";
import type { Sql } from "../../platform/db/sql.js";
import { collectionShelf } from "./index.js";

const { api, clock, anotherProject, context, project } = await startService();
const path = "/v1/product-collections";

let made = 0;
const aCollection = async (fields: object, by = api) => {
  made += 1;
  return (await by.post(path, { name: `collection ${made}`, ...fields }, 200)).body;
};
const listing = (...products: { id: string; object: "product" | "sku" }[]) => ({ type: "STATIC", products });
const finding = (filter: object) => ({ type: "AUTO_UPDATE", filter: { junction: "and", ...filter } });
const cheap = { price: { conditions: { $less_than: [500] } } };

const { body: mug } = await api.post("/v1/products", { source_id: "mug", name: "Mug", price: 1000 }, 200);
const { body: red } = await api.post("/v1/products/mug/skus", { source_id: "mug-red", sku: "Red mug" }, 200);

describe("a STATIC collection", () => {
  test("shows the products and SKUs it lists, a SKU with its product", async () => {
    const sent = listing({ id: mug.id, object: "product" }, { id: red.id, object: "sku" });
    const { body } = await api.post(path, { name: "Mugs", ...sent }, 200);
    expect(body).toEqual({
      id: expect.stringMatching(/^pc_/),
      name: "Mugs",
      type: "STATIC",
      products: [
        { id: mug.id, object: "product" },
        { id: red.id, object: "sku", product_id: mug.id },
      ],
      created_at: "2026-03-02T10:00:00.000Z",
      object: "products_collection",
    });
    expect((await api.get(`${path}/${body.id}`, 200)).body).toEqual(body);
  });

  test("keeps the ids of what is named by source id, each once and in the order sent, and an id that nobody has yet", async () => {
    const named = await aCollection(
      listing(
        { id: "mug", object: "product" },
        { id: mug.id, object: "product" },
        { id: "mug-red", object: "sku" },
        { id: "prod_later", object: "product" },
      ),
    );
    expect(named.products).toEqual([
      { id: mug.id, object: "product" },
      { id: red.id, object: "sku", product_id: mug.id },
      { id: "prod_later", object: "product" },
    ]);
  });

  test("may list nothing, and takes no filter", async () => {
    const empty = await aCollection({ type: "STATIC", filter: { junction: "and", ...cheap } });
    expect(empty).toMatchObject({ products: [] });
    expect(empty).not.toHaveProperty("filter");
  });

  test("can be given another name and nothing else", async () => {
    const collection = await aCollection(listing({ id: mug.id, object: "product" }));
    const edit = { name: "Renamed", products: [], type: "AUTO_UPDATE", filter: { junction: "and" } };
    clock.advance({ minutes: 1 });
    const changed = { ...collection, name: "Renamed", updated_at: new Date(clock.now()).toISOString() };
    expect((await api.put(`${path}/${collection.id}`, edit, 200)).body).toEqual(changed);
    expect((await api.get(`${path}/${collection.id}`, 200)).body).toEqual(changed);
    const { body } = await api.put(`${path}/${collection.id}`, {}, 400);
    expect(body).toMatchObject({ key: "invalid_payload", details: "Payload must have required property 'name'" });
  });
});

describe("an AUTO_UPDATE collection", () => {
  test("shows its filter, the junction in lower case, and no products", async () => {
    const { body } = await api.post(path, { name: "Cheap", ...finding({ junction: "AND", ...cheap }) }, 200);
    expect(body).toEqual({
      id: expect.stringMatching(/^pc_/),
      name: "Cheap",
      type: "AUTO_UPDATE",
      filter: { junction: "and", ...cheap },
      created_at: new Date(clock.now()).toISOString(),
      object: "products_collection",
    });
    expect((await api.get(`${path}/${body.id}`, 200)).body).toEqual(body);
  });

  test("can be given another name, and another filter, which replaces the old one whole", async () => {
    const collection = await aCollection(finding(cheap));
    const renamed = (await api.put(`${path}/${collection.id}`, { name: "Renamed" }, 200)).body;
    expect(renamed).toMatchObject({ name: "Renamed", filter: { junction: "and", ...cheap } });
    const filter = { junction: "Or", name: { conditions: { $is: ["Mug"] } } };
    const { body } = await api.put(`${path}/${collection.id}`, { filter }, 200);
    expect(body).toMatchObject({ name: "Renamed", filter: { ...filter, junction: "or" } });
    expect(body.filter).not.toHaveProperty("price");
  });
});

describe("a collection is refused", () => {
  const no_filter = "'AUTO_UPDATE' collection must contain valid filter with 'junction' property";
  const no_junction = "Property .filter has wrong `junction` property. It must be one of: and, or";
  const auto = { name: "x", type: "AUTO_UPDATE" };

  test.each([
    [{ type: "STATIC" }, "Payload must have required property 'name'"],
    [{ type: "STATIC", name: 5 }, "Property .name must be string"],
    [{ type: "STATIC", name: null }, "Property .name must be string"],
    [{ name: "x" }, "Payload must have required property 'type'"],
    [
      { name: "x", type: "static" },
      "Property .type should be equal to one of the allowed values [STATIC, AUTO_UPDATE]",
    ],
    [
      { name: "x", type: "STATIC", products: [{ object: "sku" }] },
      "Property .products[0] should have required property 'id'",
    ],
    [
      { name: "x", type: "STATIC", products: [{ id: "mug", object: "order" }] },
      "Property .products[0].object should be equal to one of the allowed values [product, sku]",
    ],
    [auto, no_filter],
    [{ ...auto, filter: null }, no_filter],
    [{ ...auto, filter: cheap }, no_filter],
    [{ ...auto, filter: { junction: 1 } }, no_filter],
    [{ ...auto, filter: { junction: "xor" } }, no_junction],
    [{ ...auto, filter: { junction: "and", name: "Mug" } }, expect.stringContaining("'conditions'")],
  ])("that is sent as %j", async (sent, details) => {
    const { body } = await api.post(path, sent, 400);
    expect(body).toMatchObject({ code: 400, key: "invalid_payload", message: "Invalid payload", details });
  });

  test("for an operator that there is not, by the ones there are", async () => {
    const { body } = await api.post(path, { ...auto, ...finding({ name: { conditions: { $near: ["x"] } } }) }, 400);
    expect(body.key).toBe("invalid_payload");
    expect(body.details).toMatch(/^Property \.parameters\.filters should match either .*\$is_not.*\$has_value/);
    expect(body.path).toBe("filter.name.conditions.$near");
  });

  test.each([
    [{ name: 5 }, "Property .name must be string"],
    [{ filter: null }, no_filter],
    [{ filter: {} }, no_filter],
    [{ filter: { junction: "nor" } }, no_junction],
  ])("when it is changed to %j, and stays as it was", async (edit, details) => {
    const collection = await aCollection(finding(cheap));
    const { body } = await api.put(`${path}/${collection.id}`, edit, 400);
    expect(body).toMatchObject({ key: "invalid_payload", details });
    expect((await api.get(`${path}/${collection.id}`, 200)).body).toEqual(collection);
  });

  test("as unknown where there is none, or where it is another project's", async () => {
    const other = await anotherProject();
    const { id } = await aCollection({ type: "STATIC" }, other.api);
    const asked = [
      api.get(`${path}/${id}`, 404),
      api.put(`${path}/${id}`, { name: "x" }, 404),
      api.delete(`${path}/${id}`, 404),
      api.get(`${path}/${id}/products`, 404),
    ];
    for (const { body } of await Promise.all(asked)) {
      expect(body).toMatchObject({
        key: "not_found",
        resource_id: id,
        resource_type: "products_collection",
        details: `Cannot find products_collection with id ${id}`,
      });
    }
    await other.api.get(`${path}/${id}`, 200);
  });
});

describe("a collection in use", () => {
  const collectionRef = (id: string) => ({ object: "products_collection", id });
  const leaf = (id: string) => ({ name: "order.items.any", conditions: { $is: [collectionRef(id)] } });
  const aRule = async (fields: object) =>
    (await api.post("/v1/validation-rules", { name: "asks", ...fields }, 200)).body.id as string;

  test("cannot be deleted: the refusal names the rules that ask about it, the oldest first", async () => {
    const { id } = await aCollection(listing({ id: mug.id, object: "product" }));
    const rules = [
      await aRule({ rules: { "1": leaf(id), logic: "1" } }),
      await aRule({ applicable_to: { included: [collectionRef(id)], excluded: [collectionRef(id)] } }),
      await aRule({
        rules: { "1": { name: "order.items.any", conditions: { $is: ["mug"], $from: [id] } }, logic: "1" },
      }),
    ];
    const { body } = await api.delete(`${path}/${id}`, 400);
    expect(body).toMatchObject({
      code: 400,
      key: "resource_in_use",
      message: "Resource in use",
      details: `Resource products_collection with id ${id} is in use by validation_ruless with ids [${rules.join(", ")}]`,
      related_object_ids: rules,
      related_object_type: "validation_rules",
    });
    await api.get(`${path}/${id}`, 200);
  });

  test("is free again when the rule asks about something else, or is gone", async () => {
    const [first, second] = [await aCollection({ type: "STATIC" }), await aCollection({ type: "STATIC" })];
    const rule = await aRule({ rules: { "1": leaf(first.id), logic: "1" } });
    await api.put(`/v1/validation-rules/${rule}`, { name: "renamed" }, 200);
    await api.delete(`${path}/${first.id}`, 400);
    await api.put(`/v1/validation-rules/${rule}`, { rules: { "1": leaf(second.id), logic: "1" } }, 200);
    await api.delete(`${path}/${first.id}`, 204);
    await api.delete(`${path}/${second.id}`, 400);
    await api.delete(`/v1/validation-rules/${rule}`, 204);
    await api.delete(`${path}/${second.id}`, 204);
    await api.delete(`${path}/${second.id}`, 404);
  });

  test("is free for rules that mention it where logic does not, and for those of other projects", async () => {
    const { id } = await aCollection({ type: "STATIC" });
    await aRule({
      rules: { "1": { name: "order.amount", conditions: { $more_than: [1] } }, "2": leaf(id), logic: "1" },
    });
    const other = await anotherProject();
    await other.api.post("/v1/validation-rules", { name: "theirs", rules: { "1": leaf(id), logic: "1" } }, 200);
    await api.delete(`${path}/${id}`, 204);
  });

  test("by a rule that names something no id is so long as is no fault", async () => {
    const id = Array.from({ length: 9000 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000))).join("");
    await aRule({ rules: { "1": leaf(id), logic: "1" } });
  });
});

describe("the list of collections", () => {
  test("is the newest first unless another order is asked for", async () => {
    const { api } = await anotherProject();
    const ids: string[] = [];
    for (const name of ["a", "b", "c"]) {
      ids.push((await api.post(path, { name, type: "STATIC" }, 200)).body.id);
      clock.advance({ minutes: 1 });
    }
    const [a, b, c] = ids;
    await api.put(`${path}/${b}`, { name: "b, changed" }, 200);
    const listed = async (query: string) => {
      const { body } = await api.get(`${path}?${query}`, 200);
      expect(body).toMatchObject({ object: "list", data_ref: "data", total: 3 });
      return body.data.map(({ id }: { id: string }) => id);
    };
    expect(await listed("")).toEqual([c, b, a]);
    expect(await listed("order=created_at")).toEqual([a, b, c]);
    expect(await listed("order=-updated_at")).toEqual([b, c, a]);
    expect(await listed("order=updated_at")).toEqual([a, c, b]);
    expect(await listed("limit=2&page=2")).toEqual([a]);
    expect(await listed("page=9")).toEqual([]);
    for (const bad of ["limit=0", "limit=101", "page=0", "page=101", "order=name"]) {
      expect((await api.get(`${path}?${bad}`, 400)).body.key).toBe("invalid_query_params");
    }
  });
});

describe("what a collection is to deciding", () => {
  test("is its list or its filter, all at once or those that are named", async () => {
    const { api, id: project_id } = await anotherProject();
    const listed = await aCollection(listing({ id: "prod_1", object: "product" }, { id: "sku_1", object: "sku" }), api);
    const filtered = await aCollection(finding(cheap), api);
    const of_list = { id: listed.id, stored: ["STATIC", null, listed.products] };
    const of_filter = { id: filtered.id, stored: ["AUTO_UPDATE", filtered.filter, null] };
    const read = async (rows: Sql) =>
      (await context.db.many<ShelfRow>(rows)).map(({ id, text }) => ({ id, stored: JSON.parse(text) }));
    const { page, byIds } = collectionShelf;
    expect(await read(page(project_id, "", 10))).toEqual([of_list, of_filter]);
    expect(await read(page(project_id, listed.id, 10))).toEqual([of_filter]);
    expect(await read(page(project_id, "", 1))).toEqual([of_list]);
    expect(await read(byIds(project_id, [filtered.id, "pc_none"]))).toEqual([of_filter]);
    expect(await read(byIds(project.id, [filtered.id]))).toEqual([]);
  });
});
