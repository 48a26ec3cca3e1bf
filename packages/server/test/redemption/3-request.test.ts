import { describe, expect, test } from "vitest";
import { aRule, type Fields, off, tiersOf } from "../../src/features/promotions/promotion.fixtures.js";
import { startService } from "../harness/service.js";

const { api, management, project } = await startService();

let made = 0;
const aName = (word: string) => `${word}-${++made}`;
/** Code and id of a voucher that takes 1.00 off unless said otherwise. */
async function aVoucher(fields: Fields = {}) {
  const { body } = await api.post(
    `/v1/vouchers/${aName("R")}`,
    { ...("gift" in fields ? {} : off(100)), ...fields },
    200,
  );
  return body as { id: string; code: string };
}
const named = (id: string, more: Fields = {}) => ({ object: "voucher", id, ...more });
const order = { amount: 10_000 };
const validate = async (redeemables: Fields[], more: Fields = { order }) =>
  (await api.post("/v1/validations", { redeemables, ...more }, 200)).body;
const redeem = async (redeemables: Fields[], more: Fields = { order }) =>
  (await api.post("/v1/redemptions", { redeemables, ...more }, 200)).body;

describe("what is redeemed (redemption.md §3)", () => {
  test("is named by code or by id, and answered by its code", async () => {
    const { id, code } = await aVoucher();
    for (const name of [id, code]) expect((await validate([named(name)])).redeemables[0]).toMatchObject(named(code));
    for (const name of [id, code]) expect((await redeem([named(name)])).redemptions[0].voucher.code).toBe(code);
  });

  test.each([
    [undefined, 500, 9_500],
    [{ credits: 200 }, 200, 9_800],
    [{ credits: 0 }, 0, 10_000],
    [{ credits: null }, 500, 9_500],
  ])("spends gift %j of 5.00: %i", async (gift, credits, total_amount) => {
    const { code } = await aVoucher({ gift: { amount: 500 } });
    const { redeemables, order } = await validate([named(code, { gift })]);
    expect([redeemables[0].result.gift.credits, order.total_amount]).toEqual([credits, total_amount]);
  });
});

describe("the customer", () => {
  test("is named by id or source id, and the id wins", async () => {
    const ann = (await api.post("/v1/customers", { source_id: aName("ann") }, 200)).body;
    const bob = (await api.post("/v1/customers", { source_id: aName("bob") }, 200)).body;
    const { code } = await aVoucher();
    const redeemedBy = async (customer: Fields) =>
      (await redeem([named(code)], { customer })).redemptions[0].customer_id;
    expect(await redeemedBy({ id: ann.id })).toBe(ann.id);
    expect(await redeemedBy({ source_id: ann.source_id })).toBe(ann.id);
    expect(await redeemedBy({ id: ann.id, source_id: bob.source_id })).toBe(ann.id);
  });

  test("is the order's own where the request names none", async () => {
    const { code } = await aVoucher();
    const source_id = aName("buyer");
    const { redemptions, order } = await redeem([named(code)], { order: { amount: 100, customer: { source_id } } });
    expect(redemptions[0].customer.source_id).toBe(source_id);
    expect(order.customer_id).toBe(redemptions[0].customer_id);
  });

  test("is who the tracking id says, a source id or a token of an earlier answer", async () => {
    const { code } = await aVoucher();
    const source_id = aName("visitor");
    const { tracking_id } = await validate([named(code)], { tracking_id: source_id });
    expect(tracking_id).toMatch(/^track_/);
    expect((await redeem([named(code)], { tracking_id })).redemptions[0].customer.source_id).toBe(source_id);
  });
});

describe("the order", () => {
  const lines = async (items: Fields[]) =>
    (await validate([named((await aVoucher()).code)], { order: { items } })).order.items;

  test("has lines that name a product or SKU by its id, or by its source id and what it is", async () => {
    const cup = (await api.post("/v1/products", { source_id: aName("cup"), name: "Cup", price: 500 }, 200)).body;
    const red = (
      await api.post(`/v1/products/${cup.id}/skus`, { source_id: aName("red"), sku: "Red", price: 600 }, 200)
    ).body;
    const items = [
      { product_id: cup.id, quantity: 1 },
      { sku_id: red.id, quantity: 1 },
      { source_id: cup.source_id, related_object: "product", quantity: 2 },
      { source_id: red.source_id, related_object: "sku", quantity: 1, object: "order_item" },
    ];
    expect(await lines(items)).toMatchObject([
      { product_id: cup.id, amount: 500 },
      { sku_id: red.id, product_id: cup.id, amount: 600 },
      { product_id: cup.id, amount: 1000 },
      { sku_id: red.id, amount: 600 },
    ]);
  });

  test("may count its units in a numeric text", async () => {
    const item = { source_id: "tea", related_object: "product", quantity: "3", price: 100 };
    expect(await lines([item])).toMatchObject([{ quantity: 3, amount: 300 }]);
  });

  test("is priced anew: what an answer once said of discounts is ignored", async () => {
    const { code } = await aVoucher();
    const item = { source_id: "tea", related_object: "product", quantity: 1, price: 1000 };
    const plain = await validate([named(code)], { order: { items: [item] } });
    const results = {
      initial_amount: 7,
      discount_amount: 7,
      items_discount_amount: 7,
      total_discount_amount: 7,
      total_amount: 7,
      applied_discount_amount: 7,
      total_applied_discount_amount: 7,
    };
    const line = { ...item, discount_amount: 7, applied_discount_amount: 7, subtotal_amount: 7, initial_quantity: 7 };
    const again = await validate([named(code)], { order: { ...results, items: [line] } });
    const withoutIds = ({ order }: { order: { items: Fields[] } }) => ({
      ...order,
      items: order.items.map(({ id: _, ...rest }) => rest),
    });
    expect(withoutIds(again)).toEqual(withoutIds(plain));
  });

  test("names its referrer, who is kept with it", async () => {
    const { code } = await aVoucher();
    const { id } = (await api.post("/v1/customers", { source_id: aName("friend") }, 200)).body;
    const known = await redeem([named(code)], { order: { amount: 100, referrer: { id } } });
    expect(known.order).toMatchObject({ referrer_id: id, referrer: { id, object: "customer" } });
    const source_id = aName("new-friend");
    const { order } = await redeem([named(code)], { order: { amount: 100, referrer: { source_id, name: "Fay" } } });
    const friend = (await api.get(`/v1/customers/${source_id}`, 200)).body;
    expect(friend.name).toBe("Fay");
    expect(order).toMatchObject({ referrer_id: friend.id, referrer: { id: friend.id, object: "customer" } });
    expect((await api.get(`/v1/orders/${order.id}`, 200)).body.referrer_id).toBe(friend.id);
  });
});

