import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { storedOf } from "../../../../test/harness/stored.js";
import { someoneIn } from "../../people/people.fixtures.js";

const service = await startService();
const { project, context } = service;
const { api } = project;
const { browser } = await someoneIn(service, project.id, "USER");
const path = "/dashboard/v1/preview";
const preview = async (body: object, status = 200) => (await browser.post(path, body, status)).body;

const rules = {
  rules: { "1": { name: "order.amount", conditions: { $more_than_or_equal: [5_000] } }, logic: "1" },
  error: { message: "For orders from 50 on" },
};
const limited = {
  rules: {
    "1": { name: "redemption.count.per_customer", conditions: { $less_than_or_equal: [1] } },
    "2": { name: "customer.segment", conditions: { $is: [] as string[] } },
    logic: "1 and 2",
  },
};
const { id: segment } = (
  await api.post("/v1/segments", { name: "VIPs", type: "static", customers: [await aCustomer("vip")] }, 200)
).body;
limited.rules["2"].conditions.$is.push(segment);
await aCustomer("other");
const { id: product } = (await api.post("/v1/products", { source_id: "mug", name: "Mug", price: 1_200 }, 200)).body;
await api.post("/v1/orders", { source_id: "kept", amount: 8_000, metadata: {} }, 200);

async function aCustomer(source_id: string): Promise<string> {
  return (await api.post("/v1/customers", { source_id }, 200)).body.id;
}

const carts = [
  { order: { amount: 4_999 } },
  { order: { amount: 5_000, items: [{ product_id: product, quantity: 5 }] }, customer: { source_id: "vip" } },
  { order: { items: [{ source_id: "mug", related_object: "product", quantity: 10 }] } },
  { order: { source_id: "kept" }, customer: { source_id: "other" } },
  { customer: { source_id: "nobody yet" }, metadata: { channel: "web" } },
  {},
];

/** What is told of a code, whichever it is. */
function withoutNames(told: unknown): unknown {
  const text = JSON.stringify(told, (key, value) =>
    ["id", "code", "redeemable_id", "resource_id", "request_id", "created_at", "updated_at"].includes(key)
      ? undefined
      : value,
  );
  return JSON.parse(text.replace(/\b(val|v)_[0-9a-z]+/gi, "$1_x"));
}

let saved = 0;
/** What a validation tells of a campaign's code that has been saved as it was previewed. */
async function savedAnswers({ discount, validation_rule }: { discount?: object; validation_rule?: object }) {
  saved += 1;
  const rule_ids = validation_rule
    ? [(await api.post("/v1/validation-rules", { name: `rule ${saved}`, ...validation_rule }, 200)).body.id]
    : [];
  const voucher = { type: "DISCOUNT_VOUCHER", discount, redemption: { quantity: null } };
  await api.post("/v1/campaigns", { name: `campaign ${saved}`, voucher, validation_rules: rule_ids }, 200);
  const { code } = (await api.post(`/v1/campaigns/campaign%20${saved}/vouchers`, {}, 200)).body;
  const redeemables = [{ object: "voucher", id: code }];
  const told: unknown[] = [];
  for (const cart of carts) {
    const options = { expand: ["order", "explanation"] };
    const {
      valid,
      redeemables: views,
      inapplicable_redeemables,
      order,
    } = (await api.post("/v1/validations", { ...cart, redeemables, options }, 200)).body;
    told.push(withoutNames({ valid, redeemable: (inapplicable_redeemables ?? views)[0], order }));
  }
  return told;
}

const half = { type: "PERCENT", percent_off: 50, amount_limit: 2_000 };

// Before anything is validated: that is written down a little later.
test("a preview writes nothing", async () => {
  const before = await storedOf(context, project.id);
  await preview({ discount: half, validation_rule: rules, carts });
  expect(await storedOf(context, project.id)).toEqual(before);
});

