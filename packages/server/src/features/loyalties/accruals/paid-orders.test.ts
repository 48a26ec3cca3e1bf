import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";
import { aMember, aName, aProgram, booksOf, pointsOn } from "../loyalty.fixtures.js";

const service = await startService();
const { api, context, project, runDue } = service;
const { entriesOf } = booksOf(service);

const per = (calculation_type: string, group: string, part: string, step: object) => ({
  type: "PROPORTIONAL",
  calculation_type,
  [group]: { [part]: step },
});
const ten = { type: "FIXED", points: 10 };

/** A program with rules for paid orders, one for each way of earning, and a member of it. */
async function aProgramForOrders(loyalties: readonly object[] = [ten], fields: object = {}) {
  const program = await aProgram(service);
  const rules = loyalties.map((loyalty) => ({ event: "order.paid", loyalty, source: { banner: "Shop" }, ...fields }));
  const { body } = await api.post(`/v1/loyalties/${program.id}/earning-rules`, rules, 200);
  return { program, rule_ids: (body as { id: string }[]).map(({ id }) => id), ...(await aMember(service, program)) };
}

const order = async (source_id: string, fields: object) =>
  (await api.post("/v1/orders", { customer: { source_id }, ...fields }, 200)).body as { id: string };
async function paid(source_id: string, fields: object) {
  const made = await order(source_id, { status: "PAID", amount: 1000, ...fields });
  await runDue();
  return made;
}
const aCoupon = async (discount: object) =>
  (await api.post("/v1/vouchers", { type: "DISCOUNT_VOUCHER", discount }, 200)).body.code as string;
async function timesTold(customer_id: string, type: string) {
  const { times } = await context.db.one<{ times: number }>(sql`
    select count(*) as times from events
     where events.project_id = ${project.id} and events.customer_id = ${customer_id} and events.type = ${type}`);
  return times;
}

