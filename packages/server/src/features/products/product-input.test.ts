import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";

const { api } = await startService();

describe("bad input", () => {
  const long = "x".repeat(9_000);
  test.each([
    ["/v1/products", { name: 1 }, "Property .name must be string,null"],
    ["/v1/products", { id: 5 }, "Property .id must be string,null"],
    ["/v1/products", { price: "5" }, "Property .price must be integer,null"],
    ["/v1/products", { price: -1 }, "Property .price must be >= 0"],
    ["/v1/products", { price: 1.5 }, "Property .price must be integer,null"],
    ["/v1/products", { price: 2 ** 53 }, "Property .price must be <= 9007199254740991"],
    ["/v1/products", { attributes: "a" }, "Property .attributes must be array,null"],
    ["/v1/products", { attributes: [1] }, "Property .attributes[0] must be string"],
    ["/v1/products", { metadata: [] }, "Property .metadata must be object,null"],
    ["/v1/products", [], "Payload must be object"],
    ["/v1/products/bad/skus", { sku: {} }, "Property .sku must be string,null"],
    ["/v1/products/bad/skus", { attributes: ["a"] }, "Property .attributes must be object,null"],
    ["/v1/products/bad/skus", { price: 1e300 }, "Property .price must be <= 9007199254740991"],
    ["/v1/products/metadata/async", {}, "Payload must have required property 'source_ids'"],
    ["/v1/products/metadata/async", { source_ids: [] }, "Payload must have required property 'metadata'"],
    ["/v1/products/metadata/async", { source_ids: "a", metadata: {} }, "Property .source_ids must be array"],
    ["/v1/products/metadata/async", { source_ids: [1], metadata: {} }, "Property .source_ids[0] must be string"],
    ["/v1/products/metadata/async", { source_ids: ["a"], metadata: null }, "Property .metadata must be object"],
    ["/v1/products/bulk/async", {}, "Payload must be array"],
    ["/v1/products/bulk/async", [{ name: "x" }], "Property [0] should have required property 'source_id'"],
    ["/v1/products/bulk/async", [{ source_id: "a", price: "1" }], "Property [0].price must be integer,null"],
  ])("POST %s %j is refused", async (path, sent, details) => {
    await api.post("/v1/products", { source_id: "bad" }, 200);
    expect((await api.post(path, sent, 400)).body).toMatchObject({ key: "invalid_payload", details });
  });

  test.each([
    ["/v1/products", "name", { name: long }],
    ["/v1/products", "source_id", { source_id: long }],
    ["/v1/products", "id", { id: long }],
    ["/v1/products/bad/skus", "source_id", { source_id: long }],
    ["/v1/products/metadata/async", "source_ids[0]", { source_ids: [long], metadata: {} }],
  ])("POST %s with a %s of 9,000 characters is refused", async (path, field, sent) => {
    await api.post("/v1/products", { source_id: "bad" }, 200);
    const { body } = await api.post(path, sent, 400);
    expect(body.details).toBe(`Property .${field} must NOT have more than 255 characters`);
  });

  test("a path that is too long is refused, and numbers beyond 2^53 in metadata are no 500", async () => {
    await api.get(`/v1/products/${long}`, 400);
    await api.get(`/v1/products/${"x".repeat(300)}`, 400);
    const { body } = await api.post("/v1/products", { metadata: { big: 1e300, odd: "\u2028" } }, 200);
    expect(body.metadata).toEqual({ big: 1e300, odd: "\u2028" });
  });
});