describe("a preview", () => {
  test.each([
    ["a discount", { discount: { type: "AMOUNT", amount_off: 700 } }],
    ["a discount with a rule", { discount: half, validation_rule: rules }],
    [
      "a discount on some items",
      {
        discount: { ...half, effect: "APPLY_TO_ITEMS" },
        validation_rule: { applicable_to: { included: [{ object: "product", source_id: "mug" }] } },
      },
    ],
    ["a product for free", { discount: { type: "UNIT", unit_off: 1, unit_type: product, effect: "ADD_NEW_ITEMS" } }],
    ["a rule that counts and asks for a segment", { discount: half, validation_rule: limited }],
    ["a formula", { discount: { type: "AMOUNT", amount_off: 1, amount_off_formula: "ORDER_AMOUNT / 10" } }],
  ])("of %s says of each cart what a validation says once it is saved", async (_what, body) => {
    const told = (await preview({ ...body, carts })).carts;
    expect(told.map(withoutNames)).toEqual(await savedAnswers(body));
    expect(told.every(({ redeemable }: { redeemable: object }) => "explanation" in redeemable)).toBe(true);
  });

  test("of a rule alone says whether the rule holds", async () => {
    const told = (await preview({ validation_rule: rules, carts: carts.slice(0, 2) })).carts;
    const ruleOf = ({ redeemable }: { redeemable: { explanation: { checks: { check: string; holds: boolean }[] } } }) =>
      redeemable.explanation.checks.find(({ check }) => check === "rules")?.holds;
    expect(told.map(ruleOf)).toEqual([false, true]);
  });
});

describe("what cannot be previewed", () => {
  const discount = { type: "AMOUNT", amount_off: 700 };
  const one = [{ order: { amount: 100 } }];
  test.each([
    ["nothing to preview", { carts: one }, "Payload must have property 'discount' or 'validation_rule'", undefined],
    ["no cart", { discount, carts: [] }, "Property .carts must NOT have fewer than 1 items", undefined],
    [
      "too many",
      { discount, carts: Array(21).fill({}) },
      "Property .carts must NOT have more than 20 items",
      undefined,
    ],
    [
      "no discount",
      { discount: { type: "AMOUNT" }, carts: one },
      expect.stringContaining("Property .discount.amount_off"),
      undefined,
    ],
    [
      "no rule",
      { validation_rule: { rules: { "1": { name: "nothing.of.ours" }, logic: "1" } }, carts: one },
      expect.any(String),
      expect.stringMatching(/^validation_rule\.rules/),
    ],
    [
      "a large rule",
      { validation_rule: { rules: { logic: "x".repeat(270_000) } }, carts: one },
      expect.stringContaining("Property .validation_rule.rules"),
      undefined,
    ],
    [
      "an item",
      { discount, carts: [...one, { order: { items: [{ quantity: -1 }] } }] },
      expect.stringContaining("Property .carts[1].order.items[0]"),
      undefined,
    ],
    [
      "a sum",
      { discount, carts: [...one, { order: { items: [{ source_id: "a", price: 9e15, quantity: 9 }] } }] },
      expect.stringContaining("Property .carts[1].order"),
      expect.stringMatching(/^carts\[1\]\.order/),
    ],
    ["an amount", { discount, carts: [...one, { order: { amount: -1 } }] }, expect.any(String), "carts[1]"],
  ])("is refused with its place: %s", async (_what, body, details, path) => {
    const answer = await preview(body, 400);
    expect(answer.details).toEqual(details);
    expect(answer.path).toEqual(path);
  });

  test("an unknown customer is named with the cart", async () => {
    const answer = await preview({ discount, carts: [...one, { customer: { id: "cust_nobodys" } }] }, 404);
    expect(answer).toMatchObject({ key: "not_found", resource_id: "cust_nobodys", path: "carts[1]" });
  });

  test("whoever may not make rules may not try them, nor may anybody of another project", async () => {
    const { browser: viewer } = await someoneIn(service, project.id, "VIEWER");
    await viewer.post(path, { discount, carts: one }, 403);
    const { browser: merchant } = await someoneIn(service, project.id, "MERCHANT");
    await merchant.post(path, { discount, carts: one }, 403);
    const other = await service.anotherProject();
    const { browser: elsewhere } = await someoneIn(service, other.id, "ADMIN");
    const id = await aCustomer("ours");
    await elsewhere.post(path, { discount, carts: [{ customer: { id } }] }, 404);
  });

  test("one that takes too long to decide is refused with its cart", async () => {
    const $contains = Array.from({ length: 9_000 }, (_none, i) => `word ${i}`);
    const rules = { "1": { name: "order.metadata", property: "essay", conditions: { $contains } }, logic: "1" };
    const essay = "a".repeat(60_000);
    const heavy = { discount, validation_rule: { rules }, carts: [...one, { order: { metadata: { essay } } }] };
    expect(await preview(heavy, 400)).toMatchObject({ key: "decision_too_heavy", path: "carts[1]" });
  });
});