describe("a paid order", () => {
  test("pays the customer's card by each rule, each in an entry that says why", async () => {
    const { card, rule_ids, source_id } = await aProgramForOrders([
      ten,
      per("ORDER_AMOUNT", "order", "amount", { every: 700, points: 3 }),
    ]);
    const shop_id = aName("order");
    const { id } = await paid(source_id, { source_id: shop_id, amount: 5300 });
    expect(await pointsOn(service, card)).toEqual({ points: 31, balance: 31 });
    const entries = await entriesOf(card.id);
    expect(entries.map(({ type, amount, source }) => [type, amount, source])).toEqual([
      ["POINTS_ACCRUAL", 10, "Automation"],
      ["POINTS_ACCRUAL", 21, "Automation"],
    ]);
    const { body } = await api.get(`/v1/vouchers/${card.code}/transactions?order=id`, 200);
    expect(body.data[1].details).toMatchObject({
      balance: { points: 21, total: 31, balance: 31, operation_type: "AUTOMATIC" },
      earning_rule: { id: rule_ids[1], source: { banner: "Shop" } },
      event: { type: "customer.order.paid" },
      order: { id, source_id: shop_id },
    });
  });

  test.each<[string, object, object, number]>([
    [
      "its amount after discounts",
      per("ORDER_TOTAL_AMOUNT", "order", "total_amount", { every: 100, points: 2 }),
      {},
      100,
    ],
    [
      "a number of its metadata",
      per("ORDER_METADATA", "order", "metadata", { every: 4, points: 9, property: "bags" }),
      { metadata: { bags: 11 } },
      18,
    ],
    [
      "units of a product",
      per("ORDER_ITEMS_QUANTITY", "order_items", "quantity", { every: 3, points: 4, object: "product", id: "tea" }),
      {
        items: [
          { source_id: "tea", quantity: 7, price: 100 },
          { source_id: "cup", quantity: 9, price: 1 },
        ],
      },
      8,
    ],
    [
      "what some products cost",
      per("ORDER_ITEMS_AMOUNT", "order_items", "amount", {
        ...{ every: 250, points: 2 },
        applicable_to: [
          { object: "product", id: "tea" },
          { object: "product", id: "cup" },
        ],
      }),
      {
        items: [
          { source_id: "tea", amount: 610 },
          { source_id: "cup", amount: 140 },
          { source_id: "pot", amount: 999 },
        ],
      },
      6,
    ],
    [
      "what is left of lines",
      per("ORDER_ITEMS_SUBTOTAL_AMOUNT", "order_items", "subtotal_amount", {
        every: 250,
        points: 2,
        object: "product",
        id: "tea",
      }),
      { items: [{ source_id: "tea", amount: 510 }] },
      4,
    ],
    [
      "a number of the customer's metadata",
      per("CUSTOMER_METADATA", "customer", "metadata", { every: 2, points: 5, property: "visits" }),
      {},
      15,
    ],
    [
      "a formula",
      { type: "FIXED", points: 1, points_formula: 'ORDER_AMOUNT / 4 + ORDER_METADATA("bags")' },
      { metadata: { bags: 3 } },
      15,
    ],
    [
      "a formula that comes to nothing, and so the points beside it",
      { type: "FIXED", points: 7, points_formula: 'ORDER_METADATA("none")' },
      {},
      7,
    ],
  ])("is paid for by %s", async (_case, loyalty, fields, points) => {
    const { card, source_id } = await aProgramForOrders([loyalty]);
    await api.put(`/v1/customers/${source_id}`, { metadata: { visits: 7 } }, 200);
    await paid(source_id, { amount: 5000, ...fields });
    expect(await pointsOn(service, card)).toEqual({ points, balance: points });
  });

  test("counts the lines of a collection, as it is when points are paid", async () => {
    const { body: product } = await api.post("/v1/products", { source_id: aName("tea"), name: "Tea", price: 300 }, 200);
    const products = [{ id: product.id, object: "product" }];
    const { body: collection } = await api.post(
      "/v1/product-collections",
      { name: aName("hot"), type: "STATIC", products },
      200,
    );
    const step = { every: 100, points: 1, object: "products_collection", id: collection.id };
    const { card, source_id } = await aProgramForOrders([per("ORDER_ITEMS_AMOUNT", "order_items", "amount", step)]);
    await paid(source_id, {
      amount: null,
      items: [
        { product_id: product.id, quantity: 2 },
        { source_id: "cup", amount: 900 },
      ],
    });
    expect(await pointsOn(service, card)).toEqual({ points: 6, balance: 6 });
  });

  test("is asked about by the rule's validation rule, as it was when it was paid", async () => {
    const rules = {
      "1": { name: "order.amount", conditions: { $more_than_or_equal: [5000] } },
      "2": { name: "order.total_amount", conditions: { $less_than: [9000] } },
      logic: "1 and 2",
    };
    const { body: rule } = await api.post("/v1/validation-rules", { name: aName("rule"), rules }, 200);
    const { card, source_id } = await aProgramForOrders([ten], { validation_rule_id: rule.id });
    for (const amount of [4999, 5000, 9000]) await paid(source_id, { amount });
    expect(await pointsOn(service, card)).toEqual({ points: 10, balance: 10 });
  });
});

