import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { sql, verbatim } from "../../platform/db/sql.js";

const { api, clock, anotherProject, context, project } = await startService();

describe("an order", () => {
  test.each(["total_amount", "discount_amount", "items_discount_amount"])(
    "is kept by the database from a %s below nothing, whoever decided so",
    async (amount) => {
      const { id } = (await api.post("/v1/orders", { amount: 100 }, 200)).body;
      const write = (value: number) =>
        context.db.run(sql`
          update orders set ${verbatim(amount)} = ${value} where orders.project_id = ${project.id} and orders.id = ${id}`);
      await expect(write(0)).resolves.toBe(1);
      await expect(write(-1)).rejects.toThrow("orders_amounts_check");
    },
  );

  test("that no redemption touched is worth the sum of its priced items and shows no discount", async () => {
    const items = [
      {
        source_id: "tea",
        related_object: "product",
        quantity: 2,
        price: 1250,
        product: { name: "Tea", metadata: { green: true } },
      },
      { sku_id: "cup", quantity: "3", sku: { price: 200, sku: "large", override: false } },
      { product_id: "leaflet" },
    ];
    const { body } = await api.post("/v1/orders", { source_id: "first", items, metadata: { shop: "Oslo" } }, 200);
    const { id, items: lines, ...rest } = body;
    expect(id).toMatch(/^ord_/);
    expect(rest).toEqual({
      source_id: "first",
      status: "CREATED",
      amount: 3100,
      initial_amount: 3100,
      total_amount: 3100,
      metadata: { shop: "Oslo" },
      customer_id: null,
      referrer_id: null,
      redemptions: {},
      created_at: "2026-03-02T10:00:00.000Z",
      updated_at: null,
      object: "order",
    });
    expect(lines.map((line: { id: string }) => line.id)).toEqual(Array(3).fill(expect.stringMatching(/^ordli_/)));
    expect(lines).toMatchObject([
      { object: "order_item", quantity: 2, price: 1250, amount: 2500, subtotal_amount: 2500, product: { name: "Tea" } },
      {
        sku_id: "cup",
        quantity: 3,
        initial_quantity: 3,
        price: 200,
        amount: 600,
        sku: { price: 200, sku: "large", override: false },
      },
      { product_id: "leaflet", quantity: 1, metadata: {} },
    ]);
    expect(lines[2]).not.toHaveProperty("amount");
  });

  test("without items and amount shows no money", async () => {
    const { body } = await api.post("/v1/orders", {}, 200);
    expect(body).toMatchObject({ status: "CREATED", items: [], metadata: {} });
    expect(body).not.toHaveProperty("amount");
    expect(body).not.toHaveProperty("total_amount");
  });

  test("ignores results of earlier answers that are sent along", async () => {
    const items = [
      {
        product_id: "p",
        price: 100,
        discount_amount: 40,
        subtotal_amount: 60,
        id: "ordli_x",
        initial_quantity: 7,
        object: "order_item",
      },
    ];
    const { body } = await api.post(
      "/v1/orders",
      { items, discount_amount: 50, initial_amount: 7, total_amount: 1, created_at: "1999" },
      200,
    );
    expect(body).toMatchObject({
      amount: 100,
      initial_amount: 100,
      total_amount: 100,
      items: [{ initial_quantity: 1, subtotal_amount: 100 }],
    });
    expect(body).not.toHaveProperty("discount_amount");
    expect(body.items[0]).not.toHaveProperty("discount_amount");
  });

  test.each([
    [
      "the sent amount, even 0, wins over the items",
      { amount: 0, items: [{ price: 500 }] },
      { amount: 0, total_amount: 0 },
    ],
    [
      "a line's amount wins over price × quantity",
      { items: [{ price: 500, quantity: 3, amount: 1000 }] },
      { amount: 1000 },
    ],
    [
      "a line's own price wins over its SKU's",
      { items: [{ price: 1, sku: { price: 2 }, product: { price: 3 } }] },
      { amount: 1 },
    ],
    ["a SKU's price wins over its product's", { items: [{ sku: { price: 2 }, product: { price: 3 } }] }, { amount: 2 }],
    ["a product's price counts last", { items: [{ product: { price: 3 } }] }, { amount: 3 }],
    ["a line without units is worth nothing", { items: [{ price: 500, quantity: 0 }, { price: 7 }] }, { amount: 7 }],
    ["a line without quantity is one unit", { items: [{ price: 500 }] }, { items: [{ quantity: 1 }] }],
    [
      "digits are a quantity, answered as a number",
      { items: [{ quantity: "12", price: 1 }] },
      { items: [{ quantity: 12 }] },
    ],
    ["an empty text names no order", { id: "", source_id: "" }, { source_id: null }],
    ["an empty source id can be said again", { source_id: "" }, { source_id: null }],
    [
      "null says nothing",
      { id: null, source_id: null, amount: null, items: null, metadata: null, customer: null },
      { source_id: null },
    ],
  ])("is priced so that %s", async (_rule, sent, answered) => {
    const { body } = await api.post("/v1/orders", sent, 200);
    expect(body).toMatchObject(answered);
    expect((await api.get(`/v1/orders/${body.id}`, 200)).body).toEqual(body);
  });

  test("is read by id and by source id; one that nobody knows is answered by name", async () => {
    const { body } = await api.post("/v1/orders", { source_id: "read", amount: 5 }, 200);
    expect((await api.get(`/v1/orders/${body.id}`, 200)).body).toEqual(body);
    expect((await api.get("/v1/orders/read", 200)).body).toEqual(body);
    const unknown = {
      key: "not_found",
      details: "Cannot find order with id ord_nobody",
      resource_id: "ord_nobody",
      resource_type: "order",
    };
    expect((await api.get("/v1/orders/ord_nobody", 404)).body).toMatchObject(unknown);
    expect((await api.put("/v1/orders/ord_nobody", {}, 404)).body).toMatchObject(unknown);
    expect((await api.post("/v1/orders", { id: "ord_nobody", amount: 1 }, 404)).body).toMatchObject(unknown);
  });

  test("of another project cannot be reached", async () => {
    const { body } = await api.post("/v1/orders", { source_id: "ours", amount: 5 }, 200);
    const stranger = (await anotherProject()).api;
    await stranger.get(`/v1/orders/${body.id}`, 404);
    await stranger.get("/v1/orders/ours", 404);
    await stranger.put(`/v1/orders/${body.id}`, { amount: 1 }, 404);
    await stranger.post("/v1/orders", { id: body.id, amount: 1 }, 404);
    expect((await stranger.get("/v1/orders", 200)).body).toEqual({
      object: "list",
      data_ref: "orders",
      orders: [],
      total: 0,
    });
    expect((await stranger.post("/v1/orders", { source_id: "ours" }, 200)).body.id).not.toBe(body.id);
    expect((await api.get("/v1/orders/ours", 200)).body).toEqual(body);
  });
});

