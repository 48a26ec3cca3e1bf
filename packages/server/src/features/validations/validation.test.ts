import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";

const { api, clock, context, project } = await startService();

let made = 0;
async function aVoucher(fields: Record<string, unknown> = {}): Promise<string> {
  made += 1;
  const discount = { type: "PERCENT", percent_off: 10 };
  const body = { ...("gift" in fields ? {} : { discount }), ...fields };
  return (await api.post(`/v1/vouchers/V-${made}`, body, 200)).body.code;
}

const vouchers = (...codes: string[]) => codes.map((id) => ({ object: "voucher", id }));
const validate = (codes: string[], more: Record<string, unknown> = {}, status = 200) =>
  api.post("/v1/validations", { redeemables: vouchers(...codes), ...more }, status);

describe("a validation", () => {
  test("shows each redeemable's step and the order after all of them (redemption.md §6)", async () => {
    const gift = await aVoucher({ gift: { amount: 5000 } });
    const percent = await aVoucher();
    const amount = await aVoucher({ discount: { type: "AMOUNT", amount_off: 7000 } });
    const redeemables = [{ object: "voucher", id: gift, gift: { credits: 1500 } }, ...vouchers(percent, amount)];
    const { body } = await api.post("/v1/validations", { redeemables, order: { amount: 87_000 } }, 200);
    expect(body.valid).toBe(true);
    expect(body.redeemables.map((one: { order: unknown }) => one.order)).toMatchObject([
      { discount_amount: 1500, applied_discount_amount: 1500, total_amount: 85_500 },
      { discount_amount: 10_050, applied_discount_amount: 8550, total_amount: 76_950 },
      { discount_amount: 17_050, applied_discount_amount: 7000, total_amount: 69_950 },
    ]);
    expect(body.order).toMatchObject({
      discount_amount: 17_050,
      applied_discount_amount: 17_050,
      total_amount: 69_950,
    });
    expect(body.redeemables[0].result.gift).toEqual({ balance: 5000, credits: 1500 });
    expect(body).not.toHaveProperty("inapplicable_redeemables");
    expect(body).not.toHaveProperty("skipped_redeemables");
  });

  test("that fails says why, skips what comes after, and shows no order", async () => {
    const codes = [await aVoucher(), await aVoucher({ active: false }), await aVoucher()];
    const { body } = await validate(codes, { order: { amount: 1000 } });
    expect(body.valid).toBe(false);
    expect(body).not.toHaveProperty("order");
    expect(body.redeemables.map((one: { status: string }) => one.status)).toEqual([
      "APPLICABLE",
      "INAPPLICABLE",
      "SKIPPED",
    ]);
    expect(body.inapplicable_redeemables[0].result).toMatchObject({
      error: {
        code: 400,
        key: "voucher_disabled",
        message: "voucher is disabled",
        details: codes[1],
        redeemable_id: codes[1],
        redeemable_type: "voucher",
      },
      details: { key: "voucher_disabled", message: "voucher is disabled" },
    });
    expect(body.skipped_redeemables[0].result.details.key).toBe("preceding_validation_failed");
  });

  test("of an unknown code is an answer, not an error", async () => {
    const { body } = await validate(["UNKNOWN"]);
    expect(body.valid).toBe(false);
    expect(body.redeemables[0].result.error).toMatchObject({
      code: 404,
      key: "not_found",
      details: "Cannot find voucher with id UNKNOWN",
    });
  });

  test("stores neither customer nor order", async () => {
    const code = await aVoucher();
    await validate([code], { customer: { source_id: "looker" }, order: { source_id: "looked-at", amount: 100 } });
    await api.get("/v1/customers/looker", 404);
    await api.get("/v1/orders/looked-at", 404);
  });

  test("names a customer by a token that stays the same and means them", async () => {
    const code = await aVoucher();
    const first = (await validate([code], { customer: { source_id: "tracked" } })).body.tracking_id;
    expect(first).toMatch(/^track_/);
    expect((await validate([code], { tracking_id: first })).body.tracking_id).toBe(first);
    expect((await validate([code], { tracking_id: "tracked" })).body.tracking_id).toBe(first);
  });

  test("applies at most five redeemables by default", async () => {
    const codes = await Promise.all(Array.from({ length: 6 }, () => aVoucher()));
    const { body } = await validate(codes, { order: { amount: 1_000_000 } });
    expect(body.valid).toBe(true);
    expect(body.redeemables).toHaveLength(5);
    expect(body.skipped_redeemables[0].result.details.key).toBe("applicable_redeemables_limit_exceeded");
  });

  test.each([
    [{ redeemables: [] }, "invalid_payload", "Property .redeemables must NOT have fewer than 1 items"],
    [{}, "invalid_payload", "Payload must have required property 'redeemables'"],
    [
      { redeemables: [{ object: "voucher", id: "A" }, { object: "voucher" }] },
      "invalid_payload",
      "Property .redeemables[1] should have required property 'id'",
    ],
    [
      { redeemables: [{ object: "coupon", id: "A" }] },
      "invalid_payload",
      "Property .redeemables[0].object should be equal to one of the allowed values [voucher, promotion_tier, promotion_stack]",
    ],
    [
      { redeemables: vouchers("A"), order: { amount: -1 } },
      "invalid_amount",
      "Amount has to be a valid positive number",
    ],
    [
      { redeemables: vouchers("A"), order: { amount: 1.5 } },
      "invalid_amount",
      "Amount has to be a valid positive number",
    ],
    [
      { redeemables: vouchers("A"), order: { amount: "1" } },
      "invalid_payload",
      "Property .order.amount must be number,null",
    ],
    [
      { redeemables: vouchers("A", "A") },
      "duplicated_redeemables",
      "Duplicated redeemables detected in one redemption",
    ],
    [
      {
        redeemables: [
          { object: "promotion_stack", id: "s" },
          { object: "voucher", id: "A" },
        ],
      },
      "invalid_redeemables",
      "Promotion Stack cannot be use with other redeemables",
    ],
  ])("refuses %j", async (body, key, details) => {
    expect((await api.post("/v1/validations", body, 400)).body).toMatchObject({ code: 400, key, details });
  });

  test("of an order whose lines are worth more than can be counted is refused", async () => {
    const line = { price: Number.MAX_SAFE_INTEGER, quantity: 2 };
    const { body } = await validate(["A"], { order: { items: [line] } }, 400);
    expect(body.key).toBe("invalid_payload");
  });

  test("of a customer id or an order id that nobody has is a 404", async () => {
    const code = await aVoucher();
    expect((await validate([code], { customer: { id: "cust_x" } }, 404)).body.resource_type).toBe("customer");
    expect((await validate([code], { order: { id: "ord_x" } }, 404)).body.resource_type).toBe("order");
  });
});

