import { describe, expect, test } from "vitest";
import { startService } from "./harness/service.js";

const { api, management, project } = await startService();
const post = async (path: string, body?: unknown) => (await api.post(path, body, 200)).body;
const get = async (path: string) => (await api.get(path, 200)).body;

// Everything here says as little as it may, so that what is optional is not set.
const discount = { type: "AMOUNT", amount_off: 100 };
const order = { amount: 1000 };
const filter = { junction: "and", name: { conditions: { $is: ["Ann"] } } };
const customer = await post("/v1/customers", {});
const voucher = await post("/v1/vouchers", { discount });
const gift = await post("/v1/vouchers", { gift: { amount: 500 } });
const promotion = await post("/v1/campaigns", {
  name: "P",
  promotion: { tiers: [{ name: "t", action: { discount } }] },
});
const tier_id = promotion.promotion.tiers[0].id;
const program = { name: "L", voucher: { type: "LOYALTY_CARD", loyalty_card: { points: 0 } } };
const { id: program_id } = await post("/v1/loyalties", program);
const card = await post(`/v1/loyalties/${program_id}/members`, { customer: { id: customer.id } });
const coupons = { name: "C", voucher: { type: "DISCOUNT_VOUCHER", discount } };
await post("/v1/campaigns", coupons);
const code = await post("/v1/campaigns/C/vouchers", {});
const [earning_rule] = await post(`/v1/loyalties/${program_id}/earning-rules`, [
  { event: "order.paid", loyalty: { type: "FIXED", points: 1 } },
]);
const event_schemas = `/management/v1/projects/${project.id}/custom-event-schemas`;
await management.post(event_schemas, { name: "seen", schema: { properties: {} } }, 200);
const product = await post("/v1/products", {});
const sku = await post(`/v1/products/${product.id}/skus`, {});
const { body: action } = await api.post("/v1/campaigns/C/vouchers?vouchers_count=2", {}, 202);
const validate = (id: string) => ({ redeemables: [{ object: "voucher", id }], order });
const redeemed = await post("/v1/redemptions", validate(voucher.code));
const stacked = await post("/v1/redemptions", {
  redeemables: [
    { object: "promotion_tier", id: tier_id },
    { object: "voucher", id: gift.code },
  ],
  order,
});
const redeemed_alone = await post(`/v1/vouchers/${voucher.code}/redemption`, {});
await api.post("/v1/redemptions", validate("NOBODY"), 404);
const [failed] = (await get("/v1/redemptions?result=FAILURE")).redemptions;

const of_window = ["start_date", "expiration_date", "validity_timeframe", "validity_day_of_week"];
const of_voucher = ["campaign", "campaign_id", "category", "category_id", "additional_info", "updated_at"];
const kinds = ["discount", "gift", "loyalty_card"];
const of_customer = ["source_id", "name", "email", "phone", "description", "address"];
const of_redemption = ["customer_id", "customer", "tracking_id", "redemption"];

/**
 * Keys that are there and null when nothing is set, and keys that are absent then: the contract and the behaviour files
 * say which (docs/adr/0020). An answer to a write and a later read of the same thing are alike.
 */
