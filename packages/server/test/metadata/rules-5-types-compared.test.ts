import { describe, expect, test } from "vitest";
import { aShop, type Filter } from "../../src/features/segments/memberships/membership.fixtures.js";
import { startService, type TestProject } from "../harness/service.js";

const service = await startService();
const { management } = service;
type Fields = Record<string, unknown>;

const schemasOf = ({ id }: { id: string }) => `/management/v1/projects/${id}/metadata-schemas`;
const defined = (types: Record<string, string | Fields>) =>
  Object.fromEntries(
    Object.entries(types).map(([name, type]) => [
      name,
      { optional: true, array: false, ...(typeof type === "string" ? { type } : type) },
    ]),
  );
/** What the project says of an object's metadata from now on; answers the schema's id. */
const say = async (project: { id: string }, related_object: string, types: Record<string, string | Fields>) =>
  (await management.post(schemasOf(project), { related_object, properties: defined(types) }, 200)).body.id as string;

let made = 0;
/** Asks whether a code of this one rule is valid. */
async function aCodeAsking({ api }: Pick<TestProject, "api">, name: string, property: string, conditions: Fields) {
  made += 1;
  const rules = { "1": { name, property, conditions }, logic: "1" };
  const rule = (await api.post("/v1/validation-rules", { name: `rule ${made}`, rules }, 200)).body.id;
  const discount = { type: "AMOUNT", amount_off: 100 };
  const { code } = (await api.post("/v1/vouchers", { discount, validation_rules: [rule] }, 200)).body;
  return async (situation: Fields): Promise<boolean> => {
    const redeemables = [{ object: "voucher", id: code }];
    return (await api.post("/v1/validations", { redeemables, ...situation }, 200)).body.valid;
  };
}

const a_customer = (metadata: Fields) => ({ customer: { source_id: "ann", metadata } });
const an_order = (order: Fields) => ({ customer: { source_id: "ann" }, order: { amount: 1000, ...order } });

describe("a rule compares metadata as what the project's schema says it is", () => {
  test.each<[type: string, conditions: Fields, value: unknown]>([
    ["datetime", { $is: ["2026-03-01"] }, "2026-03-01T15:30:00Z"],
    ["datetime", { $in: ["2026-03-01T10:00:00Z"] }, "2026-03-01T11:00:00+01:00"],
    ["number", { $is: ["5.0"] }, 5],
    ["number", { $in: ["007", "8"] }, 7],
  ])("of type %s: %j holds for %j, and does not where nothing is said", async (type, conditions, value) => {
    const project = await service.anotherProject();
    const isValid = await aCodeAsking(project, "customer.metadata", "k", conditions);
    expect(await isValid(a_customer({ k: value }))).toBe(false);
    const schema = await say(project, "customer", { k: type });
    expect(await isValid(a_customer({ k: value }))).toBe(true);
    await management.delete(`${schemasOf(project)}/${schema}`, 204);
    expect(await isValid(a_customer({ k: value }))).toBe(false);
  });

  test("whoever's it is: an order's, a line's, a product's, a request's", async () => {
    const project = await service.anotherProject();
    const sold = { quantity: 1, price: 1000 };
    const asked: [object: string, name: string, situation: Fields][] = [
      ["order", "order.metadata", an_order({ metadata: { k: 5 } })],
      ["order_item", "order.items.metadata_any", an_order({ items: [{ ...sold, metadata: { k: 5 } }] })],
      ["product", "product.metadata", an_order({ items: [{ ...sold, product: { metadata: { k: 5 } } }] })],
      ["redemption", "redemption.metadata", { metadata: { k: 5 } }],
    ];
    for (const [object, name, situation] of asked) {
      const isValid = await aCodeAsking(project, name, "k", { $is: ["5.0"] });
      expect([name, await isValid(situation)]).toEqual([name, false]);
      await say(project, object, { k: "number" });
      expect([name, await isValid(situation)]).toEqual([name, true]);
    }
  });

  test("of a line as its product's, where nothing is said of lines", async () => {
    const project = await service.anotherProject();
    const isValid = await aCodeAsking(project, "order.items.metadata_any", "k", { $is: ["5.0"] });
    const situation = an_order({ items: [{ quantity: 1, price: 1000, product: { metadata: { k: 5 } } }] });
    expect(await isValid(situation)).toBe(false);
    await say(project, "product", { k: "number" });
    expect(await isValid(situation)).toBe(true);
  });

  test("inside of objects by their nested schema, and by the very name where a key has a dot", async () => {
    const project = await service.anotherProject();
    const isValid = await aCodeAsking(project, "customer.metadata", "visit.at", { $is: ["2026-03-01"] });
    const nested = a_customer({ visit: { at: "2026-03-01T15:30:00Z" } });
    await say(project, "a visit", { at: "datetime" });
    expect(await isValid(nested)).toBe(false);
    await say(project, "customer", { visit: { type: "object", object_type: "a visit" } });
    expect(await isValid(nested)).toBe(true);
    expect(await isValid(a_customer({ "visit.at": "2026-03-01T15:30:00Z" }))).toBe(true);
  });

  test("but for what the schema does not count any more", async () => {
    const project = await service.anotherProject();
    const isValid = await aCodeAsking(project, "customer.metadata", "k", { $is: ["5.0"] });
    const schema = await say(project, "customer", { k: "number" });
    expect(await isValid(a_customer({ k: 5 }))).toBe(true);
    const properties = defined({ k: { type: "number", deleted: true } });
    await management.put(`${schemasOf(project)}/${schema}`, { properties }, 200);
    expect(await isValid(a_customer({ k: 5 }))).toBe(false);
  });
});

