import { describe, expect, test } from "vitest";
import { bytes_max } from "../harness/exact-bodies.js";
import { startService } from "../harness/service.js";

const { api } = await startService();

describe("a payload error has statusCode, error and message", () => {
  test("a bulk product metadata payload larger than 10 MB (10485760 bytes): 413", async () => {
    const raw = Buffer.alloc(bytes_max + 1, " ");
    const { body } = await api.send("POST", "/v1/products/metadata/async", { raw, status: 413 });
    expect(body).toEqual({
      statusCode: 413,
      error: "Request Entity Too Large",
      message: "Payload content length greater than maximum allowed: 10485760",
    });
  });

  test("a body that is no JSON: 400", async () => {
    const { body } = await api.send("POST", "/v1/events", { raw: "{", status: 400 });
    expect(body).toEqual({ statusCode: 400, error: expect.any(String), message: expect.any(String) });
  });
});

describe("a resource error has code, key, message, details, request_id, resource_id and resource_type", () => {
  test.each(["camp_unknown", "unknown name"])("campaign %j to disable not found: 404, with that id", async (id) => {
    const { body } = await api.post(`/v1/campaigns/${encodeURIComponent(id)}/disable`, undefined, 404);
    expect(body).toEqual({
      code: 404,
      key: "not_found",
      message: "Resource not found",
      details: `Cannot find campaign with id ${id}`,
      request_id: expect.any(String),
      resource_id: id,
      resource_type: "campaign",
    });
  });

  test.each([
    ["POST", "/v1/campaigns/unknown/vouchers", "campaign"],
    ["POST", "/v1/loyalties/unknown/earning-rules/ern_none/disable", "campaign"],
    ["GET", "/v1/customers/unknown", "customer"],
    ["GET", "/v1/products/unknown", "product"],
    ["GET", "/v1/product-collections/unknown", "products_collection"],
    ["GET", "/v1/vouchers/unknown", "voucher"],
  ])("%s %s names what is not found as a %s", async (method, path, resource_type) => {
    const { body } = await api.send(method, path, { status: 404 });
    expect(body).toMatchObject({ code: 404, key: "not_found", resource_type, resource_id: "unknown" });
  });
});

test("code is the HTTP status where a body breaks its schema, too, and the error tells its request", async () => {
  const { body, status } = await api.post("/v1/events", {}, 400);
  expect(body).toMatchObject({ code: status, key: "invalid_payload", request_id: expect.any(String) });
});
