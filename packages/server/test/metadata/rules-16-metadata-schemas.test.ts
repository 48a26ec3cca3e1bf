import { describe, expect, test } from "vitest";
import { startService } from "../harness/service.js";

const service = await startService();
const { management, anotherProject } = service;

type Definition = Record<string, unknown>;

/** A project whose customers' metadata has the key `k`, as defined. */
async function aProject(schemas: Record<string, Record<string, Definition>>, options: object = {}) {
  const project = await anotherProject();
  const path = `/management/v1/projects/${project.id}/metadata-schemas`;
  const ids: Record<string, string> = {};
  for (const [related_object, properties] of Object.entries(schemas)) {
    const whole = Object.fromEntries(
      Object.entries(properties).map(([name, one]) => [name, { optional: true, array: false, ...one }]),
    );
    const body = { related_object, properties: whole, ...options };
    ids[related_object] = (await management.post(path, body, 200)).body.id;
  }
  return { ...project, path, ids };
}

const refused = (details: string) => ({
  code: 400,
  key: "metadata_validation_failed",
  message: "Metadata validation failed",
  details,
  request_id: expect.any(String),
});

describe("a value is of its definition's type", async () => {
  const all = await aProject({
    customer: Object.fromEntries(
      ["string", "number", "boolean", "date", "datetime", "image_url", "geopoint", "object"].map((type) => [
        type,
        { type },
      ]),
    ),
  });

  test.each<[string, unknown[], unknown[], string]>([
    ["string", ["", "a"], [7, true, {}, ["a"]], "must be a string"],
    ["number", [0, -1.5], ["7", true, {}], "must be a number"],
    ["boolean", [true, false], ["true", 1], "must be a boolean"],
    ["date", ["2026-02-28"], ["2026-02-30", "2026-02-28T10:00:00Z", "28.02.2026", 7], "must be a date"],
    [
      "datetime",
      ["2026-02-28", "2026-02-28T10", "2026-02-28T10:30", "2026-02-28T10:30:15", "2026-02-28T10:30:15.250+02:00"],
      ["2026-02-30", "10:30", 7],
      "must be a datetime",
    ],
    [
      "image_url",
      ["https://shop.example/a.jpg", "http://shop.example/b.JPEG", "https://shop.example/c.png"],
      ["https://shop.example/a.gif", "a.png", "ftp://shop.example/a.png", 7],
      "must be a URL pointing to JPG/JPEG or PNG resource",
    ],
    [
      "geopoint",
      ["48.2,16.37", "geo:-90,180", "geo:90,-180"],
      ["90.1,0", "0,180.1", "48.2", "geo:a,b", 7],
      "must be a geopoint",
    ],
    ["object", [{}, { a: 1 }], ["a", 7, [{}]], "must be an object"],
  ])("%s", async (type, right, wrong, words) => {
    for (const value of [...right, null]) {
      const { body } = await all.api.post("/v1/customers", { metadata: { [type]: value } }, 200);
      expect(body.metadata).toEqual({ [type]: value });
    }
    for (const value of wrong) {
      const shown = typeof value === "object" ? JSON.stringify(value) : String(value);
      const { body } = await all.api.post("/v1/customers", { metadata: { [type]: value } }, 400);
      expect(body).toEqual(refused(`${type}: ${words} (actual value is '${shown}')`));
    }
  });
});

