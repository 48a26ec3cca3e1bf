import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { importsOn } from "../imports/import.fixtures.js";
import { exportsOn, oneOfEachObject } from "./export.fixtures.js";

const service = await startService();
const { api, project } = service;
const { ask, column, linesOf } = exportsOn(service, project);

/** What the contract lets each object be asked for (vouchers-and-campaigns.md §10.2). */
const contract: Record<string, { defaults: string; all: string; orders: string[] }> = {
  voucher: {
    defaults: "Code,Voucher Type,Value,Discount Type",
    all: "code,voucher_type,value,discount_type,formula,campaign,category,start_date,expiration_date,gift_balance,loyalty_balance,redemption_quantity,redemption_count,active,qr_code,bar_code,metadata,id,is_referral_code,created_at,updated_at,validity_timeframe_interval,validity_timeframe_duration,validity_day_of_week,discount_amount_limit,campaign_id,additional_info,customer_id,discount_effect,discount_unit_type,discount_unit_effect,validation_rules_id,customer_source_id",
    orders: ["created_at", "updated_at", "code"],
  },
  redemption: {
    defaults: "ID,Object,Voucher Code,Customer ID,Date,Result",
    all: "id,object,voucher_code,customer_id,date,result,campaign,promotion_tier_id,customer_source_id,customer_name,tracking_id,order_id,order_amount,gift_amount,loyalty_points,failure_code,failure_message,metadata",
    orders: ["id", "voucher_code", "tracking_id", "customer_id", "created_at"],
  },
  customer: {
    defaults: "Name,Source ID",
    all: "name,source_id,id,description,email,phone,birthday,birthdate,created_at,updated_at,address_city,address_state,address_line_1,address_line_2,address_country,address_postal_code,redemptions_total_redeemed,redemptions_total_failed,redemptions_total_succeeded,redemptions_total_rolled_back,redemptions_total_rollback_failed,redemptions_total_rollback_succeeded,orders_total_amount,orders_total_count,orders_average_amount,orders_last_order_amount,orders_last_order_date,loyalty_points,loyalty_referred_customers,metadata",
    orders: ["name", "id", "email", "source_id", "created_at", "updated_at"],
  },
  publication: {
    defaults: "Code,Customer ID,Date,Channel",
    all: "code,voucher_code,customer_id,customer_source_id,date,channel,campaign,is_winner,metadata",
    orders: ["id", "voucher_code", "tracking_id", "customer_id", "created_at", "channel"],
  },
  order: {
    defaults: "ID,Source ID,Status",
    all: "id,source_id,status,created_at,updated_at,amount,discount_amount,items_discount_amount,total_discount_amount,total_amount,customer_id,referrer_id,metadata",
    orders: ["created_at", "updated_at", "status"],
  },
  points_expiration: {
    defaults: "ID,Campaign ID,Voucher ID,Status,Expires At,Points",
    all: "id,campaign_id,voucher_id,status,expires_at,points",
    orders: ["expires_at"],
  },
  voucher_transactions: {
    defaults: "ID,Type,Source ID,Reason,Source,Balance,Amount,Created At",
    all: "id,type,source_id,reason,source,balance,amount,created_at,campaign_id,voucher_id,related_transaction_id,details",
    orders: ["created_at"],
  },
  product: {
    defaults: "ID,Name,Price,Image Url,Source ID,Attributes,Created At",
    // The contract has no metadata of them; whoever moves needs it.
    all: "id,name,price,image_url,source_id,attributes,created_at,metadata",
    orders: ["created_at", "updated_at"],
  },
  sku: {
    defaults: "ID,Sku,Product ID,Currency,Price,Image Url,Source ID,Attributes,Created At",
    all: "id,sku,product_id,currency,price,image_url,source_id,attributes,created_at,metadata",
    orders: ["created_at", "updated_at"],
  },
};

const { sku, program, card } = await oneOfEachObject(service, project);

