import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";

const { api } = await startService();
const item = (fields: object) => ({ items: [fields] });
const long = "x".repeat(9000);
const beyond = 2 ** 53;
const statuses = "CREATED, PAID, CANCELED, FULFILLED";

describe("an order body", () => {
  test.each(
    [
      [[], "Payload must be object"],
      ["text", "Payload must be object"],
      [{ source_id: 7 }, "Property .source_id must be string,null"],
      [{ source_id: long }, "Property .source_id must NOT have more than 255 characters"],
      [{ id: long }, "Property .id must NOT have more than 255 characters"],
      [{ status: "OPEN" }, `Property .status should be equal to one of the allowed values [${statuses}]`],
      [{ amount: "100" }, "Property .amount must be integer,null"],
      [{ amount: 1.5 }, "Property .amount must be integer,null"],
      [{ amount: -1 }, "Property .amount must be >= 0"],
      [{ amount: beyond }, "Property .amount must be <= 9007199254740991"],
      [{ metadata: [] }, "Property .metadata must be object,null"],
      [{ metadata: { "a\u0000": 1 } }, "Property .metadata has a property whose name cannot be stored"],
      [{ customer: "cust_1" }, "Property .customer must be object,null"],
      [{ customer: { source_id: long } }, "Property .customer.source_id must NOT have more than 255 characters"],
      [{ referrer: { name: 7 } }, "Property .referrer.name must be string,null"],
      [{ referrer_id: 7 }, "Property .referrer_id must be string,null"],
      [{ items: {} }, "Property .items must be array,null"],
      [{ items: [7] }, "Property .items[0] must be object"],
      [{ items: Array(501).fill({}) }, "Property .items must NOT have more than 500 items"],
      [item({ quantity: -1 }), "Property .items[0].quantity must be >= 0"],
      [item({ quantity: 1.5 }), "Property .items[0].quantity must be integer"],
      [item({ quantity: "1.5" }), "Property .items[0].quantity must be integer"],
      [item({ quantity: "-1" }), "Property .items[0].quantity must be integer"],
      [item({ quantity: "two" }), "Property .items[0].quantity must be integer"],
      [item({ quantity: "" }), "Property .items[0].quantity must be integer"],
      [item({ quantity: beyond }), "Property .items[0].quantity must be <= 9007199254740991"],
      [item({ quantity: [] }), "Property .items[0].quantity must be integer"],
      [item({ initial_quantity: 0 }), "Property .items[0].initial_quantity cannot be lower than 1"],
      [item({ initial_quantity: -3 }), "Property .items[0].initial_quantity cannot be lower than 1"],
      [item({ initial_quantity: "0" }), "Property .items[0].initial_quantity cannot be lower than 1"],
      [item({ initial_quantity: 1.5 }), "Property .items[0].initial_quantity must be integer"],
      [item({ price: -1 }), "Property .items[0].price must be >= 0"],
      [item({ price: 9.99 }), "Property .items[0].price must be integer,null"],
      [item({ amount: -1 }), "Property .items[0].amount must be >= 0"],
      [item({ product: { price: "1" } }), "Property .items[0].product.price must be integer,null"],
      [item({ product: { name: long } }), "Property .items[0].product.name must NOT have more than 255 characters"],
      [item({ sku: { source_id: long } }), "Property .items[0].sku.source_id must NOT have more than 255 characters"],
      [item({ product_id: 7 }), "Property .items[0].product_id must be string,null"],
      [
        item({ related_object: "bundle" }),
        "Property .items[0].related_object should be equal to one of the allowed values [product, sku]",
      ],
      [item({ price: 2 ** 52, quantity: 2 ** 52 }), "Property .items[0].amount must keep the order below 2^53"],
      [
        { items: [{ amount: 2 ** 52 }, { amount: 2 ** 52 }] },
        "Property .items[1].amount must keep the order below 2^53",
      ],
    ].map(([sent, details]) => ({ sent, details: String(details) })),
  )("is refused, created or changed: $details", async ({ sent, details }) => {
    const { body: known } = await api.post("/v1/orders", { amount: 3 }, 200);
    const created = await api.post("/v1/orders", sent, 400);
    expect(created.body).toMatchObject({ code: 400, key: "invalid_payload", message: "Invalid payload" });
    expect(created.body.details).toContain(details);
    if (typeof sent === "object" && "id" in sent) return;
    expect((await api.put(`/v1/orders/${known.id}`, sent, 400)).body.details).toContain(details);
    expect((await api.get(`/v1/orders/${known.id}`, 200)).body).toEqual(known);
  });

  test("may hold 500 items and the largest amount there is", async () => {
    const { body } = await api.post("/v1/orders", { items: Array(500).fill({ price: 1, quantity: 2 }) }, 200);
    expect(body).toMatchObject({ amount: 1000, items: { length: 500 } });
    const largest = await api.post("/v1/orders", { amount: Number.MAX_SAFE_INTEGER }, 200);
    expect(largest.body.total_amount).toBe(Number.MAX_SAFE_INTEGER);
  });

  test.each(["%00", "x".repeat(300), "%F0%9F%8D%B5", "' or true --"])(
    "an order called %s is refused or unknown",
    async (name) => {
      const { status } = await api.get(`/v1/orders/${encodeURI(name)}`);
      expect([400, 404]).toContain(status);
    },
  );
});
