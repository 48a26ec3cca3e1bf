import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { importsOn } from "../imports/import.fixtures.js";

const service = await startService();
const { api, project } = service;

const ten_off = { type: "AMOUNT", amount_off: 1000 };

describe("a voucher body", () => {
  test.each([
    [{}, "invalid_voucher", /type/],
    [{ type: "DISCOUNT_VOUCHER" }, "invalid_voucher", /discount/],
    [{ type: "GIFT_VOUCHER" }, "invalid_voucher", /gift\.amount/],
    [{ gift: {} }, "invalid_voucher", /gift\.amount/],
    [{ type: "LOYALTY_CARD", loyalty_card: { points: 5 } }, "invalid_voucher", /loyalty campaign/],
    [{ discount: ten_off, gift: { amount: 1 } }, "invalid_voucher", /type/],
    [{ discount: ten_off, redemption: { quantity: 0 } }, "invalid_voucher", /quantity/],
    [
      { discount: ten_off, redemption: { quantity: "x" } },
      "invalid_payload",
      /\.redemption\.quantity must be integer,null/,
    ],
    [{ discount: ten_off, redemption: { quantity: 2 ** 53 } }, "invalid_payload", /\.redemption\.quantity/],
    [{ discount: { type: "AMOUNT" } }, "invalid_payload", /\.discount\.amount_off/],
    [{ discount: { type: "AMOUNT", amount_off: -1 } }, "invalid_payload", /\.discount\.amount_off must be >= 0/],
    [{ discount: { type: "AMOUNT", amount_off: "5" } }, "invalid_payload", /\.discount\.amount_off must be number/],
    [{ discount: { type: "PERCENT", percent_off: 101 } }, "invalid_payload", /\.discount\.percent_off must be <= 100/],
    [
      { discount: { type: "PERCENT", percent_off: 1, effect: "ADD_NEW_ITEMS" } },
      "invalid_payload",
      /\.discount\.effect/,
    ],
    [{ discount: { type: "NONSENSE" } }, "invalid_payload", /\.discount\.type/],
    [
      { discount: { type: "AMOUNT", amount_off: 1, amount_off_formula: "1 +" } },
      "invalid_voucher",
      /amount_off_formula/,
    ],
    [{ discount: { type: "AMOUNT", amount_off: 1, amount_off_formula: "" } }, "invalid_voucher", /amount_off_formula/],
    [{ discount: { type: "UNIT", effect: "ADD_MANY_ITEMS", units: [] } }, "invalid_payload", /units/],
    [{ gift: { amount: 1.5 } }, "invalid_payload", /\.gift\.amount must be integer/],
    [{ gift: { amount: -1 } }, "invalid_payload", /\.gift\.amount must be >= 0/],
    [{ gift: { amount: 1e300 } }, "invalid_payload", /\.gift\.amount/],
    [{ discount: ten_off, code_config: { charset: "" } }, "invalid_code_config", /charset/],
    [{ discount: ten_off, code_config: { length: 1e9 } }, "invalid_code_config", /length/],
    [{ discount: ten_off, code_config: { length: -1 } }, "invalid_code_config", /length/],
    [
      { discount: ten_off, code_config: { pattern: "#".repeat(200), prefix: "x".repeat(100) } },
      "invalid_code_config",
      /255/,
    ],
    [{ discount: ten_off, code: "" }, "invalid_payload", /\.code/],
    [{ discount: ten_off, code: "/" }, "invalid_payload", /\.code/],
    [{ discount: ten_off, code: "a\tb" }, "invalid_payload", /\.code/],
    [{ discount: ten_off, code: "x".repeat(256) }, "invalid_payload", /\.code/],
    [{ discount: ten_off, code: "🎁".repeat(256) }, "invalid_payload", /\.code must NOT have more than 255 characters/],
    [{ discount: ten_off, code: "x".repeat(9000) }, "invalid_payload", /\.code/],
    [{ discount: ten_off, category: "x".repeat(9000) }, "invalid_payload", /\.category/],
    [{ discount: ten_off, start_date: "soon" }, "invalid_payload", /\.start_date/],
    [{ discount: ten_off, validity_timeframe: { duration: "PT1H", interval: "P1D" } }, "invalid_voucher", /start_date/],
    [
      { discount: ten_off, start_date: "2026-01-01", validity_timeframe: { duration: "1h", interval: "P1D" } },
      "invalid_payload",
      /validity_timeframe\.duration/,
    ],
    [{ discount: ten_off, validity_day_of_week: [7] }, "invalid_payload", /validity_day_of_week/],
    [
      { discount: ten_off, validity_hours: { daily: [{ start_time: "9", expiration_time: "10:00" }] } },
      "invalid_payload",
      /validity_hours/,
    ],
    [
      {
        discount: ten_off,
        validity_day_of_week: [1],
        validity_hours: { daily: [{ start_time: "09:00", expiration_time: "10:00" }] },
      },
      "invalid_voucher",
      /validity_hours/,
    ],
    [{ discount: ten_off, metadata: [] }, "invalid_payload", /\.metadata/],
  ])("%j is refused: %s", async (sent, key, details) => {
    const { body } = await api.post("/v1/vouchers", sent, 400);
    expect(body).toMatchObject({ code: 400, key });
    expect(body.details).toMatch(details);
  });

  test.each([
    [{ discount: { type: "UNIT", unit_type: "prod_none", unit_off: 1 } }, "product"],
    [{ discount: { type: "UNIT", unit_type: "sku_none", unit_off: 1 } }, "sku"],
    [{ discount: ten_off, campaign_id: "camp_none" }, "campaign"],
    [{ discount: ten_off, campaign: "none" }, "campaign"],
    [{ discount: ten_off, validation_rules: ["val_none"] }, "validation_rules"],
  ])("%j names something unknown: 404 %s", async (sent, resource_type) => {
    expect((await api.post("/v1/vouchers", sent, 404)).body).toMatchObject({ key: "not_found", resource_type });
  });
});