describe("a session", () => {
  const locked = (key?: string) => ({ session: { type: "LOCK", ...(key ? { key } : {}) } });

  test("keeps the last redemption of a voucher for whoever holds its key", async () => {
    const code = await aVoucher({ redemption: { quantity: 1 } });
    const { body } = await validate([code], locked());
    expect(body.session).toMatchObject({ type: "LOCK", ttl: 7, ttl_unit: "DAYS" });
    const other = (await validate([code])).body;
    expect(other.redeemables[0].result.error.key).toBe("quantity_exceeded");
    const redeem = (more: object) => api.post("/v1/redemptions", { redeemables: vouchers(code), ...more });
    expect((await redeem({})).body.key).toBe("quantity_exceeded");
    expect((await redeem(locked(body.session.key))).status).toBe(200);
  });

  test("reserves the credits that the validation would use, and ends by its time", async () => {
    const code = await aVoucher({ gift: { amount: 9000 } });
    await validate([code], {
      session: { type: "LOCK", key: "K", ttl: 10, ttl_unit: "MINUTES" },
      order: { amount: 6500 },
    });
    const ask = async (credits: number) =>
      (
        await api.post("/v1/validations", {
          redeemables: [{ object: "voucher", id: code, gift: { credits } }],
          order: { amount: 9000 },
        })
      ).body.valid;
    expect(await ask(3000)).toBe(false);
    expect(await ask(2500)).toBe(true);
    clock.advance({ minutes: 11 });
    expect(await ask(3000)).toBe(true);
  });

  test("of the same key takes the place of the one before", async () => {
    const code = await aVoucher({ redemption: { quantity: 1 } });
    await validate([code], locked("mine"));
    expect((await validate([code], locked("mine"))).body.valid).toBe(true);
  });

  test("can be given up", async () => {
    const code = await aVoucher({ redemption: { quantity: 1 } });
    const { key } = (await validate([code], locked())).body.session;
    await api.delete(`/v1/vouchers/${code}/sessions/${key}`, 204);
    expect((await api.delete(`/v1/vouchers/${code}/sessions/${key}`, 404)).body).toMatchObject({
      details: `Cannot find session with id ${key}`,
      resource_type: "session",
    });
    expect((await validate([code])).body.valid).toBe(true);
  });
});

describe("the older call for one voucher", () => {
  test("answers the discount and the order at its top", async () => {
    const code = await aVoucher();
    const { body } = await api.post(`/v1/vouchers/${code}/validate`, { order: { amount: 2000 } }, 200);
    expect(body).toMatchObject({
      valid: true,
      code,
      discount: { type: "PERCENT", percent_off: 10 },
      order: { total_amount: 1800 },
    });
  });

  test.each([
    ["a product", {}],
    ["a SKU", { sku: "Red" }],
    ["many units", { units: true }],
  ])("shows a discount that gives %s as a validation does", async (_name, { sku, units }: Record<string, unknown>) => {
    const product = (await api.post("/v1/products", { name: "Mug", price: 500, metadata: { a: 1 } }, 200)).body;
    const given = sku ? (await api.post(`/v1/products/${product.id}/skus`, { sku }, 200)).body : product;
    const unit = { unit_off: 1, unit_type: given.id, effect: "ADD_NEW_ITEMS" };
    const many = { effect: "ADD_MANY_ITEMS", units: [unit] };
    const code = await aVoucher({ discount: { type: "UNIT", ...(units ? many : unit) } });
    const order = { amount: 2000 };
    const { discount } = (await validate([code], { order })).body.redeemables[0].result;
    const { body } = await api.post(`/v1/vouchers/${code}/validate`, { order }, 200);
    expect(body.discount).toEqual(discount);
    const shown = units ? body.discount.units[0] : body.discount;
    expect(shown.product).toEqual({ id: product.id, name: "Mug" });
  });

  test("answers a reason when the voucher does not count, and 404 when there is none", async () => {
    const code = await aVoucher({ active: false });
    expect((await api.post(`/v1/vouchers/${code}/validate`, {}, 200)).body).toMatchObject({
      valid: false,
      code,
      reason: "voucher is disabled",
      error: { key: "voucher_disabled" },
    });
    await api.post("/v1/vouchers/NOBODY/validate", {}, 404);
    const gift = await aVoucher({ gift: { amount: 100 } });
    expect((await api.post(`/v1/vouchers/${gift}/validate`, {}, 400)).body.key).toBe("missing_order");
  });
});

test("the database knows of no validation but its locks", async () => {
  const { sql } = await import("../../platform/db/sql.js");
  const { count } = await context.db.one<{ count: number }>(
    sql`select count(*) from redemptions where redemptions.project_id = ${project.id}`,
  );
  expect(count).toBeLessThan(5);
});
