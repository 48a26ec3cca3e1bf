import { describe, expect, test } from "vitest";
import { invalidQuery, request_id } from "../../../test/harness/exact-bodies.js";
import { startService } from "../../../test/harness/service.js";
import { makersOn } from "./client-side.fixtures.js";

const { api, page, project, clock, management, anotherProject } = await startService();
const { aVoucher, aRule } = makersOn(api);

const validate = (query: string, status = 200) => page.get(`/client/v1/validate?${query}`, status);

describe("GET /client/v1/validate", () => {
  test("answers the discount and the order at its top", async () => {
    const code = await aVoucher({ metadata: { colour: "red" } });
    const { body } = await validate(`code=${code}&amount=2000`);
    expect(body).toMatchObject({
      valid: true,
      code,
      discount: { type: "PERCENT", percent_off: 10 },
      order: { amount: 2000, total_amount: 1800 },
      applicable_to: { data: [], total: 0, data_ref: "data", object: "list" },
      metadata: { colour: "red" },
      tracking_id: expect.stringMatching(/^track_/),
    });
  });

  test("reads lines, and what the order, the customer and the redemption carry, from brackets", async () => {
    const product = (await api.post("/v1/products", { source_id: "mug", name: "Mug", price: 500 }, 200)).body;
    const rules = {
      "1": { name: "order.metadata", property: "gift", conditions: { $is: [1] } },
      "2": { name: "customer.metadata", property: "age", conditions: { $more_than: [17] } },
      "3": { name: "redemption.metadata", property: "agent", conditions: { $is: ["007"] } },
      "4": { name: "product.id", conditions: { $is: [product.id] } },
      logic: "1 and 2 and 3 and 4",
    };
    const { id } = (await api.post("/v1/validation-rules", { name: "brackets", rules }, 200)).body;
    const code = await aVoucher({ validation_rules: [id] });
    const told = (age: string) =>
      `code=${code}&item[0][product_id]=${product.id}&item[0][quantity]=2&item[1][source_id]=mug&item[1][related_object]=product` +
      `&item[1][amount]=700&order[metadata][gift]=1&customer[source_id]=ann&customer[metadata][age]=${age}&metadata[agent]=007`;
    expect((await validate(told("18"))).body).toMatchObject({
      valid: true,
      order: { amount: 1700, total_amount: 1530 },
    });
    expect((await validate(encodeURI(told("17")))).body).toMatchObject({ valid: false });
  });

  test("takes a customer's source id by itself", async () => {
    const rule = await aRule("customer.metadata", { $is: ["gold"] }, { property: "plan" });
    const code = await aVoucher({ validation_rules: [rule] });
    await api.post("/v1/customers", { source_id: "golden", metadata: { plan: "gold" } }, 200);
    for (const query of ["customer=golden", "customer[source_id]=golden", "tracking_id=golden"]) {
      expect((await validate(`code=${code}&${query}`)).body.valid).toBe(true);
    }
    expect((await validate(`code=${code}&customer=somebody`)).body).toMatchObject({
      valid: false,
      reason: "customer does not match validation rules",
    });
  });

  test("of a code that nobody has is an answer", async () => {
    const { body } = await validate(
      "code=NOBODYS&metadata[a]=1&metadata[b]=true&metadata[c]=007&metadata[d][e]=-1.5&metadata[f][]=no&metadata[g]=12345678901234567",
    );
    expect(body).toEqual({
      valid: false,
      code: "NOBODYS",
      reason: "voucher not found",
      error: {
        code: 404,
        key: "not_found",
        message: "Resource not found",
        details: "Cannot find voucher with id NOBODYS",
        resource_id: "NOBODYS",
        resource_type: "voucher",
        request_id,
      },
      // What reads as a number, or as true or false, is one; what would lose a digit is not.
      metadata: { a: 1, b: true, c: "007", d: { e: -1.5 }, f: ["no"], g: "12345678901234567" },
      tracking_id: expect.stringMatching(/^track_/),
    });
    await api.post("/v1/vouchers/NOBODYS/validate", {}, 404);
  });

  test("says why a voucher does not count, in the words of its rule where it has some", async () => {
    const disabled = await aVoucher({ active: false });
    expect((await validate(`code=${disabled}`)).body).toMatchObject({
      valid: false,
      code: disabled,
      reason: "voucher is disabled",
      error: { key: "voucher_disabled", request_id },
      tracking_id: expect.stringMatching(/^track_/),
    });
    const rule = await aRule("order.amount", { $more_than: [5000] }, { error: { message: "Spend a little more" } });
    const code = await aVoucher({ validation_rules: [rule] });
    expect((await validate(`code=${code}&amount=100`)).body).toMatchObject({
      valid: false,
      reason: "Spend a little more",
      error: { message: "Spend a little more" },
    });
  });

  test.each([
    [
      "a customer whom a rule asks for",
      "missing_customer",
      "Missing customer",
      "Customer is required to validate rules",
      () => aRule("customer.metadata", { $is: [1] }, { property: "plan" }),
    ],
    [
      "an order that a rule asks for",
      "missing_order",
      "Missing order",
      "Order is required to validate rules",
      () => aRule("order.metadata", { $is: [1] }, { property: "plan" }),
    ],
  ])("without %s is 400", async (_, key, message, details, make) => {
    const code = await aVoucher({ validation_rules: [await make()] });
    expect((await validate(`code=${code}`, 400)).body).toEqual({ code: 400, key, message, details, request_id });
  });

  test("of a gift card uses as much as there is", async () => {
    const { body } = await api.post("/v1/vouchers", { type: "GIFT_VOUCHER", gift: { amount: 700 } }, 200);
    expect((await validate(`code=${body.code}&amount=1000`)).body).toMatchObject({
      valid: true,
      gift: { amount: 700, balance: 700, effect: "APPLY_TO_ORDER" },
      order: { total_amount: 300 },
    });
    expect((await validate(`code=${body.code}`, 400)).body.key).toBe("missing_order");
  });

  test("locks by session_type, session_key, session_ttl and session_ttl_unit", async () => {
    const code = await aVoucher({ redemption: { quantity: 1 } });
    const { body } = await validate(
      `code=${code}&session_type=LOCK&session_key=K&session_ttl=2&session_ttl_unit=MINUTES`,
    );
    expect(body.session).toEqual({ type: "LOCK", key: "K", ttl: 2, ttl_unit: "MINUTES" });
    expect((await validate(`code=${code}`)).body.valid).toBe(false);
    expect((await validate(`code=${code}&session_type=LOCK&session_key=K`)).body).toMatchObject({
      valid: true,
      session: { key: "K", ttl: 7, ttl_unit: "DAYS" },
    });
    clock.advance({ days: 7, ms: 1 });
    expect((await validate(`code=${code}`)).body.valid).toBe(true);
  });

  test.each([
    ["session_type=LOCK", "Property .session_type is not supported without a code"],
    ["code=", "Property .code must NOT have fewer than 1 characters"],
    ["code=A&amount=much", "Property .amount must be number"],
    ["code=A&item=mug", "Property .item must be array"],
    ["code=A&item[0][quantity]=-1", "Property .item[0].quantity must be >= 0"],
    ["code=A&item[0][quantity]=1.5", "Property .item[0].quantity must be integer"],
    ["code=A&session_type=SHARE", "Property .session_type should be equal to one of the allowed values [LOCK]"],
    ["code=A&session_key=K", "Query should have required property 'session_type'"],
    ["code=A&session_type=LOCK&session_ttl=0", "Property .session_ttl must be > 0"],
    ["code=A&metadata=text", "Property .metadata must be object"],
  ])("refuses ?%s", async (query, details) => {
    expect((await validate(query, 400)).body).toEqual(invalidQuery(details));
  });

  test.each(["-1", "1.5", "1e300"])("refuses the amount %s", async (amount) => {
    expect((await validate(`code=A&amount=${amount}`, 400)).body.key).toMatch(/^invalid_(amount|payload)$/);
  });

  test("ignores what nobody names", async () => {
    const code = await aVoucher();
    expect((await validate(`code=${code}&colour=red&customer[shoe]=42&item[0][size]=9`)).body.valid).toBe(true);
  });
});

