import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";
import { importsOn } from "../../imports/import.fixtures.js";

const service = await startService();
const { api, project, context, management } = service;
const { send, ended, pieces } = importsOn(service);

const json = "/v1/vouchers/import";
const csv = "/v1/vouchers/importCSV";
const discount = { type: "AMOUNT", amount_off: 100, effect: "APPLY_TO_ORDER" };
const voucher = async (code: string, of = api) => (await of.get(`/v1/vouchers/${encodeURIComponent(code)}`, 200)).body;
const imported = async (text: string, fields: Record<string, string> = {}) =>
  ended(project, await send(api, csv, text, { fields, status: 202 }));
const toldOf = (entity_id: string) =>
  context.db.many<{ type: string }>(sql`
    select events.type from events
     where events.project_id = ${project.id} and events.entity_id = ${entity_id} order by events.type`);

describe("vouchers that are sent as JSON", () => {
  test("are made with what each says, null where it says nothing, and nobody is told", async () => {
    const sent = [
      { code: "J-1", type: "DISCOUNT_VOUCHER", discount, category: "VIP", redemption: { quantity: 3 }, unknown: 1 },
      { code: "J-2", gift: { amount: 5000 }, active: false, start_date: "2026-01-02", metadata: { a: 1 } },
      { code: "J-3", discount, validity_timeframe: { duration: "PT1H", interval: "P1D" }, start_date: "2026-01-02T08" },
    ];
    const action = await ended(project, await api.post(json, sent, 202));
    expect(action).toMatchObject({ type: "VOUCHERS.IMPORT", status: "DONE", operation_status: "SUCCESS" });
    expect(action.result).toEqual({
      message: "3 voucher(s) imported successfully, 0 failed.",
      failed: [],
      done_count: 3,
      failed_count: 0,
    });
    const first = await voucher("J-1");
    expect(first).toMatchObject({
      discount,
      category: "VIP",
      active: null,
      redemption: { quantity: 3 },
      campaign: null,
    });
    expect(await voucher("J-2")).toMatchObject({
      type: "GIFT_VOUCHER",
      gift: { amount: 5000, balance: 5000 },
      active: false,
      start_date: "2026-01-02T00:00:00.000Z",
      metadata: { a: 1 },
      redemption: { quantity: null, redeemed_quantity: 0 },
    });
    expect(await voucher("J-3")).toMatchObject({ start_date: "2026-01-02T08:00:00.000Z" });
    expect(await toldOf(first.id)).toEqual([]);
    expect(await pieces(project)).toBe(0);
  });

  test("work like any other: one may be redeemed as often as it says", async () => {
    await ended(project, await api.post(json, [{ code: "ONCE", discount, redemption: { quantity: 1 } }], 202));
    await api.post("/v1/vouchers/ONCE/redemption", { order: { amount: 500 } }, 200);
    expect((await api.post("/v1/vouchers/ONCE/redemption", { order: { amount: 500 } }, 400)).body.key).toBe(
      "quantity_exceeded",
    );
  });

  test("are told one by one where only some can be made", async () => {
    const sent = [
      { code: "FINE", discount },
      { code: "NO-EFFECT", discount: { type: "AMOUNT", amount_off: 100 } },
      { code: "NOTHING" },
      { code: "POINTS", loyalty_card: { points: 5 } },
      { code: "NEVER", discount, redemption: { quantity: 0 } },
      { code: "UNIT", discount: { type: "UNIT", unit_off: 1, unit_type: "prod_unknown", effect: "ADD_NEW_ITEMS" } },
      { code: "\u0007", discount },
    ];
    const { result, operation_status } = await ended(project, await api.post(json, sent, 202));
    expect(operation_status).toBe("SUCCESS");
    expect(result.message).toBe("1 voucher(s) imported successfully, 6 failed.");
    expect(result.failed).toEqual([
      { code: "NO-EFFECT", reason: "Property .discount.effect is required" },
      { code: "NOTHING", reason: "Property .type is required, or one of discount, gift, loyalty_card" },
      { code: "POINTS", reason: "A LOYALTY_CARD needs loyalty_card.points and a loyalty campaign" },
      { code: "NEVER", reason: "Property .redemption.quantity must be a positive integer or null" },
      { code: "UNIT", reason: "Cannot find product with id prod_unknown" },
      { code: "\u0007", reason: "Property .code must not hold control characters, nor slashes alone" },
    ]);
    await voucher("FINE");
    await api.get("/v1/vouchers/NO-EFFECT", 404);
  });

  test("are refused as a whole where a code is missing, repeated or there already", async () => {
    await api.post("/v1/vouchers/THERE", { discount }, 200);
    const refused = async (sent: unknown[]) => (await api.post(json, sent, 400)).body;
    expect(await refused([{ code: "A1", discount }, { discount }, { code: "", discount }])).toMatchObject({
      key: "invalid_voucher",
      message: "Invalid Voucher",
      details: "Found 2 voucher(s) without 'code' value",
    });
    const sent = [
      { code: "A1", discount },
      { code: "A1", discount },
      { code: "THERE", discount },
    ];
    expect(await refused(sent)).toMatchObject({
      key: "duplicate_key",
      message: "Duplicate codes",
      details: "2 voucher codes(s) already exist.",
    });
    expect(await refused([{ code: "A1", discount, redemption: { quantity: "x" } }])).toMatchObject({
      key: "invalid_payload",
      details: "Property [0].redemption.quantity must be integer,null",
    });
    await api.get("/v1/vouchers/A1", 404);
    expect(await pieces(project)).toBe(0);
  });
});