describe.each([
  [
    "a voucher",
    voucher,
    [...of_voucher, ...of_window, "gift", "loyalty_card"],
    ["validity_hours", "holder_id", "referrer_id"],
  ],
  [
    "a voucher that is read",
    await get(`/v1/vouchers/${code.id}`),
    ["gift", "loyalty_card", "category", ...of_window],
    [],
  ],
  ["a voucher in a list", (await get("/v1/vouchers")).vouchers.at(-1), [...of_voucher, ...of_window], []],
  ["a voucher's redemption", voucher.redemption, ["quantity"], ["redeemed_amount", "redeemed_points"]],
  ["a gift card", gift, [...of_voucher, ...of_window, "discount", "loyalty_card"], []],
  ["a gift card's redemption", gift.redemption, ["quantity"], ["redeemed_points"]],
  ["a code of a campaign that nobody has", code, ["gift", "loyalty_card"], ["holder_id", "referrer_id"]],
  ["a member's card", card, [...of_window, "discount", "gift", "category", "additional_info"], ["referrer_id"]],
  ["a member's points", card.loyalty_card, ["next_expiration_date"], []],
  ["a campaign", promotion, ["category_id"], ["category", "description", "updated_at", "vouchers_count", ...of_window]],
  ["a tier", promotion.promotion.tiers[0], [], ["banner", "updated_at", ...of_window]],
  ["a customer", customer, of_customer, ["updated_at", "birthdate", "birthday"]],
  ["a customer's orders", customer.summary.orders, [], ["last_order_date"]],
  [
    "a customer's address",
    (await post("/v1/customers", { address: { city: "Oslo" } })).address,
    ["state", "line_1", "line_2", "country", "postal_code"],
    [],
  ],
  ["a product", product, ["source_id", "name", "price", "image_url", "updated_at"], []],
  ["a SKU", sku, ["source_id", "sku", "price", "currency", "image_url", "updated_at"], []],
  [
    "a collection",
    await post("/v1/product-collections", { name: "c", type: "STATIC", products: [] }),
    [],
    ["filter", "updated_at"],
  ],
  ["a category", await post("/v1/categories", { name: "c", hierarchy: 1 }), [], ["updated_at"]],
  [
    "an order",
    await post("/v1/orders", {}),
    ["source_id", "customer_id", "referrer_id", "updated_at"],
    ["customer", "referrer", "amount"],
  ],
  [
    "a static segment",
    await post("/v1/segments", { name: "s", type: "static", customers: [] }),
    ["filter", "updated_at"],
    [],
  ],
  ["a segment with a filter", await post("/v1/segments", { name: "f", type: "passive", filter }), ["updated_at"], []],
  [
    "a validation rule",
    await post("/v1/validation-rules", { name: "r" }),
    ["updated_at"],
    ["error", "assignments_count"],
  ],
  [
    "a loyalty tier",
    (await post(`/v1/loyalties/${program_id}/tiers`, [{ name: "t", points: {} }]))[0],
    ["updated_at"],
    ["expiration"],
  ],
  ["an earning rule", earning_rule, ["updated_at", "validation_rule_id"], ["segment", "pending_points", ...of_window]],
  [
    "an event's acknowledgement",
    await post("/v1/events", { event: "seen", customer: { id: customer.id } }),
    ["referral", "loyalty"],
    [],
  ],
  [
    "a simple customer",
    (await post("/v1/events", { event: "seen", customer: { id: customer.id } })).customer,
    ["name", "email", "source_id"],
    [],
  ],
  ["a custom event schema", (await management.get(event_schemas, 200)).body.data[0], [], ["updated_at"]],
  [
    "a project",
    (await management.get(`/management/v1/projects/${project.id}`, 200)).body,
    ["dial_code"],
    ["default_code_config", "limits"],
  ],
  ["an asynchronous action", await get(`/v1/async-actions/${action.async_action_id}`), ["result"], []],
  [
    "a validation's order",
    (await post("/v1/validations", validate(voucher.code))).order,
    ["customer_id", "referrer_id"],
    ["id", "status"],
  ],
  [
    "an older validation",
    await post(`/v1/vouchers/${voucher.code}/validate`, {}),
    ["campaign", "campaign_id", "tracking_id"],
    ["start_date", "expiration_date", "session"],
  ],
  [
    "a redemption",
    redeemed.redemptions[0],
    [...of_redemption, "promotion_tier"],
    ["amount", "reason", "failure_code", "gift"],
  ],
  [
    "a redemption by the older call",
    redeemed_alone,
    [...of_redemption, "promotion_tier", "order"],
    ["amount", "reason", "failure_code"],
  ],
  [
    "a redemption that is read",
    await get(`/v1/redemptions/${redeemed_alone.id}`),
    [...of_redemption, "promotion_tier", "order"],
    [],
  ],
  ["a redemption's voucher", redeemed.redemptions[0].voucher, [...of_window, "gift", "loyalty_card", "category"], []],
  ["a tier's redemption", stacked.redemptions[0], ["customer_id", "customer", "voucher"], ["amount"]],
  ["a stack's redemption", stacked.parent_redemption, [...of_redemption, "voucher", "promotion_tier"], ["amount"]],
  ["a failed redemption", failed, [...of_redemption, "order", "voucher", "promotion_tier"], ["amount"]],
  [
    "a rollback",
    await post(`/v1/redemptions/${redeemed_alone.id}/rollback`, {}),
    ["customer_id", "customer", "tracking_id", "promotion_tier", "order"],
    ["reason"],
  ],
  ["a voucher's redemptions", await get(`/v1/vouchers/${voucher.code}/redemption`), ["quantity"], ["redeemed_amount"]],
] as [string, object, string[], string[]][])("%s with nothing set", (_name, shown, always, absent) => {
  test(`has its keys, null: ${always.join(", ")}`, () => {
    expect(shown).toMatchObject(Object.fromEntries(always.map((key) => [key, null])));
  });

  test(`has no key for ${absent.join(", ")}`, () => {
    expect(Object.keys(shown).filter((key) => absent.includes(key))).toEqual([]);
  });
});

test("a voucher is of one kind, and says so of the others", () => {
  const filled = [voucher, gift, card].map((one) => kinds.filter((kind) => one[kind] !== null));
  expect(filled).toEqual([["discount"], ["gift"], ["loyalty_card"]]);
});

test("both redemption calls answer the same keys", () => {
  expect(Object.keys(redeemed_alone).sort()).toEqual(Object.keys(redeemed.redemptions[0]).sort());
});
