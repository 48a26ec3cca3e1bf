import { expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { importsOn } from "../../imports/import.fixtures.js";

const service = await startService();
const { api, project } = service;
const { ended, pieces } = importsOn(service);

const json = "/v1/vouchers/import";
const gift = { amount: 100 };
const discount = { type: "AMOUNT", amount_off: 100, effect: "APPLY_TO_ORDER" };

test("a row of JSON whose values are out of bounds is refused by itself, and the others are taken", async () => {
  const long = "L".repeat(256);
  const sent = [
    { code: "jn1", gift: { amount: -1 } },
    { code: "jn2", gift },
    { code: "jn3", gift, start_date: "nope" },
    { code: "jn4", gift, validity_day_of_week: [7] },
    { code: "jn5", discount: { ...discount, amount_off: -100 } },
    { code: long, gift },
    { code: "jn7", gift, type: "COUPON" },
    { code: "jn8", gift, category: long },
    { code: "jn9", gift, validity_timeframe: { duration: "PT1H" } },
    { code: "jn10", discount: {} },
    { code: "jn11", gift },
  ];
  const { result } = await ended(project, await api.post(json, sent, 202));
  expect(result).toMatchObject({ message: "2 voucher(s) imported successfully, 9 failed.", done_count: 2 });
  expect(result.failed).toEqual([
    { code: "jn1", reason: "Property .gift.amount must be >= 0" },
    { code: "jn3", reason: "Property .start_date cannot be recognized as a ISO-8601 compliant date" },
    { code: "jn4", reason: "Property .validity_day_of_week[0] must be <= 6" },
    { code: "jn5", reason: "Property .discount.amount_off must be >= 0" },
    { code: long.slice(0, 255), reason: "Property .code must NOT have more than 255 characters" },
    {
      code: "jn7",
      reason:
        "Property .type should be equal to one of the allowed values [DISCOUNT_VOUCHER, GIFT_VOUCHER, LOYALTY_CARD]",
    },
    { code: "jn8", reason: "Property .category must NOT have more than 255 characters" },
    { code: "jn9", reason: "Property .validity_timeframe should have required property 'interval'" },
    { code: "jn10", reason: "Property .discount should have required property 'type'" },
  ]);
  await api.get("/v1/vouchers/jn2", 200);
  await api.get("/v1/vouchers/jn1", 404);
});

test("rows of JSON are refused as a whole where a value is of the wrong type, or more comes than may", async () => {
  const refused = async (row: object) => (await api.post(json, [{ code: "W-1", gift }, row], 400)).body.details;
  expect(await refused({ code: "W-2", gift: { amount: "1" } })).toBe("Property [1].gift.amount must be integer,null");
  expect(await refused({ code: 2, gift })).toBe("Property [1].code must be string,null");
  expect(await refused({ code: "W-2", gift: 1 })).toBe("Property [1].gift must be object,null");
  expect(await refused({ code: "W-2", gift, start_date: 7 })).toBe("Property [1].start_date must be string,null");
  const units = Array.from({ length: 501 }, () => ({}));
  expect(await refused({ code: "W-2", discount: { ...discount, units } })).toContain(
    "must NOT have more than 500 items",
  );
  const metadata = { text: "x".repeat(70_000) };
  expect(await refused({ code: "W-2", gift, metadata })).toContain("metadata");
  expect(await pieces(project)).toBe(0);
  await api.get("/v1/vouchers/W-1", 404);
});

test("rows of JSON into a campaign are refused one by one, but not for what is the campaign's to say", async () => {
  await api.post("/v1/campaigns", { name: "Gifts", voucher: { type: "GIFT_VOUCHER", gift } }, 200);
  const sent = [
    { code: "CG-1", gift: { amount: -1 } },
    { code: "CG-2", gift: { amount: 7 }, type: "COUPON", discount: { amount_off: -1 } },
  ];
  const { result } = await ended(project, await api.post("/v1/campaigns/Gifts/import", sent, 202));
  expect(result.failed).toEqual([{ code: "CG-1", reason: "Property .gift.amount must be >= 0" }]);
  expect((await api.get("/v1/vouchers/CG-2", 200)).body).toMatchObject({ type: "GIFT_VOUCHER", gift: { amount: 7 } });
});
