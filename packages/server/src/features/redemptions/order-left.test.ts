import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";

const { api, clock, context, project } = await startService();

let made = 0;
async function aCode(discount: object = { type: "PERCENT", percent_off: 10 }): Promise<string> {
  made += 1;
  return (await api.post(`/v1/vouchers/LEFT-${made}`, { discount }, 200)).body.code;
}

const cart = { items: [{ source_id: "pen", price: 1000, quantity: 2 }], metadata: { gate: 7 } };

async function redeem(codes: string[], order: object, more: object = {}) {
  const redeemables = codes.map((id) => ({ object: "voucher", id }));
  return (await api.post("/v1/redemptions", { redeemables, order, ...more }, 200)).body;
}

/** Asks again for as long as somebody else redeems on the order. */
async function redeemWhenFree(code: string, order: object): Promise<Awaited<ReturnType<typeof redeem>>> {
  const redeemables = [{ object: "voucher", id: code }];
  const { status, body } = await api.post("/v1/redemptions", { redeemables, order });
  if (status === 200) return body;
  expect(body.key).toBe("multiple_requests");
  return redeemWhenFree(code, order);
}

const shown = async (id: string) => (await api.get(`/v1/redemptions/${id}`, 200)).body.order;

/** States kept beside the order's own. */
const statesOf = async (order_id: string) =>
  (
    await context.db.many<{ version: number }>(sql`
      select order_states.version from order_states
       where order_states.project_id = ${project.id} and order_states.id = ${order_id} order by order_states.version`)
  ).map(({ version }) => version);

describe("the order that a redemption left", () => {
  test("is the order's own row until somebody changes it, and is shown the same ever after", async () => {
    const { redemptions, order } = await redeem([await aCode()], { ...cart, source_id: "kept" });
    const [{ id, order: answered }] = redemptions;
    const carried = await context.db.one(sql`
      select redemptions.order_after, redemptions.order_version from redemptions
       where redemptions.project_id = ${project.id} and redemptions.id = ${id}`);
    expect(carried).toEqual({ order_after: null, order_version: 1 });
    expect(await statesOf(order.id)).toEqual([]);
    expect(await shown(id)).toEqual(answered);

    clock.advance({ minutes: 1 });
    const items = [{ source_id: "cap", price: 70, quantity: 1 }];
    await api.put(`/v1/orders/${order.id}`, { status: "FULFILLED", items, metadata: { gate: 8 } }, 200);
    expect(await shown(id)).toEqual(answered);
    expect(await statesOf(order.id)).toEqual([1]);
    await api.put(`/v1/orders/${order.id}`, { status: "CANCELED" }, 200);
    expect(await statesOf(order.id)).toEqual([1]);
    expect(await shown(id)).toEqual(answered);
    const { redemptions: listed } = (await api.get("/v1/redemptions?limit=100", 200)).body;
    expect(listed.find((one: { id: string }) => one.id === id).order).toEqual(answered);
  });

  test("stays each redemption's own when several are made on it, in turn or at once", async () => {
    const first = await redeem([await aCode()], { ...cart, source_id: "often" });
    const order = { id: first.order.id };
    const codes = await Promise.all(Array.from({ length: 8 }, () => aCode({ type: "AMOUNT", amount_off: 10 })));
    const bodies = [first, await redeem([await aCode()], order)];
    bodies.push(...(await Promise.all(codes.map((code) => redeemWhenFree(code, order)))));
    const answered = bodies.map(({ redemptions: [{ id, order: left }] }) => ({ id, left }));
    for (const { id, left } of answered) expect(await shown(id)).toEqual(left);
    const totals = answered.map(({ left }) => left.total_amount);
    expect(totals.slice(0, 2)).toEqual([1800, 1620]);
    expect(totals.slice(2).sort((a, b) => b - a)).toEqual([1610, 1600, 1590, 1580, 1570, 1560, 1550, 1540]);
  });

  test("of a stack is each child's and the parent's, whatever becomes of the order", async () => {
    const stack = await redeem([await aCode(), await aCode({ type: "AMOUNT", amount_off: 100 })], cart);
    const all = [stack.parent_redemption, ...stack.redemptions];
    await api.put(`/v1/orders/${stack.order.id}`, { amount: 1, items: [] }, 200);
    for (const { id, order } of all) expect(await shown(id)).toEqual(order);
  });

  test("and the one that its rollback left are told apart from what came later", async () => {
    const { redemptions, order } = await redeem([await aCode()], cart);
    const [{ id, order: answered }] = redemptions;
    clock.advance({ minutes: 1 });
    const rollback = (await api.post(`/v1/redemptions/${id}/rollback`, {}, 200)).body;
    expect(rollback.order).toMatchObject({ status: "CANCELED", amount: 2000, total_amount: 2000 });
    await redeem([await aCode()], { id: order.id });
    expect(await shown(rollback.id)).toEqual(rollback.order);
    expect(await shown(id)).toEqual(answered);
    expect(await statesOf(order.id)).toEqual([1, 2]);
  });

  test("shows in a rollback what others took off, and of whom it is, as the order itself does", async () => {
    const customer = { source_id: "often-here" };
    const first = await redeem([await aCode({ type: "AMOUNT", amount_off: 100 })], { ...cart }, { customer });
    await redeem([await aCode()], { id: first.order.id }, { customer });
    const { order } = (await api.post(`/v1/redemptions/${first.redemptions[0].id}/rollback`, {}, 200)).body;
    const { redemptions: _, ...stored } = (await api.get(`/v1/orders/${first.order.id}`, 200)).body;
    expect(stored).toMatchObject({ initial_amount: 2000, total_discount_amount: 190, total_amount: 1810 });
    expect(order).toEqual({ ...stored, customer: { id: stored.customer_id, object: "customer" } });
  });

  test("is rolled back line by line although the order was edited since", async () => {
    const discount = { type: "AMOUNT", amount_off: 100, effect: "APPLY_TO_ITEMS" };
    const rule = (
      await api.post(
        "/v1/validation-rules",
        { name: "pens", applicable_to: { included: [{ object: "product", source_id: "pen" }] } },
        200,
      )
    ).body;
    const code = await aCode(discount);
    await api.post(`/v1/validation-rules/${rule.id}/assignments`, { voucher: code }, 200);
    const { redemptions, order } = await redeem([code], cart);
    const [line] = order.items;
    expect(line.discount_amount).toBe(100);
    const items = [{ source_id: "cap", price: 70, quantity: 1 }, line];
    await api.put(`/v1/orders/${order.id}`, { items }, 200);
    const undone = (await api.post(`/v1/redemptions/${redemptions[0].id}/rollback`, {}, 200)).body.order;
    expect(undone.items.map((item: { discount_amount?: number }) => item.discount_amount ?? 0)).toEqual([0, 0]);
  });

  test("is still told when the order has gone with its customer", async () => {
    const { redemptions } = await redeem([await aCode()], cart, { customer: { source_id: "leaver" } });
    const [{ id, order: answered, customer_id }] = redemptions;
    await api.delete(`/v1/customers/${customer_id}`, 204);
    expect(await shown(id)).toEqual(answered);
  });
});