describe("a known order", () => {
  test("is changed, not doubled, by a POST with its id or its source id", async () => {
    const { body } = await api.post("/v1/orders", { source_id: "known", amount: 500, metadata: { a: 1, b: 1 } }, 200);
    clock.advance({ minutes: 1 });
    const by_source_id = await api.post("/v1/orders", { source_id: "known", metadata: { b: [2] } }, 200);
    expect(by_source_id.body).toEqual({ ...body, metadata: { a: 1, b: [2] }, updated_at: "2026-03-02T10:01:00.000Z" });
    const by_id = await api.post("/v1/orders", { id: body.id, amount: 700 }, 200);
    expect(by_id.body).toMatchObject({
      id: body.id,
      source_id: "known",
      amount: 700,
      initial_amount: 700,
      total_amount: 700,
    });
  });

  test("keeps through a PUT what is not sent", async () => {
    const sent = {
      source_id: "kept",
      status: "PAID",
      items: [{ product_id: "p", price: 10 }],
      metadata: { a: 1 },
      customer: { source_id: "kim" },
    };
    const { body } = await api.post("/v1/orders", sent, 200);
    const again = await api.put("/v1/orders/kept", {}, 200);
    expect(again.body).toEqual({ ...body, updated_at: again.body.updated_at });
  });

  test("follows its items when they change, and its amount when that is sent", async () => {
    const { body } = await api.post(
      "/v1/orders",
      {
        items: [
          { product_id: "p", price: 10, quantity: 2 },
          { product_id: "q", price: 1 },
        ],
      },
      200,
    );
    const fewer = await api.put(`/v1/orders/${body.id}`, { items: [{ product_id: "p", price: 10 }] }, 200);
    expect(fewer.body).toMatchObject({
      amount: 10,
      total_amount: 10,
      items: [{ id: body.items[0].id, quantity: 1, initial_quantity: 1 }],
    });
    const said = await api.put(`/v1/orders/${body.id}`, { amount: 9 }, 200);
    expect(said.body).toMatchObject({ amount: 9, items: [{ amount: 10 }] });
    const unpriced = await api.put(`/v1/orders/${body.id}`, { items: [{ product_id: "z" }] }, 200);
    expect(unpriced.body).toMatchObject({ amount: 9, total_amount: 9, items: [{ product_id: "z" }] });
  });

  test.each(["CREATED", "PAID", "CANCELED", "FULFILLED"])("may become %s from any status", async (status) => {
    for (const before of ["CREATED", "PAID", "CANCELED", "FULFILLED"]) {
      const { body } = await api.post("/v1/orders", { status: before }, 200);
      expect(body.status).toBe(before);
      expect((await api.put(`/v1/orders/${body.id}`, { status }, 200)).body.status).toBe(status);
    }
  });

  test("takes another source id, but not one that is taken", async () => {
    await api.post("/v1/orders", { source_id: "taken" }, 200);
    const { body } = await api.post("/v1/orders", { source_id: "old" }, 200);
    const refused = await api.put("/v1/orders/old", { source_id: "taken" }, 409);
    expect(refused.body).toMatchObject({ key: "duplicate_found", resource_id: "taken", resource_type: "order" });
    await api.post("/v1/orders", { id: body.id, source_id: "taken" }, 409);
    expect((await api.put("/v1/orders/old", { source_id: "new" }, 200)).body).toMatchObject({
      id: body.id,
      source_id: "new",
    });
    await api.get("/v1/orders/old", 404);
    expect((await api.get("/v1/orders/new", 200)).body.id).toBe(body.id);
  });
});