describe("a code of 255 characters, each of two units,", () => {
  const { send, ended } = importsOn(service);
  const codeOf = (first: string, length = 255) => first + "🎁".repeat(length - 1);
  const at = (code: string) => `/v1/vouchers/${encodeURIComponent(code)}`;
  const too_long = "Property .code must NOT have more than 255 characters";

  test("is taken wherever codes come in", async () => {
    const codes = ["B", "P", "J", "F", "C"].map((first) => codeOf(first));
    const [body, path, json, file, joined] = codes as [string, string, string, string, string];
    await api.post("/v1/vouchers", { code: body, discount: ten_off }, 200);
    await api.post(at(path), { discount: ten_off }, 200);
    await ended(project, await api.post("/v1/vouchers/import", [{ code: json, gift: { amount: 1 } }], 202));
    const row = `Code,Voucher Type,Value\n${file},GIFT_VOUCHER,1`;
    await ended(project, await send(api, "/v1/vouchers/importCSV", row, { status: 202 }));
    const voucher = { type: "DISCOUNT_VOUCHER", discount: ten_off };
    await api.post("/v1/campaigns", { name: "Gifts", campaign_type: "DISCOUNT_COUPONS", voucher }, 200);
    await api.post("/v1/campaigns/Gifts/vouchers", { code: joined }, 200);
    for (const code of codes) expect((await api.get(at(code), 200)).body.code).toBe(code);
  });

  test("may be one that is made", async () => {
    const code_config = { prefix: codeOf("M", 247), length: 8 };
    const { body } = await api.post("/v1/vouchers", { discount: ten_off, code_config }, 200);
    expect([...body.code]).toHaveLength(255);
  });

  test("is the longest there is, and one that is longer is told so", async () => {
    const file = `Code,Voucher Type,Value\n${codeOf("L", 256)},GIFT_VOUCHER,1`;
    const { result } = await ended(project, await send(api, "/v1/vouchers/importCSV", file, { status: 202 }));
    expect(result.failed).toMatchObject([{ row: 1, reason: too_long }]);
    expect((await api.post(at(codeOf("L", 256)), { discount: ten_off }, 400)).body.details).toContain(
      "must NOT have more than 255 characters",
    );
  });
});
