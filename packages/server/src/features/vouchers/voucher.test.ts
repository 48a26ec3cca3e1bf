import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";

const { api, clock, anotherProject } = await startService();

const ten_off = { type: "AMOUNT", amount_off: 1000 };
const half_off = { type: "PERCENT", percent_off: 50, effect: "APPLY_TO_ORDER" };

describe("a new voucher", () => {
  test("shows what was sent, its counters at nothing, and null where nothing is set", async () => {
    const { body } = await api.post("/v1/vouchers/SPRING-10", { type: "DISCOUNT_VOUCHER", discount: ten_off }, 200);
    expect(body.id).toMatch(/^v_/);
    const { id, assets, ...rest } = body;
    expect(rest).toEqual({
      code: "SPRING-10",
      campaign: null,
      campaign_id: null,
      category: null,
      category_id: null,
      categories: [],
      type: "DISCOUNT_VOUCHER",
      discount: ten_off,
      gift: null,
      loyalty_card: null,
      start_date: null,
      expiration_date: null,
      validity_timeframe: null,
      validity_day_of_week: null,
      active: true,
      additional_info: null,
      metadata: {},
      is_referral_code: false,
      created_at: "2026-03-02T10:00:00.000Z",
      updated_at: null,
      publish: { object: "list", count: 0, url: "/v1/vouchers/SPRING-10/publications?page=1&limit=10" },
      redemption: {
        object: "list",
        quantity: null,
        redeemed_quantity: 0,
        url: "/v1/vouchers/SPRING-10/redemptions?page=1&limit=10",
      },
      validation_rules_assignments: { object: "list", data_ref: "data", data: [], total: 0 },
      object: "voucher",
    });
    expect(assets.qr.url).toMatch(/^http.*\/v1\/assets\/qr\//);
    expect(assets.qr.id).not.toContain("SPRING");
    expect((await api.get("/v1/vouchers/SPRING-10", 200)).body).toEqual(body);
    expect((await api.get(`/v1/vouchers/${id}`, 200)).body).toEqual(body);
  });

  test.each([
    [
      { discount: half_off, redemption: { quantity: 3 } },
      { type: "DISCOUNT_VOUCHER", redemption: { quantity: 3 } },
    ],
    [
      { gift: { amount: 8000, balance: 5 } },
      {
        type: "GIFT_VOUCHER",
        gift: { amount: 8000, subtracted_amount: 0, balance: 8000, effect: "APPLY_TO_ORDER" },
        redemption: { redeemed_amount: 0 },
      },
    ],
    [{ gift: { amount: 0, effect: "APPLY_TO_ITEMS" } }, { gift: { amount: 0, balance: 0, effect: "APPLY_TO_ITEMS" } }],
    [
      { discount: ten_off, active: false, additional_info: "by mail" },
      { active: false, additional_info: "by mail" },
    ],
    [{ discount: { ...ten_off, amount_off_formula: "ORDER_AMOUNT * 2" } }, { discount: { is_dynamic: true } }],
    [
      { discount: { type: "AMOUNT", amount_off: 5, aggregated_amount_limit: null } },
      { discount: { type: "AMOUNT", amount_off: 5 } },
    ],
    [
      { discount: { type: "UNIT", unit_type: "prod_5h1pp1ng", unit_off: 1 } },
      { discount: { unit_type: "prod_5h1pp1ng" } },
    ],
  ])("that sends %j has its type told by its one part", async (sent, shown) => {
    const { body } = await api.post("/v1/vouchers", sent, 200);
    expect(body).toMatchObject(shown);
    expect(body.code).toMatch(/^[0-9A-Za-z]{8}$/);
  });

  test("has a code made as its configuration says", async () => {
    const code_config = { prefix: "Q-", pattern: "CARD-####", postfix: "-Z", charset: "ABC" };
    const { body } = await api.post("/v1/vouchers", { discount: ten_off, code_config }, 200);
    expect(body.code).toMatch(/^Q-CARD-[ABC]{4}-Z$/);
  });

  test("reads its dates in any ISO form and answers them in UTC", async () => {
    const { body } = await api.post(
      "/v1/vouchers",
      {
        discount: ten_off,
        start_date: "2026-04-01",
        expiration_date: "2026-05-01T12:00:00+02:00",
        validity_day_of_week: [1, 5],
      },
      200,
    );
    expect(body).toMatchObject({
      start_date: "2026-04-01T00:00:00.000Z",
      expiration_date: "2026-05-01T10:00:00.000Z",
      validity_day_of_week: [1, 5],
    });
  });

  test("creates the category it names, and finds it the second time", async () => {
    const first = await api.post("/v1/vouchers", { discount: ten_off, category: "Spring" }, 200);
    const second = await api.post("/v1/vouchers", { discount: ten_off, category_id: first.body.category_id }, 200);
    expect(second.body).toMatchObject({ category: "Spring", category_id: first.body.category_id });
    expect(first.body.categories).toEqual(second.body.categories);
    const { body } = await api.post("/v1/vouchers", { discount: ten_off, category_id: "cat_none" }, 404);
    expect(body).toMatchObject({ resource_type: "category", resource_id: "cat_none" });
  });
});

describe("a code", () => {
  test("is taken once, whoever asks for it", async () => {
    await api.post("/v1/vouchers/ONCE", { discount: ten_off }, 200);
    const { body } = await api.post("/v1/vouchers", { code: "ONCE", discount: ten_off }, 409);
    expect(body).toMatchObject({
      code: 409,
      key: "duplicate_found",
      message: "Duplicated resource found",
      details: "Duplicated voucher exists with id ONCE",
      resource_id: "ONCE",
      resource_type: "voucher",
    });
  });

  test("is given to one of 16 parallel requests", async () => {
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => api.post("/v1/vouchers/RACE", { discount: ten_off })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 15 }, () => 409)]);
  });

  test("of letters, signs and blanks is found under its percent-encoded form", async () => {
    for (const code of ["50% off/now", "łódź ☂", "a b+c&d=e?f#g", "v_not-an-id"]) {
      const { body } = await api.post(`/v1/vouchers/${encodeURIComponent(code)}`, { discount: ten_off }, 200);
      expect(body.code).toBe(code);
      expect((await api.get(`/v1/vouchers/${encodeURIComponent(code)}`, 200)).body.id).toBe(body.id);
    }
  });

  test("tells letter case apart where the project does", async () => {
    await api.post("/v1/vouchers/Case1", { discount: ten_off }, 200);
    await api.post("/v1/vouchers/CASE1", { discount: ten_off }, 200);
    await api.get("/v1/vouchers/case1", 404);
    const folded = await anotherProject({ case_sensitive_codes: false });
    await folded.api.post("/v1/vouchers/Spring1", { discount: ten_off }, 200);
    await folded.api.post("/v1/vouchers/SPRING1", { discount: ten_off }, 409);
    expect((await folded.api.get("/v1/vouchers/spring1", 200)).body.code).toBe("Spring1");
    expect((await folded.api.post("/v1/vouchers", { discount: ten_off }, 200)).body.code).toMatch(/^[0-9A-Z]{8}$/);
  });

  test("and its id mean nothing to another project", async () => {
    const { body } = await api.post("/v1/vouchers/MINE", { discount: ten_off }, 200);
    const other = await anotherProject();
    for (const name of ["MINE", body.id]) {
      await other.api.get(`/v1/vouchers/${name}`, 404);
      await other.api.put(`/v1/vouchers/${name}`, { active: false }, 404);
      await other.api.post(`/v1/vouchers/${name}/disable`, undefined, 404);
      await other.api.delete(`/v1/vouchers/${name}?force=true`, 404);
    }
    await other.api.post("/v1/vouchers/MINE", { discount: half_off }, 200);
    expect((await api.get("/v1/vouchers/MINE", 200)).body).toEqual(body);
  });
});

