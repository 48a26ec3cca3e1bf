import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";

const { api, clock, runDue } = await startService();

describe("a customer", () => {
  test("starts with every counter at nothing", async () => {
    const { body } = await api.post(
      "/v1/customers",
      { source_id: "ann", name: "Ann", metadata: { plan: "gold" } },
      200,
    );
    expect(body).toMatchObject({
      object: "customer",
      source_id: "ann",
      name: "Ann",
      metadata: { plan: "gold" },
      address: null,
    });
    expect(body.id).toMatch(/^cust_/);
    expect(body.summary.redemptions.total_redeemed).toBe(0);
    expect(body.summary.orders).toEqual({ total_amount: 0, total_count: 0, average_amount: 0, last_order_amount: 0 });
    expect(body.loyalty).toEqual({ points: 0, referred_customers: 0, campaigns: {} });
    expect(body).not.toHaveProperty("updated_at");
  });

  test("is changed, not doubled, by a second POST with its source id; metadata merges", async () => {
    const first = await api.post(
      "/v1/customers",
      { source_id: "bob", name: "Bob", email: "b@example.com", metadata: { a: 1 } },
      200,
    );
    clock.advance({ minutes: 1 });
    const second = await api.post("/v1/customers", { source_id: "bob", email: null, metadata: { b: [2] } }, 200);
    expect(second.body.id).toBe(first.body.id);
    expect(second.body).toMatchObject({ name: "Bob", email: null, metadata: { a: 1, b: [2] } });
    expect(second.body.updated_at).toBe("2026-03-02T10:01:00.000Z");
  });

  test("is read by id and by source id", async () => {
    const { body } = await api.post("/v1/customers", { source_id: "cleo", address: { city: "Oslo" } }, 200);
    expect((await api.get(`/v1/customers/${body.id}`, 200)).body).toEqual(body);
    expect((await api.get("/v1/customers/cleo", 200)).body).toEqual(body);
  });

  test("has an address of the fields we know; others are passed over", async () => {
    const { body } = await api.post("/v1/customers", { address: { city: "Oslo", planet: "Earth", state: null } }, 200);
    const unset = { state: null, line_1: null, line_2: null, country: null, postal_code: null };
    expect(body.address).toEqual({ city: "Oslo", ...unset });
    expect((await api.get(`/v1/customers/${body.id}`, 200)).body.address).toEqual(body.address);
  });

  test("keeps its source id through a PUT, which changes only what it is sent", async () => {
    await api.post("/v1/customers", { source_id: "dan", name: "Dan" }, 200);
    const { body } = await api.put("/v1/customers/dan", { source_id: "other", phone: "+47 1" }, 200);
    expect(body).toMatchObject({ source_id: "dan", name: "Dan", phone: "+47 1" });
  });

  test("is gone after DELETE, and its source id is free again", async () => {
    const { body } = await api.post("/v1/customers", { source_id: "eve" }, 200);
    await api.delete("/v1/customers/eve", 204);
    await api.delete("/v1/customers/eve", 404);
    await api.get(`/v1/customers/${body.id}`, 404);
    const again = await api.post("/v1/customers", { source_id: "eve" }, 200);
    expect(again.body.id).not.toBe(body.id);
  });

  test("that nobody knows is answered by name", async () => {
    const { body } = await api.get("/v1/customers/nobody", 404);
    expect(body).toMatchObject({
      code: 404,
      key: "not_found",
      message: "Resource not found",
      details: "Cannot find customer with id nobody",
      resource_id: "nobody",
      resource_type: "customer",
    });
    expect(body.request_id).toMatch(/^v-[0-9a-f]{18}$/);
  });

  test("is made once by 32 parallel requests with one new source id", async () => {
    const answers = await Promise.all(
      Array.from({ length: 32 }, () => api.post("/v1/customers", { source_id: "rush" }, 200)),
    );
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });
});