describe.each(Object.entries(contract))("%s", (name, { defaults, all, orders }) => {
  test("has the fields of the contract, its default ones unless it is asked for others", async () => {
    expect((await linesOf(await ask(name)))[0]).toBe(defaults);
    const fields = all.split(",");
    const [titles = "", ...rows] = await linesOf(await ask(name, { fields }));
    expect(titles.split(",")).toHaveLength(fields.length);
    expect(rows.length).toBeGreaterThan(0);
    const { body } = await ask(name, { fields: ["none"] }, 400);
    expect(body.details.split(": ")[1].split(", ").sort()).toEqual(fields.sort());
  });

  test("is ordered as the contract says, both ways", async () => {
    const { body } = await ask(name, { order: "none" }, 400);
    const allowed = orders.flatMap((order) => [order, `-${order}`]).sort();
    expect(/\[(.*)\]/.exec(body.details)?.[1]?.split(", ").sort()).toEqual(allowed);
    const field = all.split(",").includes("id") ? "id" : "customer_id";
    for (const order of orders) {
      const rows = await column(name, field, { order });
      expect(await column(name, field, { order: `-${order}` })).toEqual(rows.toReversed());
    }
  });
});

describe("a voucher", () => {
  test.each`
    code          | value        | formula           | limit
    ${"AMOUNT"}   | ${"10.50"}   | ${""}             | ${""}
    ${"FRACTION"} | ${"0.105"}   | ${""}             | ${""}
    ${"PERCENT"}  | ${"12.5"}    | ${""}             | ${"50.00"}
    ${"FIXED"}    | ${"0.99"}    | ${""}             | ${""}
    ${"UNIT"}     | ${"2"}       | ${""}             | ${""}
    ${"FORMULA"}  | ${"1.00"}    | ${"ORDER_AMOUNT"} | ${""}
    ${"GIFT"}     | ${"1992.50"} | ${""}             | ${""}
  `("$code is worth $value", async ({ code, value, formula, limit }) => {
    const filters = { code: { conditions: { $is: code } } };
    expect(await column("voucher", "value", { filters })).toEqual([value]);
    const fields = ["formula", "discount_amount_limit", "code"];
    expect((await linesOf(await ask("voucher", { filters, fields })))[1]).toBe(`${formula},${limit},${code}`);
  });

  test("that is a card is worth its usable points, and shows who holds it", async () => {
    const fields = ["value", "loyalty_balance", "gift_balance", "campaign", "customer_source_id", "redemption_count"];
    const rows = await linesOf(await ask("voucher", { fields, campaign_id: program.id }));
    expect(rows.slice(1)).toEqual(["30,30,,Club,ann,0"]);
  });

  test("shows dates in UTC, lists in one cell, truths by their names, and nothing as nothing", async () => {
    const filters = { code: { conditions: { $is: "DATED" } } };
    const fields = [
      ...["start_date", "expiration_date", "validity_day_of_week", "validity_timeframe_interval"],
      ...["active", "is_referral_code", "additional_info", "redemption_quantity"],
    ];
    expect((await linesOf(await ask("voucher", { filters, fields })))[1]).toBe(
      '2026-03-01T00:00:00.000Z,,"1,2,3",P2D,true,false,"a ""quoted"", text",3',
    );
  });

  test("names the images of its code by their addresses, which anybody may load", async () => {
    const { assets } = (await api.get("/v1/vouchers/GIFT", 200)).body;
    const filters = { code: { conditions: { $is: "GIFT" } } };
    const [, row] = await linesOf(await ask("voucher", { filters, fields: ["qr_code", "bar_code"] }));
    expect(row).toBe(`${assets.qr.url},${assets.barcode.url}`);
  });

  test("of one campaign alone is asked for by campaign_id; other objects have no such parameter", async () => {
    expect(await column("voucher", "code", { campaign_id: program.id })).toEqual([card.code]);
    expect(await column("voucher", "code", { campaign_id: "camp_none" })).toEqual([]);
    const { body } = await ask("order", { campaign_id: program.id }, 400);
    expect(body.details).toBe("Property .parameters.campaign_id is not supported");
  });
});