describe("metadata", () => {
  test("is the redemption's: kept with it, and what its rules look at", async () => {
    const rule = await aRule(api, "redemption.metadata", { $is: ["shop"] }, { property: "where" });
    const { code } = await aVoucher({ validation_rules: [rule] });
    const metadata = { where: "shop", till: 7 };
    const { redemptions } = await redeem([named(code)], { metadata });
    expect((await api.get(`/v1/redemptions/${redemptions[0].id}`, 200)).body.metadata).toEqual(metadata);
    expect((await validate([named(code)], { metadata: { where: "web" } })).valid).toBe(false);
  });
});

describe("options.expand", async () => {
  const category = (await api.post("/v1/categories", { name: "Joint", hierarchy: 3 }, 200)).body;
  const other = (await api.post("/v1/categories", { name: "Exclusive", hierarchy: 4 }, 200)).body;
  const common = (await api.post("/v1/categories", { name: "Common", hierarchy: 5 }, 200)).body;
  await management.post(
    `/management/v1/projects/${project.id}/stacking-rules`,
    { joint_categories: [category.id], exclusive_categories: [other.id] },
    200,
  );
  const alone = await aVoucher({ metadata: { a: 1 }, category_id: category.id });
  const { campaign_id, ids } = await tiersOf(api, [{ name: "Tier", metadata: { b: 2 }, category_id: other.id }]);
  const campaign_name = (await api.get(`/v1/campaigns/${campaign_id}`, 200)).body.name;
  const tier = { object: "promotion_tier", id: ids[0] as string };
  const entries = async (expand: string[] | undefined, more: Fields = {}) => {
    const sent = { order, options: { ...(expand ? { expand } : {}), ...more } };
    return [...(await validate([named(alone.code)], sent)).redeemables, ...(await validate([tier], sent)).redeemables];
  };

  test.each([[undefined], [["order"]]])("%j: the running order, and nothing of what is redeemed", async (expand) => {
    for (const entry of await entries(expand)) {
      expect(entry.order).toMatchObject({ amount: 10_000 });
      for (const key of ["metadata", "campaign_id", "campaign_name", "name", "categories"]) {
        expect(entry).not.toHaveProperty(key);
      }
    }
  });

  test("redeemable: metadata, the campaign where there is one, and a tier's name", async () => {
    const [voucher, promotion] = await entries(["redeemable"]);
    expect(voucher).toMatchObject({ metadata: { a: 1 }, order: { amount: 10_000 } });
    expect(voucher).not.toHaveProperty("campaign_name");
    expect(promotion).toMatchObject({ metadata: { b: 2 }, campaign_id, campaign_name, name: "Tier" });
  });

  test("category: the categories, and what stacking rules say of them", async () => {
    const shown = ({ id, name, hierarchy, created_at }: Fields, stacking_rules_type?: string) => ({
      id,
      name,
      hierarchy,
      object: "category",
      created_at,
      ...(stacking_rules_type ? { stacking_rules_type } : {}),
    });
    const [voucher, promotion] = await entries(["category"]);
    expect(voucher.categories).toEqual([expect.objectContaining(shown(category, "JOINT"))]);
    expect(promotion.categories).toEqual([expect.objectContaining(shown(other, "EXCLUSIVE"))]);
    const { code } = await aVoucher({ category_id: common.id });
    const [plain] = (await validate([named(code)], { order, options: { expand: ["category"] } })).redeemables;
    expect(plain.categories).toEqual([expect.objectContaining(shown(common))]);
    expect(plain.categories[0]).not.toHaveProperty("stacking_rules_type");
  });

  test("redeemable and redemption of a redemption: the metadata of what was redeemed, and its own", async () => {
    const sent = { order, metadata: { till: 7 }, options: { expand: ["redeemable", "redemption"] } };
    const stack = await redeem(
      [named((await aVoucher({ metadata: { a: 1 } })).code), named((await aVoucher()).code)],
      sent,
    );
    expect(stack.redemptions[0]).toMatchObject({ metadata: { till: 7 }, voucher: { metadata: { a: 1 } } });
    expect(stack.parent_redemption.metadata).toEqual({ till: 7 });
    expect((await redeem([tier], sent)).redemptions[0].promotion_tier.metadata).toEqual({ b: 2 });
  });

  test("names and options of old are ignored, an unknown one to expand is refused by name", async () => {
    const [voucher] = await entries(undefined, { include_orders: true, extended_redemptions: true });
    expect(voucher.order.amount).toBe(10_000);
    const { body } = await api.post("/v1/validations", { redeemables: [tier], options: { expand: ["all"] } }, 400);
    expect(body).toMatchObject({ key: "invalid_payload", details: expect.stringContaining(".options.expand[0]") });
  });
});