test("what a customer did just before the DELETE is counted and told of all the same", async () => {
  const { id } = (await api.post("/v1/customers", { source_id: "hasty" }, 200)).body;
  const discount = { type: "AMOUNT", amount_off: 100 };
  const voucher = { type: "DISCOUNT_VOUCHER", discount };
  const campaign = { name: "Hasty", campaign_type: "DISCOUNT_COUPONS", type: "STATIC", voucher };
  await api.post("/v1/campaigns", campaign, 200);
  await api.post("/v1/campaigns/Hasty/vouchers/HASTY-1", undefined, 200);
  const redeemables = [{ object: "voucher", id: "HASTY-1" }];
  await api.post("/v1/redemptions", { redeemables, customer: { id }, order: { amount: 1000 } }, 200);
  await api.delete(`/v1/customers/${id}`, 204);
  await runDue();
  expect((await api.get("/v1/campaigns/Hasty/summary", 200)).body.redemptions_succeeded).toBe(1);
});

describe("the list of customers", () => {
  test("is newest first, filtered and cut into pages that never overlap", async () => {
    for (const name of ["x1", "x2", "x3"]) {
      clock.advance({ minutes: 1 });
      await api.post("/v1/customers", { source_id: name, name: "Xenia", address: { city: "Bergen" } }, 200);
    }
    const { body } = await api.get("/v1/customers?name=Xenia&limit=2", 200);
    expect(body).toMatchObject({ object: "list", data_ref: "customers", total: 3 });
    expect(body.customers.map((one: { source_id: string }) => one.source_id)).toEqual(["x3", "x2"]);
    const second = await api.get("/v1/customers?city=Bergen&limit=2&page=2", 200);
    expect(second.body.customers.map((one: { source_id: string }) => one.source_id)).toEqual(["x1"]);
    const rising = await api.get(
      `/v1/customers?name=Xenia&order=created_at&[created_at][after]=${body.customers[1].created_at}`,
      200,
    );
    expect(rising.body.customers.map((one: { source_id: string }) => one.source_id)).toEqual(["x3"]);
  });

  test.each([
    ["limit=0", "Property .limit must be >= 1"],
    ["limit=101", "Property .limit must be <= 100"],
    ["limit=text", "Property .limit must be integer"],
    ["page=100", "Property .page must be <= 99"],
    ["created_at[before]=yesterday", "Property .created_at.before cannot be recognized as a ISO-8601 compliant date"],
  ])("refuses %s", async (query, details) => {
    const { body } = await api.get(`/v1/customers?${query}`, 400);
    expect(body).toMatchObject({ code: 400, key: "invalid_query_params", message: "Invalid query params", details });
  });
});

describe("a customer body", () => {
  test.each([
    [{ name: 7 }, "Property .name must be string,null"],
    [{ source_id: "x".repeat(9000) }, "Property .source_id must NOT have more than 255 characters"],
    [{ address: [] }, "Property .address must be object,null"],
    [{ birthdate: "2026-02-30" }, "Property .birthdate cannot be recognized as a ISO-8601 compliant date"],
    [{ name: "a\u0000b" }, "Property .name contains characters that cannot be stored"],
    [[], "Payload must be object"],
    [null, "Payload must be object"],
  ])("is refused when it is %j", async (sent, details) => {
    const { body } = await api.post("/v1/customers", sent, 400);
    expect(body).toMatchObject({ code: 400, key: "invalid_payload", message: "Invalid payload", details });
  });
});

test("orders that come to more than a JSON number can say are shown as the most it can", async () => {
  for (const source_id of ["huge 1", "huge 2"]) {
    const order = { source_id, amount: Number.MAX_SAFE_INTEGER, status: "PAID", customer: { source_id: "whale" } };
    await api.post("/v1/orders", order, 200);
  }
  const { body } = await api.get("/v1/customers/whale", 200);
  expect(body.summary.orders).toMatchObject({ total_amount: Number.MAX_SAFE_INTEGER, total_count: 2 });
  await api.delete("/v1/customers/whale", 204);
});