describe("other objects show", () => {
  test("of a redemption what was spent, in money or points, and who did it on what", async () => {
    const fields = [
      "voucher_code",
      "customer_source_id",
      "order_amount",
      "gift_amount",
      "loyalty_points",
      "result",
      "metadata.till",
    ];
    expect((await linesOf(await ask("redemption", { fields })))[1]).toBe("GIFT,ann,15.00,5.00,,SUCCESS,7");
  });

  test("of a customer what summaries count", async () => {
    const fields = [
      ...["source_id", "redemptions_total_succeeded", "orders_total_amount", "orders_total_count"],
      ...["orders_average_amount", "orders_last_order_amount", "loyalty_points", "loyalty_referred_customers"],
    ];
    const { body } = await api.get("/v1/customers/ann", 200);
    const total = (body.summary.orders.total_amount / 100).toFixed(2);
    expect(await linesOf(await ask("customer", { fields }))).toEqual([
      "Source ID,Redemptions Total Succeeded,Orders Total Amount,Orders Total Count,Orders Average Amount,Orders Last Order Amount,Loyalty Points,Loyalty Referred Customers",
      `ann,1,${total},1,${total},${total},${body.loyalty.points},0`,
    ]);
  });

  test("of a publication its codes", async () => {
    expect(await column("publication", "code")).toEqual([card.code]);
    const fields = ["voucher_code", "customer_source_id", "campaign", "is_winner"];
    expect((await linesOf(await ask("publication", { fields })))[1]).toBe(`${card.code},ann,Club,`);
  });

  test("of books signed amounts and what was left: credits in money, points as they are", async () => {
    const fields = ["type", "amount", "balance", "reason"];
    const rows = await linesOf(await ask("voucher_transactions", { fields, order: "created_at" }));
    expect(rows.slice(1).sort()).toEqual(
      [
        "CREDITS_REDEMPTION,-5.00,1995.00,",
        "POINTS_REMOVAL,-15,25,sorry",
        "POINTS_ADDITION,5,30,",
        "CREDITS_REMOVAL,-2.50,1992.50,",
      ].sort(),
    );
  });

  test("of books the details as their list shows them", async () => {
    const { data } = (await api.get("/v1/vouchers/GIFT/transactions?order=id", 200)).body;
    const of_gift = { voucher_id: { conditions: { $in: ["GIFT"] } } };
    const sent = { fields: ["details"], order: "created_at", filters: of_gift };
    const [, ...rows] = await linesOf(await ask("voucher_transactions", sent));
    expect(rows.map((row) => JSON.parse(row.slice(1, -1).replaceAll('""', '"')))).toEqual(
      data.map(({ details }: { details: unknown }) => details),
    );
  });

  test("of points what expires on which day", async () => {
    const fields = ["campaign_id", "voucher_id", "status", "expires_at", "points"];
    expect((await linesOf(await ask("points_expiration", { fields }))).slice(1)).toEqual([
      `${program.id},${card.id},ACTIVE,2026-05-01,5`,
    ]);
  });

  test("of products and SKUs prices in money, and attributes", async () => {
    const fields = ["source_id", "price", "attributes"];
    expect((await linesOf(await ask("product", { fields })))[1]).toBe("tea,4.99,size");
    expect((await linesOf(await ask("sku", { fields: ["id", "sku", "currency", ...fields] })))[1]).toBe(
      `${sku.id},Small,EUR,tea-s,2.50,"{""size"":""S""}"`,
    );
  });
});

test("products that are exported are read again by the import, with their metadata", async () => {
  const [from, into] = [await service.anotherProject(), await service.anotherProject()];
  const season = { type: "string", array: false, optional: true };
  for (const { id } of [from, into]) {
    const schema = { related_object: "product", properties: { season } };
    await service.management.post(`/management/v1/projects/${id}/metadata-schemas`, schema, 200);
  }
  const mug = { source_id: "mug", name: 'A "blue" mug', price: 1_990, metadata: { season: "winter, spring" } };
  await from.api.post("/v1/products", mug, 200);
  const of_shop = exportsOn(service, from);
  const done = await of_shop.written(
    await of_shop.ask("product", { fields: ["name", "source_id", "price", "metadata"] }),
  );
  const file: string = (await of_shop.load(done)).body;
  const { send, ended } = importsOn(service);
  const { result } = await ended(into, await send(into.api, "/v1/products/importCSV", file, { status: 200 }));
  expect(result.failed).toEqual([]);
  expect((await into.api.get("/v1/products/mug", 200)).body).toMatchObject(mug);
});
