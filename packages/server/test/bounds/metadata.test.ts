import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { default_bounds } from "../../src/platform/bounds.js";
import { type JsonSchema, operationsOf } from "../harness/document.js";
import { uniqueText } from "../harness/resources.js";
import { startService } from "../harness/service.js";

const { api, runDue } = await startService();
const { metadata_bytes_max } = default_bounds;

const document = JSON.parse(await readFile(new URL("../../openapi.json", import.meta.url), "utf8"));
const discount = { type: "AMOUNT", amount_off: 100 };

/** Metadata of so many bytes of JSON. */
const metadataOf = (bytes: number, key = "k") => ({ [key]: "x".repeat(bytes - key.length - 7) });
const refusal = (path: string) => ({
  code: 400,
  key: "invalid_payload",
  message: "Invalid payload",
  details: `Property ${path} must not be larger than ${metadata_bytes_max} bytes`,
  request_id: expect.any(String),
});

test("one metadata object may have 64 KB of JSON, counted in UTF-8, and not a byte more", async () => {
  const exact = metadataOf(metadata_bytes_max);
  expect(JSON.stringify(exact)).toHaveLength(metadata_bytes_max);
  await api.post("/v1/customers", { metadata: exact }, 200);
  const over = [metadataOf(metadata_bytes_max + 1), { k: "ü".repeat(metadata_bytes_max / 2) }];
  for (const metadata of over) {
    expect((await api.post("/v1/customers", { metadata }, 400)).body).toEqual(refusal(".metadata"));
  }
});

test("what is refused names the object that is too large, wherever it stands", async () => {
  const metadata = metadataOf(metadata_bytes_max + 1);
  const redeemables = [{ object: "voucher", id: "any" }];
  const places: [string, Record<string, unknown>][] = [
    [".metadata", { metadata }],
    [".customer.metadata", { customer: { metadata } }],
    [".order.metadata", { order: { metadata } }],
    [".order.items[1].product.metadata", { order: { items: [{}, { product: { metadata } }] } }],
    [".order.items[0].metadata", { order: { items: [{ metadata }] } }],
  ];
  for (const [path, body] of places) {
    expect((await api.post("/v1/validations", { redeemables, ...body }, 400)).body).toEqual(refusal(path));
  }
});

describe("metadata that is sent bit by bit", () => {
  const name = () => uniqueText("thing");
  const campaign = (fields: object) =>
    api.post("/v1/campaigns", {
      name: name(),
      campaign_type: "DISCOUNT_COUPONS",
      voucher: { type: "DISCOUNT_VOUCHER", discount },
      ...fields,
    });
  const program = async () =>
    (await api.post("/v1/loyalties", { name: name(), voucher: { type: "LOYALTY_CARD", loyalty_card: { points: 1 } } }))
      .body.id;

  /** How each resource is made, where it is changed, and whether that is asked by POST. */
  const resources: Record<string, () => Promise<{ path: string; fields?: object; upsert?: true }>> = {
    customer: async () => ({ path: `/v1/customers/${(await api.post("/v1/customers", {}, 200)).body.id}` }),
    "customer by source id": async () => ({ path: "/v1/customers", fields: { source_id: name() }, upsert: true }),
    voucher: async () => ({ path: `/v1/vouchers/${(await api.post(`/v1/vouchers/${name()}`, { discount })).body.id}` }),
    campaign: async () => ({ path: `/v1/campaigns/${(await campaign({})).body.id}` }),
    product: async () => ({ path: `/v1/products/${(await api.post("/v1/products", {}, 200)).body.id}` }),
    "product by source id": async () => ({ path: "/v1/products", fields: { source_id: name() }, upsert: true }),
    SKU: async () => {
      const { body } = await api.post("/v1/products", {}, 200);
      return { path: `/v1/products/${body.id}/skus`, fields: { source_id: name() }, upsert: true };
    },
    order: async () => ({ path: `/v1/orders/${(await api.post("/v1/orders", { amount: 1 }, 200)).body.id}` }),
    "order by source id": async () => ({ path: "/v1/orders", fields: { source_id: name() }, upsert: true }),
    "customer of an order": async () => ({ path: "/v1/orders", fields: {}, upsert: true }),
    "earning rule": async () => {
      const path = `/v1/loyalties/${await program()}/earning-rules`;
      const rule = { event: "order.paid", loyalty: { type: "FIXED", points: 5 }, source: { banner: "Five" } };
      return { path: `${path}/${(await api.post(path, [rule], 200)).body[0].id}` };
    },
  };

  test.each(Object.keys(resources))("never makes the metadata of a %s larger", async (resource) => {
    const made = await resources[resource]?.();
    if (!made) throw new Error(resource);
    const { path, fields = {}, upsert } = made;
    const source_id = uniqueText("customer");
    const put = (metadata: object) => {
      const body =
        resource === "customer of an order" ? { customer: { source_id, metadata } } : { ...fields, metadata };
      return upsert ? api.post(path, body) : api.put(path, body);
    };
    expect((await put(metadataOf(40_000, "first"))).status).toBe(200);
    const { status, body } = await put(metadataOf(40_000, "second"));
    expect({ status, body }).toEqual({ status: 400, body: refusal(".metadata") });
    expect((await put({ third: 1 })).status).toBe(200);
    expect((await put(metadataOf(60_000, "first"))).status).toBe(200);
  });

  test("by redemptions is refused as well, and those beside it in the batch are recorded", async () => {
    const code = name();
    await api.post(`/v1/vouchers/${code}`, { discount }, 200);
    const redeemables = [{ object: "voucher", id: code }];
    const redeem = (order: object) => api.post("/v1/redemptions", { redeemables, order: { amount: 1000, ...order } });
    const { id } = (await redeem({ metadata: metadataOf(40_000, "first") })).body.order;
    const answers = await Promise.all([redeem({}), redeem({ id, metadata: metadataOf(40_000, "second") }), redeem({})]);
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 200]);
    expect(answers[1]?.body).toEqual(refusal(".metadata"));
  });

  test("in bulk fails for the products that would grow too large, and for no other", async () => {
    const [full, free] = [name(), name()];
    await api.post("/v1/products", { source_id: full, metadata: metadataOf(40_000, "first") }, 200);
    const source_ids = [full, free];
    const { body } = await api.post("/v1/products/metadata/async", { source_ids, metadata: metadataOf(40_000) }, 202);
    await runDue();
    const { result } = (await api.get(`/v1/async-actions/${body.async_action_id}`, 200)).body;
    expect(result).toMatchObject({ done_count: 1, failed_count: 1 });
    expect(JSON.stringify((await api.get(`/v1/products/${full}`, 200)).body.metadata)).toHaveLength(40_000);
    expect(JSON.stringify((await api.get(`/v1/products/${free}`, 200)).body.metadata)).toHaveLength(40_000);
  });
});