describe("options", () => {
  const number = { type: "number" };
  const string = { type: "string" };
  test.each<[Definition, unknown[], unknown[], string]>([
    [
      { ...string, optional: false, eq: ["A", "B"] },
      ["A", "B"],
      ["z", null],
      "must be a string, property is required, must be equal to one of A,B",
    ],
    [{ ...number, eq: [1, 2] }, [1, 2], [3, "1"], "must be a number, must be equal to one of 1,2"],
    [{ ...number, ne: [1, 2] }, [3], [1, 2], "must be a number, must not be equal to any of 1,2"],
    [{ ...number, gt: 1, lt: 2 }, [1.5], [1, 2], "must be a number, must be less than 2, must be greater than 1"],
    [
      { ...number, gte: 1, lte: 2 },
      [1, 2],
      [0.99, 2.01],
      "must be a number, must be less than or equal to 2, must be greater than or equal to 1",
    ],
    [
      { ...string, min_length: 2, max_length: 3 },
      ["ab", "äöü", "👍👍👍"],
      ["a", "abcd"],
      "must be a string, must have at least 2 characters, must have at most 3 characters",
    ],
    [{ ...string, exact_length: 2 }, ["ab"], ["a", "abc"], "must be a string, must have exactly 2 characters"],
    [
      { ...string, array: true, eq: ["S", "M", "L"] },
      [[], ["S", "L"]],
      [["M", "XL"], "S", [null], [["S"]]],
      "must be an array, and every element: must be a string, must be equal to one of S,M,L",
    ],
  ])("%j", async (definition, right, wrong, words) => {
    const { api } = await aProject({ customer: { k: definition } });
    for (const k of right) await api.post("/v1/customers", { metadata: { k } }, 200);
    for (const k of wrong) {
      const shown = typeof k === "object" ? JSON.stringify(k) : String(k);
      const { body } = await api.post("/v1/customers", { metadata: { k } }, 400);
      expect(body).toEqual(refused(`k: ${words} (actual value is '${shown}')`));
    }
  });

  test("of an object: the nested schema it is linked to, in each of its elements", async () => {
    const { api } = await aProject({
      address: { zip: { type: "string", optional: false, exact_length: 4 } },
      customer: {
        home: { type: "object", object_type: "address" },
        others: { type: "object", array: true, object_type: "address" },
      },
    });
    await api.post("/v1/customers", { metadata: { home: { zip: "1010", more: 1 }, others: [{ zip: "1020" }] } }, 200);
    const { body } = await api.post("/v1/customers", { metadata: { home: {}, others: [{ zip: "1" }, {}] } }, 400);
    const words = "must be a string, property is required, must have exactly 4 characters";
    expect(body.details).toBe(
      `home.zip: ${words} (actual value is 'undefined'); others.0.zip: ${words} (actual value is '1'); ` +
        `others.1.zip: ${words} (actual value is 'undefined')`,
    );
  });

  test("deleted: the definition is checked no more", async () => {
    const { api } = await aProject({ customer: { k: { type: "number", optional: false, deleted: true } } });
    await api.post("/v1/customers", { metadata: { k: "x" } }, 200);
    await api.post("/v1/customers", {}, 200);
  });

  test("allow_defined_only: other keys are refused, else kept as they are", async () => {
    const open = await aProject({ customer: { k: { type: "number" } } });
    await open.api.post("/v1/customers", { metadata: { other: "x" } }, 200);
    const closed = await aProject({ customer: { k: { type: "number" } } }, { allow_defined_only: true });
    await closed.api.post("/v1/customers", { metadata: { k: 1 } }, 200);
    const { body } = await closed.api.post("/v1/customers", { metadata: { other: "x" } }, 400);
    expect(body).toEqual(refused("other: property is not defined in the metadata schema (actual value is 'x')"));
  });
});