describe("a space of four codes", () => {
  const code_config = { charset: "AB", pattern: "F-##" };

  test("gives all of them to parallel requests, and then says that none is free", async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => api.post("/v1/vouchers", { discount: ten_off, code_config }, 200)),
    );
    expect(answers.map(({ body }) => body.code).sort()).toEqual(["F-AA", "F-AB", "F-BA", "F-BB"]);
    const { body } = await api.post("/v1/vouchers", { discount: ten_off, code_config }, 400);
    expect(body.key).toBe("invalid_code_config");
  });

  test("has no room for a code in the bin, and gets it back when it is deleted for good", async () => {
    await api.delete("/v1/vouchers/F-AA", 204);
    await api.post("/v1/vouchers", { discount: ten_off, code_config }, 400);
    await api.delete("/v1/vouchers/F-BB?force=true", 204);
    expect((await api.post("/v1/vouchers", { discount: ten_off, code_config }, 200)).body.code).toBe("F-BB");
  });
});

describe("a voucher that is changed", () => {
  test("keeps what is not sent, clears what is null, merges metadata, and passes over the rest", async () => {
    const sent = {
      discount: ten_off,
      start_date: "2026-04-01",
      additional_info: "a",
      metadata: { a: 1, b: { c: 2 } },
      category: "Spring",
    };
    const made = await api.post("/v1/vouchers/EDIT", sent, 200);
    clock.advance({ minutes: 1 });
    const { body } = await api.put(
      "/v1/vouchers/EDIT",
      {
        start_date: null,
        metadata: { b: null, d: 4 },
        code: "OTHER",
        type: "GIFT_VOUCHER",
        redemption: { quantity: 7 },
        gift: { amount: 1 },
      },
      200,
    );
    expect(made.body.start_date).toBe("2026-04-01T00:00:00.000Z");
    const metadata = { a: 1, b: null, d: 4 };
    expect(body).toEqual({ ...made.body, start_date: null, metadata, updated_at: body.updated_at });
    expect(body.updated_at > body.created_at).toBe(true);
    const bare = await api.put("/v1/vouchers/EDIT", { category: null, additional_info: null }, 200);
    expect(bare.body).toMatchObject({ category: null, category_id: null, categories: [], additional_info: null });
  });

  test("may get another discount of the same type only", async () => {
    await api.post("/v1/vouchers/SAME", { discount: ten_off }, 200);
    const { body } = await api.put("/v1/vouchers/SAME", { discount: { type: "AMOUNT", amount_off: 5 } }, 200);
    expect(body.discount).toEqual({ type: "AMOUNT", amount_off: 5 });
    const refused = await api.put("/v1/vouchers/SAME", { discount: half_off }, 400);
    expect(refused.body).toMatchObject({ key: "invalid_voucher" });
    expect(refused.body.details).toMatch(/not possible to change voucher discount type/);
  });

  test("is switched off and on; the second time nothing happens", async () => {
    await api.post("/v1/vouchers/SWITCH", { discount: ten_off }, 200);
    clock.advance({ minutes: 1 });
    const off = await api.post("/v1/vouchers/SWITCH/disable", {}, 200);
    clock.advance({ minutes: 1 });
    expect((await api.post("/v1/vouchers/SWITCH/disable", undefined, 200)).body).toEqual(off.body);
    expect(off.body.active).toBe(false);
    expect((await api.post("/v1/vouchers/SWITCH/enable", undefined, 200)).body.active).toBe(true);
    await api.post("/v1/vouchers/nobody/enable", undefined, 404);
  });
});

describe("a deleted voucher", () => {
  test("is gone, its code stays taken, and a second delete finds nothing", async () => {
    await api.post("/v1/vouchers/BIN", { gift: { amount: 100 } }, 200);
    await api.delete("/v1/vouchers/BIN", 204);
    for (const force of ["", "?force=true"]) await api.delete(`/v1/vouchers/BIN${force}`, 404);
    const { body } = await api.get("/v1/vouchers/BIN", 404);
    expect(body).toMatchObject({
      key: "not_found",
      resource_type: "voucher",
      details: "Cannot find voucher with id BIN",
    });
    await api.post("/v1/vouchers/BIN", { discount: ten_off }, 409);
    expect((await api.get("/v1/vouchers?code=BIN", 200)).body.total).toBe(0);
  });

  test("gives its code back when it was deleted for good", async () => {
    const first = await api.post("/v1/vouchers/FREE", { gift: { amount: 100 } }, 200);
    await api.delete("/v1/vouchers/FREE?force=true", 204);
    const second = await api.post("/v1/vouchers/FREE", { gift: { amount: 200 } }, 200);
    expect(second.body.id).not.toBe(first.body.id);
    expect(second.body.gift.balance).toBe(200);
  });
});