test("the lines of an order that is stored are bounded with what the catalogue knows of them", async () => {
  const product_id = (await api.post("/v1/products", { price: 1, metadata: metadataOf(60_000) }, 200)).body.id;
  const items = Array.from({ length: 40 }, () => ({ product_id }));
  const { body } = await api.post("/v1/orders", { items }, 400);
  expect(body.details).toBe(`Property .items must not be larger than ${default_bounds.order_bytes_max} bytes`);
});

test("the lines of an order that is only asked about are bounded too", async () => {
  const metadata = metadataOf(60_000);
  const order = { items: Array.from({ length: 40 }, () => ({ metadata })) };
  const { body } = await api.post("/v1/validations", { redeemables: [{ object: "voucher", id: "any" }], order }, 400);
  expect(body.details).toBe(`Property .order.items must not be larger than ${default_bounds.order_bytes_max} bytes`);
});

describe("every request", () => {
  const operations = operationsOf(document).filter(({ body }) => body !== undefined);
  const found = operations.flatMap(({ id, body }) => freeIn(body as JsonSchema, id ?? "", new Set()));

  test("bounds each text and each object of the caller's own making", () => {
    expect(operations.length).toBeGreaterThan(30);
    expect(found).toEqual([]);
  });
});

const isEmpty = (schema: object) => Object.keys(schema).length === 0;

/** Where a schema takes a text of any length or an object of any size. */
function freeIn(schema: JsonSchema, at: string, around: Set<JsonSchema>): string[] {
  if (around.has(schema)) return [];
  const inside = new Set(around).add(schema);
  const { type, properties = {}, items, anyOf, oneOf, allOf, maxLength, format, pattern } = schema;
  const types = [type ?? []].flat();
  const is_free_text =
    types.includes("string") && !schema.enum && schema.const === undefined && !maxLength && !format && !pattern;
  const { patternProperties, additionalProperties, maxProperties } = schema as JsonSchema & Record<string, unknown>;
  const patterns: JsonSchema[] = [
    ...Object.values((patternProperties ?? {}) as Record<string, JsonSchema>),
    ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
  ];
  const takes_any = types.includes("object") && !schema.properties;
  const is_numbered = maxProperties !== undefined && patterns.length > 0 && !patterns.some(isEmpty);
  const is_free_object = takes_any && !is_numbered && !("x-bounded-by" in schema);
  const parts = [...(anyOf ?? []), ...(oneOf ?? []), ...(allOf ?? []), ...patterns];
  return [
    ...(is_free_text ? [`${at}: a text`] : []),
    ...(is_free_object ? [`${at}: an object`] : []),
    ...Object.entries(properties).flatMap(([name, inner]) => freeIn(inner, `${at}.${name}`, inside)),
    ...(items ? freeIn(items, `${at}[]`, inside) : []),
    ...parts.flatMap((part) => freeIn(part, at, inside)),
  ];
}