describe("what is required", () => {
  const required = { k: { type: "number", optional: false } };
  const lacks = refused("k: must be a number, property is required (actual value is 'undefined')");
  const discount = { type: "AMOUNT", amount_off: 100 };

  test("must be there when a customer is made, wherever that is; an edit may leave it out, but not null", async () => {
    const { api } = await aProject({ customer: required });
    await api.post("/v1/vouchers/C", { type: "DISCOUNT_VOUCHER", discount }, 200);
    const customer = { source_id: "ann" };
    const redeemables = [{ object: "voucher", id: "C" }];
    expect((await api.post("/v1/customers", customer, 400)).body).toEqual(lacks);
    expect((await api.post("/v1/orders", { amount: 100, customer }, 400)).body).toEqual(lacks);
    const order = { amount: 1000 };
    expect((await api.post("/v1/redemptions", { redeemables, customer, order }, 400)).body).toEqual(lacks);
    const referred = { ...order, referrer: customer };
    expect((await api.post("/v1/redemptions", { redeemables, order: referred }, 400)).body).toEqual(lacks);
    expect((await api.get("/v1/customers", 200)).body.total).toBe(0);
    expect((await api.get("/v1/orders", 200)).body.total).toBe(0);
    expect((await api.get("/v1/redemptions", 200)).body.total).toBe(0);
    // A question makes nobody.
    await api.post("/v1/validations", { redeemables, customer, order }, 200);
    await api.post("/v1/customers", { ...customer, metadata: { k: 1 } }, 200);
    await api.put("/v1/customers/ann", { name: "Ann" }, 200);
    await api.post("/v1/redemptions", { redeemables, customer, order }, 200);
    expect((await api.put("/v1/customers/ann", { metadata: { k: null } }, 400)).body).toEqual(
      refused("k: must be a number, property is required (actual value is 'null')"),
    );
  });

  test("must be there when anything else is made", async () => {
    const objects = ["campaign", "earning_rule", "order", "order_item", "product", "promotion_tier"];
    const others = ["publication", "redemption", "reward", "voucher"];
    const bare = await anotherProject();
    const { api } = bare;
    const program = (
      await api.post(
        "/v1/loyalties",
        { name: "P", voucher: { type: "LOYALTY_CARD", loyalty_card: { points: 1 } } },
        200,
      )
    ).body.id;
    const promotion = (await api.post("/v1/campaigns", { name: "T", campaign_type: "PROMOTION" }, 200)).body.id;
    const codes = { campaign_type: "DISCOUNT_COUPONS", voucher: { type: "DISCOUNT_VOUCHER", discount } };
    const coupons = (await api.post("/v1/campaigns", { ...codes, name: "C" }, 200)).body.id;
    await api.post("/v1/vouchers/KNOWN", { type: "DISCOUNT_VOUCHER", discount }, 200);
    const product = (await api.post("/v1/products", { source_id: "known" }, 200)).body.id;
    for (const related_object of [...objects, ...others]) {
      const path = `/management/v1/projects/${bare.id}/metadata-schemas`;
      const k = { ...required.k, array: false };
      await management.post(path, { related_object, properties: { k } }, 200);
    }
    const redeemables = [{ object: "voucher", id: "KNOWN" }];
    const metadata = { k: 1 };
    const line = { source_id: "new", amount: 5, metadata, product: { override: true, name: "n" } };
    const tier = { name: "t", action: { discount } };
    const bodies: [string, unknown][] = [
      ["/v1/campaigns", { ...codes, name: "D" }],
      ["/v1/campaigns", { name: "T2", campaign_type: "PROMOTION", metadata, promotion: { tiers: [tier] } }],
      [`/v1/loyalties/${program}/earning-rules`, [{ event: "order.paid", loyalty: { type: "FIXED", points: 5 } }]],
      ["/v1/orders", { amount: 5 }],
      ["/v1/orders", { metadata, items: [{ source_id: "known", amount: 5 }] }],
      ["/v1/orders", { metadata, items: [line] }],
      ["/v1/products", { source_id: "other" }],
      [`/v1/products/${product}/skus`, { source_id: "other" }],
      [`/v1/promotions/${promotion}/tiers`, tier],
      [`/v1/loyalties/${program}/members`, { customer: { source_id: "ann" } }],
      ["/v1/redemptions", { redeemables }],
      ["/v1/redemptions", { redeemables, metadata, order: { amount: 5 } }],
      ["/v1/redemptions", { redeemables, metadata, order: { metadata, items: [line] } }],
      ["/v1/vouchers/KNOWN/redemption", {}],
      ["/v1/rewards", { name: "r", parameters: { product: { id: product } } }],
      ["/v1/vouchers/NEW", { type: "DISCOUNT_VOUCHER", discount }],
      [`/v1/campaigns/${coupons}/vouchers`, {}],
      [`/v1/campaigns/${coupons}/vouchers?vouchers_count=2`, {}],
    ];
    for (const [path, body] of bodies) {
      expect({ path, ...(await api.post(path, body, 400)).body }).toEqual({ path, ...lacks });
    }
    expect((await api.get("/v1/products", 200)).body.total).toBe(1);
    expect((await api.get("/v1/redemptions", 200)).body.total).toBe(0);
  });
});