describe("a filter takes metadata for what the schema says", () => {
  const long_ago: Filter = { junction: "and", "metadata.since": { conditions: { $more_than: [30] } } };

  test("of a segment: numbers beside a date are days, and who is in it is looked at again", async () => {
    const shop = await aShop(service);
    await shop.aCustomer("old", { metadata: { since: "2020-01-01" } });
    await shop.aCustomer("new", { metadata: { since: new Date(service.clock.now()).toISOString().slice(0, 10) } });
    const kept = await shop.aSegment(long_ago);
    const passive = await shop.aSegment(long_ago, "passive");
    const segmentsOf = async (customer: string) =>
      (await shop.api.get(`/v1/customers/${customer}/segments`, 200)).body.data.map(({ id }: { id: string }) => id);
    await shop.runDue();
    expect([await shop.members(kept), await segmentsOf("old")]).toEqual([[], []]);
    const schema = await say(shop, "customer", { since: "date" });
    await shop.runDue();
    expect(await shop.members(kept)).toEqual(["old"]);
    expect((await segmentsOf("old")).toSorted()).toEqual([kept, passive].toSorted());
    expect(await segmentsOf("new")).toEqual([]);
    await management.delete(`${schemasOf(shop)}/${schema}`, 204);
    await shop.runDue();
    expect([await shop.members(kept), await segmentsOf("old")]).toEqual([[], []]);
    expect(await shop.told()).toEqual(["+old", "-old"]);
  });

  test("of a product collection, in its list and in a rule", async () => {
    const project = await service.anotherProject();
    const { api } = project;
    const { id } = (await api.post("/v1/products", { name: "Mug", price: 700, metadata: { since: "2020-01-01" } }, 200))
      .body;
    const fields = { name: "Old ones", type: "AUTO_UPDATE", filter: long_ago };
    const collection = (await api.post("/v1/product-collections", fields, 200)).body.id;
    const rules = {
      "1": { name: "order.items.any", conditions: { $is: [{ id: collection, object: "products_collection" }] } },
      logic: "1",
    };
    const rule = (await api.post("/v1/validation-rules", { name: "Of old ones", rules }, 200)).body.id;
    const discount = { type: "AMOUNT", amount_off: 100 };
    const { code } = (await api.post("/v1/vouchers", { discount, validation_rules: [rule] }, 200)).body;
    const order = { items: [{ product_id: id, quantity: 1 }] };
    const asked = { redeemables: [{ object: "voucher", id: code }], order };
    const found = async () => [
      (await api.get(`/v1/product-collections/${collection}/products`, 200)).body.total,
      (await api.post("/v1/validations", asked, 200)).body.valid,
    ];
    expect(await found()).toEqual([0, false]);
    await say(project, "product", { since: "date" });
    expect(await found()).toEqual([1, true]);
  });
});