describe("an order is paid for", () => {
  test.each<[string, (source_id: string) => Promise<unknown>]>([
    ["when it is made so", (source_id) => paid(source_id, {})],
    [
      "when it becomes so",
      async (source_id) => {
        const { id } = await order(source_id, { amount: 1000 });
        await runDue();
        await api.put(`/v1/orders/${id}`, { status: "PAID" }, 200);
      },
    ],
    [
      "when a redemption makes it so",
      async (source_id) => {
        const redeemables = [{ object: "voucher", id: await aCoupon({ type: "AMOUNT", amount_off: 100 }) }];
        await api.post("/v1/redemptions", { redeemables, customer: { source_id }, order: { amount: 1000 } }, 200);
      },
    ],
    [
      "when a stack of redemptions makes it so",
      async (source_id) => {
        const codes = [
          await aCoupon({ type: "AMOUNT", amount_off: 100 }),
          await aCoupon({ type: "AMOUNT", amount_off: 50 }),
        ];
        const redeemables = codes.map((id) => ({ object: "voucher", id }));
        await api.post("/v1/redemptions", { redeemables, customer: { source_id }, order: { amount: 1000 } }, 200);
      },
    ],
  ])("%s", async (_case, pay) => {
    const { card, source_id } = await aProgramForOrders();
    await pay(source_id);
    await runDue();
    expect(await pointsOn(service, card)).toEqual({ points: 10, balance: 10 });
    expect(await timesTold(card.holder_id, "customer.order.paid")).toBe(1);
  });

  test("once, whatever becomes of it afterwards", async () => {
    const { card, source_id } = await aProgramForOrders([
      per("ORDER_AMOUNT", "order", "amount", { every: 100, points: 1 }),
    ]);
    const { id } = await paid(source_id, {});
    for (const change of [
      { status: "PAID" },
      { amount: 9000 },
      { status: "CANCELED" },
      { status: "PAID" },
      { status: "FULFILLED" },
      { status: "PAID" },
    ]) {
      await api.put(`/v1/orders/${id}`, change, 200);
      await runDue();
    }
    expect(await pointsOn(service, card)).toEqual({ points: 10, balance: 10 });
    expect(await timesTold(card.holder_id, "customer.order.paid")).toBe(1);
    expect(await timesTold(card.holder_id, "customer.order.canceled")).toBe(1);
    expect(await timesTold(card.holder_id, "customer.order.updated")).toBeGreaterThanOrEqual(3);
  });

  test("once, also when redemptions and their rollback change it", async () => {
    const { card, source_id } = await aProgramForOrders();
    const shop_id = aName("order");
    const redeem = async () => {
      const redeemables = [{ object: "voucher", id: await aCoupon({ type: "AMOUNT", amount_off: 100 }) }];
      const body = { redeemables, customer: { source_id }, order: { source_id: shop_id, amount: 1000 } };
      return (await api.post("/v1/redemptions", body, 200)).body.redemptions[0].id as string;
    };
    const first = await redeem();
    await redeem();
    await api.post(`/v1/redemptions/${first}/rollback`, {}, 200);
    await runDue();
    expect(await pointsOn(service, card)).toEqual({ points: 10, balance: 10 });
    expect(await timesTold(card.holder_id, "customer.order.paid")).toBe(1);
  });

  test("not where nobody has bought it, nor where it is worth nothing", async () => {
    const { card, source_id } = await aProgramForOrders([
      per("ORDER_AMOUNT", "order", "amount", { every: 700, points: 3 }),
    ]);
    await api.post("/v1/orders", { amount: 5000, status: "PAID" }, 200);
    await paid(source_id, { amount: 699 });
    expect(await pointsOn(service, card)).toEqual({ points: 0, balance: 0 });
    expect(await entriesOf(card.id)).toEqual([]);
  });

  test("with the discounts that the redemption gave", async () => {
    const { card, source_id } = await aProgramForOrders([
      per("ORDER_TOTAL_AMOUNT", "order", "total_amount", { every: 700, points: 3 }),
    ]);
    const redeemables = [{ object: "voucher", id: await aCoupon({ type: "AMOUNT", amount_off: 1200 }) }];
    await api.post("/v1/redemptions", { redeemables, customer: { source_id }, order: { amount: 5300 } }, 200);
    await runDue();
    expect(await pointsOn(service, card)).toEqual({ points: 15, balance: 15 });
  });

  test("though the order is changed before points are", async () => {
    const { card, source_id } = await aProgramForOrders([
      per("ORDER_AMOUNT", "order", "amount", { every: 100, points: 1 }),
    ]);
    const { id } = await order(source_id, { status: "PAID", amount: 1000 });
    await api.put(`/v1/orders/${id}`, { amount: 9000 }, 200);
    await runDue();
    expect(await pointsOn(service, card)).toEqual({ points: 10, balance: 10 });
  });
});