describe.each(["/client/v1/validate", "/client/v1/promotions/validation"])("GET %s without a code", (path) => {
  test("answers the promotions that apply to the cart, as the server side does", async () => {
    const shop = await anotherProject();
    const discount = { type: "AMOUNT", amount_off: 100 };
    const tiers = ["one", "two"].map((name) => ({ name, action: { discount } }));
    const none = await shop.page.get(`${path}?amount=1000`, 200);
    expect(none.body).toEqual({ valid: false, promotions: [], tracking_id: expect.stringMatching(/^track_/) });
    await shop.api.post("/v1/campaigns", { name: "tiers", campaign_type: "PROMOTION", promotion: { tiers } }, 200);

    const { body } = await shop.page.get(`${path}?amount=1000&customer[source_id]=ann`, 200);
    const asked = { order: { amount: 1000 }, customer: { source_id: "ann" } };
    expect(body).toEqual((await shop.api.post("/v1/promotions/validation", asked, 200)).body);
    expect(body.promotions.map(({ name }: { name: string }) => name)).toEqual(["one", "two"]);
    await shop.page.get(`${path}?tracking_id=ann&customer=bob`, 400);
  });
});

describe("POST /client/v1/redeem", () => {
  test("redeems the code of its query and answers the redemption", async () => {
    const code = await aVoucher();
    const order = { amount: 1000, items: [{ product_id: "nobody-knows", quantity: 1, price: 1000 }] };
    const { body } = await page.post(`/client/v1/redeem?code=${code}`, { order, metadata: { from: "page" } }, 200);
    expect(body).toMatchObject({
      object: "redemption",
      result: "SUCCESS",
      metadata: { from: "page" },
      order: { total_amount: 900, status: "PAID" },
      voucher: { code, redemption: { redeemed_quantity: 1 } },
      channel: { channel_id: project.client_id, channel_type: "API" },
    });
  });

  test("needs no body, and a code", async () => {
    const code = await aVoucher();
    expect((await page.post(`/client/v1/redeem?code=${code}`, undefined, 200)).body.result).toBe("SUCCESS");
    expect((await page.post("/client/v1/redeem", {}, 400)).body).toEqual(
      invalidQuery("Query should have required property 'code'"),
    );
  });

  test("fails with the key of what is wrong, and with a record", async () => {
    const code = await aVoucher({ redemption: { quantity: 1 } });
    await page.post(`/client/v1/redeem?code=${code}`, {}, 200);
    expect((await page.post(`/client/v1/redeem?code=${code}`, {}, 400)).body).toMatchObject({
      key: "quantity_exceeded",
      resource_id: expect.stringMatching(/^rf_/),
      resource_type: "redemption",
    });
    await page.post("/client/v1/redeem?code=NOBODYS", {}, 404);
  });

  test("is told what is wrong with the code, whatever the project's stacking rules are", async () => {
    const shop = await anotherProject();
    const rules = { redeemables_application_mode: "PARTIAL", redeemables_no_effect_rule: "SKIP" };
    await management.post(`/management/v1/projects/${shop.id}/stacking-rules`, rules, 200);
    const discount = { type: "AMOUNT", amount_off: 100 };
    await shop.api.post("/v1/vouchers/OFF", { discount, active: false }, 200);
    await shop.api.post("/v1/vouchers/NOTHING", { discount }, 200);
    expect((await shop.page.post("/client/v1/redeem?code=OFF", {}, 400)).body.key).toBe("voucher_disabled");
    // A discount on an order that costs nothing has no effect, and is one all the same.
    expect((await shop.page.get("/client/v1/validate?code=NOTHING&amount=0", 200)).body.valid).toBe(true);
    await shop.page.post("/client/v1/redeem?code=NOTHING", { order: { amount: 0 } }, 200);
  });

  test("ends the lock of its session", async () => {
    const code = await aVoucher({ redemption: { quantity: 1 } });
    const { session } = (await validate(`code=${code}&session_type=LOCK`)).body;
    await page.post(`/client/v1/redeem?code=${code}`, {}, 400);
    await page.post(`/client/v1/redeem?code=${code}`, { session: { type: "LOCK", key: session.key } }, 200);
  });
});