describe("the check", () => {
  const number = { k: { type: "number" } };

  test("is of the voucher's schema where a campaign hands its metadata on to its vouchers", async () => {
    const { api } = await aProject({ voucher: number, campaign: { c: { type: "number" } } });
    const voucher = { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 100 } };
    const fields = { campaign_type: "DISCOUNT_COUPONS", voucher };
    const handing = { ...fields, use_voucher_metadata_schema: true };
    const body = { ...handing, name: "A", metadata: { k: "x" } };
    expect((await api.post("/v1/campaigns", body, 400)).body.details).toBe("k: must be a number (actual value is 'x')");
    await api.post("/v1/campaigns", { ...fields, name: "B", metadata: { k: "x" } }, 200);
    await api.put("/v1/campaigns/B", { metadata: { c: "x" } }, 400);
    const { id } = (await api.post("/v1/campaigns", { ...handing, name: "C", metadata: { k: 1, c: "x" } }, 200)).body;
    await api.put(`/v1/campaigns/${id}`, { metadata: { k: "x" } }, 400);
  });

  test("is told of each product in the report of a bulk update, and the others are changed", async () => {
    const { api } = await aProject({ product: { k: { type: "number", optional: false } } });
    await api.post("/v1/products", { source_id: "known", metadata: { k: 1 } }, 200);
    const entries = [
      { source_id: "known", name: "named" },
      { source_id: "new" },
      { source_id: "other", metadata: { k: 2 } },
    ];
    const { async_action_id } = (await api.post("/v1/products/bulk/async", entries)).body;
    await service.runDue();
    const { body } = await api.get(`/v1/async-actions/${async_action_id}`, 200);
    expect(body).toMatchObject({ status: "DONE" });
    expect(JSON.stringify(body.result)).toContain("k: must be a number, property is required");
    expect((await api.get("/v1/products/known", 200)).body.name).toBe("named");
    expect((await api.get("/v1/products/other", 200)).body.metadata).toEqual({ k: 2 });
    await api.get("/v1/products/new", 404);
  });

  test("holds for the request after an edit, and no longer after the schema is deleted", async () => {
    const { api, path, ids } = await aProject({ customer: number });
    await api.post("/v1/customers", { source_id: "a", metadata: { k: 1 } }, 200);
    const changed = { properties: { k: { type: "number", optional: true, array: false, lt: 1 } } };
    await management.put(`${path}/${ids.customer}`, changed, 200);
    await api.post("/v1/customers", { source_id: "a", metadata: { k: 1 } }, 400);
    // What is stored stays as it is.
    await api.post("/v1/customers", { source_id: "a", name: "Ann" }, 200);
    await management.delete(`${path}/${ids.customer}`, 204);
    await api.post("/v1/customers", { source_id: "a", metadata: { k: "x" } }, 200);
  });

  test("tells of so many keys at most, and of a closed list so much", async () => {
    const many = Array.from({ length: 50 }, (_, i) => `k${i}`);
    const eq = many.map((key) => key.repeat(20));
    const { api } = await aProject({ customer: Object.fromEntries(many.map((key) => [key, { type: "string", eq }])) });
    const metadata = Object.fromEntries(many.map((key) => [key, "x".repeat(500)]));
    const { details } = (await api.post("/v1/customers", { metadata }, 400)).body;
    expect(details.split("; ")).toHaveLength(20);
    expect(details.length).toBeLessThan(20 * 1400);
  });

  test("is made of metadata in a page's query as it is read from it", async () => {
    const { page, api } = await aProject({ redemption: number });
    const discount = { type: "AMOUNT", amount_off: 100 };
    await api.post("/v1/vouchers/Q", { type: "DISCOUNT_VOUCHER", discount }, 200);
    await page.get("/client/v1/validate?code=Q&amount=500&metadata[k]=7", 200);
    await page.get("/client/v1/validate?code=Q&amount=500&metadata[k]=x", 400);
  });
});