describe("the list of orders", () => {
  test("is oldest first unless asked otherwise, in pages that never overlap", async () => {
    const shop = (await anotherProject()).api;
    for (const source_id of ["o1", "o2", "o3"]) {
      clock.advance({ minutes: 1 });
      await shop.post("/v1/orders", { source_id }, 200);
    }
    clock.advance({ minutes: 1 });
    await shop.put("/v1/orders/o1", { amount: 1 }, 200);
    const listed = async (query: string) => {
      const { body } = await shop.get(`/v1/orders?${query}`, 200);
      expect(body).toMatchObject({ object: "list", data_ref: "orders", total: 3 });
      return body.orders.map((order: { source_id: string }) => order.source_id);
    };
    expect(await listed("")).toEqual(["o1", "o2", "o3"]);
    expect(await listed("order=-created_at")).toEqual(["o3", "o2", "o1"]);
    expect(await listed("limit=2&page=2")).toEqual(["o3"]);
    expect(await listed("page=100")).toEqual([]);
    expect(await listed("order=-updated_at&limit=1")).toEqual(["o1"]);
    expect(await listed("order=updated_at")).toEqual(["o2", "o3", "o1"]);
  });

  test.each([
    ["limit=0", "Property .limit must be >= 1"],
    ["limit=101", "Property .limit must be <= 100"],
    ["page=0", "Property .page must be >= 1"],
    ["page=101", "Property .page must be <= 100"],
    ["page=two", "Property .page must be integer"],
    [
      "order=amount",
      "Property .order should be equal to one of the allowed values [created_at, -created_at, updated_at, -updated_at]",
    ],
  ])("refuses %s", async (query, details) => {
    const { body } = await api.get(`/v1/orders?${query}`, 400);
    expect(body).toMatchObject({ code: 400, key: "invalid_query_params", message: "Invalid query params", details });
  });
});
