import { describe, expect, test, vi } from "vitest";
import { uniqueText } from "../../../../test/harness/resources.js";
import { startService } from "../../../../test/harness/service.js";
import { someoneIn } from "../../people/people.fixtures.js";

const service = await startService();
const { project, clock, anotherProject } = service;
const { api } = project;
/** Sessions end while the clock is turned. */
let { browser } = await someoneIn(service, project.id, "MERCHANT");

const discount = { type: "AMOUNT", amount_off: 100 };
/** A code for carts from 100.00. */
async function aCode(at = api) {
  const rules = { "1": { name: "order.amount", conditions: { $more_than_or_equal: [10_000] } }, logic: "1" };
  const rule = (await at.post("/v1/validation-rules", { name: uniqueText("rule"), rules }, 200)).body;
  const { body } = await at.post(
    "/v1/vouchers",
    { type: "DISCOUNT_VOUCHER", discount, validation_rules: [rule.id] },
    200,
  );
  return body as { id: string; code: string };
}
const lastRefusal = async (code: string) =>
  (await browser.get(`/dashboard/v1/vouchers/${code}/last-refusal`, 200)).body.refusal;
/** It is explained when it has been answered, and written a second later. */
async function explained(code: string, request_id: string | null) {
  await vi.waitFor(async () => expect((await lastRefusal(code))?.request_id).toBe(request_id), {
    timeout: 10_000,
    interval: 50,
  });
  return lastRefusal(code);
}

describe("the last refusal of a voucher", () => {
  test.each(["validation", "redemption"])(
    "of a %s says what was asked, and every check with what it saw",
    async (asked_for) => {
      const { id, code } = await aCode();
      const customer = (await api.post("/v1/customers", { source_id: uniqueText("ada") }, 200)).body;
      const order = { amount: 7_500, metadata: { till: "3" } };
      const redeemables = [{ object: "voucher", id: code }];
      const body = { redeemables, order: { ...order, customer: { id: customer.id } } };
      const { headers } = await api.post(`/v1/${asked_for}s`, body, asked_for === "validation" ? 200 : 400);
      const refusal = await explained(code, headers.get("x-request-id"));
      expect(refusal).toMatchObject({
        ...{ object: "voucher", object_id: id, name: code, asked_for, key: "order_rules_violated", order },
        ...{
          customer_id: customer.id,
          event_source: { channel: "API" },
          created_at: new Date(clock.now()).toISOString(),
        },
      });
      expect(refusal.order).toEqual(order);
      const { redeemables: again } = (
        await api.post("/v1/validations", { ...body, options: { expand: ["explanation"] } }, 200)
      ).body;
      expect(refusal.explanation).toEqual(again[0].explanation);
      expect(refusal.explanation.summary[0]).toContain("2500 short");
    },
  );

  test("of an older call and of a lock is kept as well", async () => {
    const { code } = await aCode();
    const older = await api.post(`/v1/vouchers/${code}/validate`, { order: { amount: 1 } }, 200);
    await explained(code, older.headers.get("x-request-id"));
    clock.advance({ minutes: 1 });
    const body = { redeemables: [{ object: "voucher", id: code }], order: { amount: 1 }, session: { type: "LOCK" } };
    const locked = await api.post("/v1/validations", body, 200);
    expect((await explained(code, locked.headers.get("x-request-id"))).asked_for).toBe("validation");
  });

  test("is null where nothing was refused, and nobody else's", async () => {
    const { code } = await aCode();
    await api.post(`/v1/vouchers/${code}/redemption`, { order: { amount: 10_000 } }, 200);
    expect(await lastRefusal(code)).toBeNull();
    await browser.get("/dashboard/v1/vouchers/NONE/last-refusal", 404);
    const elsewhere = await anotherProject();
    const { browser: stranger } = await someoneIn(service, elsewhere.id, "ADMIN");
    await stranger.get(`/dashboard/v1/vouchers/${code}/last-refusal`, 404);
  });

  test("is known for thirty days", async () => {
    const { code } = await aCode();
    const { headers } = await api.post(`/v1/vouchers/${code}/validate`, { order: { amount: 1 } }, 200);
    await explained(code, headers.get("x-request-id"));
    clock.advance({ days: 30 });
    ({ browser } = await someoneIn(service, project.id, "MERCHANT"));
    expect(await lastRefusal(code)).toBeNull();
  });

  test("goes with the customer who is deleted for good", async () => {
    const { code } = await aCode();
    const customer = (await api.post("/v1/customers", { source_id: uniqueText("ada") }, 200)).body;
    const { headers } = await api.post(`/v1/vouchers/${code}/redemption`, { customer, order: { amount: 1 } }, 400);
    await explained(code, headers.get("x-request-id"));
    await api.delete(`/v1/customers/${customer.id}`, 204);
    expect(await lastRefusal(code)).toBeNull();
  });

  test("keeps the sentences alone where a rule is large, and no large order", async () => {
    const conditions = { $in: Array.from({ length: 3_000 }, (_, i) => `a name that is long enough ${i}`) };
    const rules = { "1": { name: "order.metadata", property: "till", conditions }, logic: "1" };
    const rule = (await api.post("/v1/validation-rules", { name: uniqueText("rule"), rules }, 200)).body;
    const { code } = (
      await api.post("/v1/vouchers", { type: "DISCOUNT_VOUCHER", discount, validation_rules: [rule.id] }, 200)
    ).body;
    const order = { amount: 1, metadata: { till: "x", note: "x".repeat(40_000) } };
    const { headers } = await api.post(`/v1/vouchers/${code}/validate`, { order }, 200);
    const refusal = await explained(code, headers.get("x-request-id"));
    expect(refusal).toMatchObject({
      order: null,
      explanation: { summary: [expect.stringContaining("wanted $in")], checks: [] },
    });
  });
});