describe("a file of vouchers", () => {
  test("makes what its columns say: amounts in major units, other columns as metadata", async () => {
    const { body: rule } = await api.post("/v1/validation-rules", { name: "any", rules: {} }, 200);
    const columns =
      "Code,Voucher_Type,VALUE,Discount Type,Discount effect,Formula,Validation rule ID,Category,Active,Start Date," +
      "Redemption Limit,Redeemed quantity,Redeemed Amount,Additional Info,Loyalty Points,Shop";
    const action = await imported(
      [
        columns,
        `C-1,DISCOUNT_VOUCHER,45,AMOUNT,APPLY_TO_ITEMS,,${rule.id},VIP,true,2026-01-02,5,2,,note,9,North`,
        "C-2,gift_voucher,20.5,,,,,,FALSE,,,1,5.25,,,",
        "C-3,DISCOUNT_VOUCHER,12.5,percent,,,,,,,,,,,,South",
        "C-4,DISCOUNT_VOUCHER,3,FIXED,,,,,,,,,,,,",
      ].join("\r\n"),
    );
    expect(action).toMatchObject({ type: "VOUCHERS.IMPORT_CSV", status: "DONE", progress: 100 });
    expect(action.result).toMatchObject({ done_count: 4, failed_count: 0, failed: [] });
    expect(await voucher("C-1")).toMatchObject({
      discount: { type: "AMOUNT", amount_off: 4500, effect: "APPLY_TO_ITEMS" },
      category: "VIP",
      active: true,
      start_date: "2026-01-02T00:00:00.000Z",
      redemption: { quantity: 5, redeemed_quantity: 2 },
      additional_info: "note",
      metadata: { Shop: "North" },
      validation_rules_assignments: { data: [{ rule_id: rule.id }] },
    });
    expect(await voucher("C-2")).toMatchObject({
      gift: { amount: 2050, balance: 1525 },
      active: false,
      redemption: { quantity: null, redeemed_quantity: 1, redeemed_amount: 525 },
      metadata: {},
    });
    expect(await voucher("C-3")).toMatchObject({ discount: { type: "PERCENT", percent_off: 12.5 }, active: null });
    expect(await voucher("C-4")).toMatchObject({ discount: { type: "FIXED", fixed_amount: 300 } });
  });

  test("tells each row that is refused by its number and why, and takes the others", async () => {
    const { result } = await imported(
      [
        "Code,Voucher Type,Value,Discount Type,Active,Start Date,Redemption Limit,Redeemed Quantity,Validation Rule ID",
        "R-1,DISCOUNT_VOUCHER,5,AMOUNT,,,,,",
        ",DISCOUNT_VOUCHER,5,AMOUNT,,,,,",
        "R-3,,5,AMOUNT,,,,,",
        "",
        "R-4,DISCOUNT_VOUCHER,5,,,,,,",
        "R-5,DISCOUNT_VOUCHER,five,AMOUNT,,,,,",
        "R-6,DISCOUNT_VOUCHER,5.123,AMOUNT,,,,,",
        "R-7,DISCOUNT_VOUCHER,101,PERCENT,,,,,",
        "R-8,DISCOUNT_VOUCHER,5,AMOUNT,perhaps,,,,",
        "R-9,DISCOUNT_VOUCHER,5,AMOUNT,,yesterday,,,",
        "R-10,DISCOUNT_VOUCHER,5,AMOUNT,,,1,2,",
        "R-11,DISCOUNT_VOUCHER,5,AMOUNT,,,,,val_unknown",
        "R-12,GIFT_VOUCHER,,,,,,,",
        "R-1,DISCOUNT_VOUCHER,5,AMOUNT,,,,,",
        "R-14,too,few",
      ].join("\n"),
    );
    expect(result).toMatchObject({ message: "1 voucher(s) imported successfully, 13 failed.", done_count: 1 });
    expect(result.failed).toEqual([
      { code: "", row: 2, reason: "Code is required" },
      { code: "R-3", row: 3, reason: "Voucher Type is required" },
      { code: "R-4", row: 4, reason: "Discount Type is required" },
      { code: "R-5", row: 5, reason: "Column 'Value' must be an amount such as 45 or 45.50" },
      { code: "R-6", row: 6, reason: "Column 'Value' must be an amount such as 45 or 45.50" },
      { code: "R-7", row: 7, reason: "Property .discount.percent_off must be <= 100" },
      { code: "R-8", row: 8, reason: "Column 'Active' must be TRUE or FALSE" },
      { code: "R-9", row: 9, reason: "Property .start_date cannot be recognized as a ISO-8601 compliant date" },
      { code: "R-10", row: 10, reason: "Redeemed Quantity must not be more than the redemptions that are allowed" },
      { code: "R-11", row: 11, reason: "Cannot find validation_rules with id val_unknown" },
      { code: "R-12", row: 12, reason: "Property .gift.amount is required for GIFT_VOUCHER" },
      { code: "R-1", row: 13, reason: "Column 'Code' has a value that an earlier row has" },
      { code: "R-14", row: 14, reason: "Row 14 has 3 cells where the header has 9" },
    ]);
  });

  test("of nothing but rows that are refused ends as failed", async () => {
    const { status, operation_status, result } = await imported("Code,Voucher Type\nX-1,");
    expect({ status, operation_status }).toEqual({ status: "DONE", operation_status: "FAILED" });
    expect(result.message).toBe("0 voucher(s) imported successfully, 1 failed.");
  });

  test("types metadata as the schema has its keys, and refuses what breaks it", async () => {
    const other = await service.anotherProject();
    const definition = (type: string, more = {}) => ({ type, array: false, optional: true, ...more });
    await management.post(
      `/management/v1/projects/${other.id}/metadata-schemas`,
      {
        related_object: "voucher",
        properties: {
          unit: definition("number", { optional: false }),
          sold: definition("boolean"),
          tags: definition("string", { array: true }),
        },
      },
      200,
    );
    const text =
      'Code,Voucher Type,Value,unit,sold,tags,free\nM-1,GIFT_VOUCHER,1,2.5,TRUE,"a,b",7\nM-2,GIFT_VOUCHER,1,EUR,,,';
    const { result } = await ended(other, await send(other.api, csv, text, { status: 202 }));
    expect(result.failed).toEqual([
      { code: "M-2", row: 2, reason: "unit: must be a number, property is required (actual value is 'EUR')" },
    ]);
    expect((await voucher("M-1", other.api)).metadata).toEqual({ unit: 2.5, sold: true, tags: ["a", "b"], free: "7" });
  });

  test("sent again changes whether vouchers are active and their categories, and nothing else of them", async () => {
    const columns = "Code,Voucher Type,Value,Active,Category,Redemption Limit\n";
    await imported(`${columns}AGAIN,GIFT_VOUCHER,10,TRUE,One,3\nALIKE,GIFT_VOUCHER,10,TRUE,One,3`);
    const { result } = await imported(`${columns}AGAIN,GIFT_VOUCHER,99,FALSE,Two,9\nALIKE,GIFT_VOUCHER,99,,,`);
    expect(result).toMatchObject({ done_count: 2, failed_count: 0 });
    const kept = { gift: { amount: 1000 }, redemption: { quantity: 3 } };
    expect(await voucher("AGAIN")).toMatchObject({ active: false, category: "Two", ...kept });
    expect(await voucher("ALIKE")).toMatchObject({ active: true, category: "One", ...kept });
  });

  test("leaves alone what is a campaign's, and what is in the bin", async () => {
    await api.post("/v1/campaigns", { name: "Theirs", voucher: { discount } }, 200);
    await api.post("/v1/campaigns/Theirs/vouchers/THEIRS", {}, 200);
    await api.post("/v1/vouchers/BINNED", { discount }, 200);
    await api.delete("/v1/vouchers/BINNED", 204);
    const { result } = await imported(
      "Code,Voucher Type,Value,Active\nTHEIRS,GIFT_VOUCHER,1,FALSE\nBINNED,GIFT_VOUCHER,1,TRUE",
    );
    expect(result.failed).toEqual([
      { code: "THEIRS", row: 1, reason: "Duplicated voucher exists with id THEIRS" },
      { code: "BINNED", row: 2, reason: "Duplicated voucher exists with id BINNED" },
    ]);
    expect((await voucher("THEIRS")).active).toBe(true);
  });

  test("tells webhooks of each voucher only where that is asked for, changed or not", async () => {
    const text = "Code,Voucher Type,Value\nTOLD,GIFT_VOUCHER,1";
    await imported(text, { webhooks_enable: "true" });
    await imported(text, { webhooks_enabled: "true" });
    await imported(text);
    const { id } = await voucher("TOLD");
    expect(await toldOf(id)).toEqual([{ type: "voucher.created" }, { type: "voucher.updated" }]);
    await send(api, csv, text, { fields: { webhooks_enable: "perhaps" }, status: 400 });
  });

  test("finds codes as the project compares them, in the file too", async () => {
    const other = await service.anotherProject({ case_sensitive_codes: false });
    const text = "Code,Voucher Type,Value\nFold,GIFT_VOUCHER,1\nFOLD,GIFT_VOUCHER,2";
    const { result } = await ended(other, await send(other.api, csv, text, { status: 202 }));
    expect(result).toMatchObject({ done_count: 1, failed: [{ code: "FOLD", row: 2 }] });
    expect(await voucher("fold", other.api)).toMatchObject({ code: "Fold", gift: { amount: 100 } });
  });

  test("of thousands is taken slice by slice, and vouchers that are there in parts of as many as may be held", async () => {
    const other = await service.anotherProject();
    const rows = Array.from({ length: 1_500 }, (_, i) => `T-${i},GIFT_VOUCHER,1`);
    const text = ["Code,Voucher Type,Value,Active", ...rows.map((row) => `${row},`)].join("\n");
    const off = ["Code,Voucher Type,Value,Active", ...rows.map((row) => `${row},FALSE`)].join("\n");
    for (const one of [text, off]) {
      const { result } = await ended(other, await send(other.api, csv, one, { status: 202 }));
      expect(result).toMatchObject({ done_count: 1_500, failed_count: 0 });
    }
    const { count } = await context.db.one<{ count: number }>(
      sql`select count(*) from vouchers where vouchers.project_id = ${other.id} and not vouchers.active`,
    );
    expect(count).toBe(1_500);
    expect((await other.api.get("/v1/vouchers?limit=1", 200)).body.total).toBe(1_500);
  });

  test("of thousands makes the category that a thousand rows name once, and refuses any row among them", async () => {
    const other = await service.anotherProject();
    const value = (i: number) => (i % 700 === 650 ? "a lot" : "1");
    const rows = Array.from({ length: 1_500 }, (_, i) => `C-${i},GIFT_VOUCHER,${value(i)},Winter`);
    const text = ["Code,Voucher Type,Value,Category", ...rows].join("\n");
    const { result } = await ended(other, await send(other.api, csv, text, { status: 202 }));
    expect(result).toMatchObject({
      done_count: 1_498,
      failed_count: 2,
      failed: [{ code: "C-650" }, { code: "C-1350" }],
    });
    const { body } = await other.api.get("/v1/vouchers?category=Winter&limit=1", 200);
    expect(body.total).toBe(1_498);
    expect((await other.api.get("/v1/categories", 200)).body.total).toBe(1);
  });
});
