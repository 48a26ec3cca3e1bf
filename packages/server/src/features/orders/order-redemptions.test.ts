import { normaliseOrder, type OrderPart } from "@guerdon/engine";
import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { newId } from "../../platform/ids.js";
import { findOrders, itemsOf, moneyOf, type Order, saveOrders, toOrderInput } from "./index.js";

const { api, clock, context, project } = await startService();

/** What a redemption row says, as far as its order looks at it. */
interface Told {
  order_id: string | null;
  object?: "redemption" | "redemption_rollback";
  result?: "SUCCESS" | "FAILURE";
  voucher_id?: string;
  promotion_tier_id?: string;
  campaign_id?: string;
  parent_id?: string;
  redemption_id?: string;
}

/** Writes a row of the books, a minute after the one before. */
async function tell({ object = "redemption", result = "SUCCESS", ...told }: Told): Promise<string> {
  clock.advance({ minutes: 1 });
  const id = newId(object === "redemption" ? "r" : "rr");
  const at = new Date(clock.now()).toISOString();
  await context.db.run(sql`
    insert into redemptions (project_id, id, object, result, status, order_id, voucher_id, promotion_tier_id, campaign_id,
                             parent_id, redemption_id, currency, day, channel, created_at)
    values (${project.id}, ${id}, ${object}, ${result}, ${result === "SUCCESS" ? "SUCCEEDED" : "FAILED"}, ${told.order_id},
            ${told.voucher_id}, ${told.promotion_tier_id}, ${told.campaign_id}, ${told.parent_id}, ${told.redemption_id},
            'USD', ${at.slice(0, 10)}, '{}', ${at})`);
  return id;
}

const anOrder = async (sent: object = {}) => (await api.post("/v1/orders", sent, 200)).body;
const read = async (id: string) => (await api.get(`/v1/orders/${id}`, 200)).body;

describe("the redemptions of an order", () => {
  test("stand under their ids, with what was redeemed and when; failed ones do not", async () => {
    const { id } = await anOrder();
    const voucher = await tell({ order_id: id, voucher_id: "v_1", campaign_id: "camp_1" });
    const alone = await tell({ order_id: id, voucher_id: "v_2" });
    const tier = await tell({ order_id: id, promotion_tier_id: "promo_1", campaign_id: "camp_2" });
    await tell({ order_id: id, voucher_id: "v_1", result: "FAILURE" });
    const { redemptions } = await read(id);
    expect(Object.keys(redemptions)).toEqual([voucher, alone, tier]);
    expect(redemptions).toEqual({
      [voucher]: {
        date: "2026-03-02T10:01:00.000Z",
        related_object_type: "voucher",
        related_object_id: "v_1",
        related_object_parent_id: "camp_1",
      },
      [alone]: { date: "2026-03-02T10:02:00.000Z", related_object_type: "voucher", related_object_id: "v_2" },
      [tier]: {
        date: "2026-03-02T10:03:00.000Z",
        related_object_type: "promotion_tier",
        related_object_id: "promo_1",
        related_object_parent_id: "camp_2",
      },
    });
  });

  test("show a stack once, under its parent, with its children in sequence", async () => {
    const { id } = await anOrder();
    const parent = await tell({ order_id: id });
    const children = [
      await tell({ order_id: id, parent_id: parent, voucher_id: "v_1" }),
      await tell({ order_id: id, parent_id: parent, promotion_tier_id: "promo_1" }),
    ];
    const expected = {
      date: expect.any(String),
      related_object_type: "redemption",
      related_object_id: parent,
      stacked: children,
    };
    expect((await read(id)).redemptions).toEqual({ [parent]: expected });

    const rollback_id = await tell({ object: "redemption_rollback", order_id: null, redemption_id: parent });
    const rollback_date = new Date(clock.now()).toISOString();
    const rollback_stacked: string[] = [];
    for (const redemption_id of children) {
      rollback_stacked.push(
        await tell({ object: "redemption_rollback", order_id: null, parent_id: rollback_id, redemption_id }),
      );
    }
    expect((await read(id)).redemptions).toEqual({
      [parent]: { ...expected, rollback_id, rollback_date, rollback_stacked },
    });
  });

  test("tell a rollback that succeeded, not one that failed", async () => {
    const { id } = await anOrder();
    const redemption_id = await tell({ order_id: id, voucher_id: "v_9" });
    await tell({ object: "redemption_rollback", result: "FAILURE", order_id: id, redemption_id });
    expect((await read(id)).redemptions[redemption_id]).not.toHaveProperty("rollback_id");
    const rollback_id = await tell({ object: "redemption_rollback", order_id: id, redemption_id });
    expect((await read(id)).redemptions).toEqual({
      [redemption_id]: expect.objectContaining({ rollback_id, rollback_date: new Date(clock.now()).toISOString() }),
    });
  });

  test("stay with each order of a list and of a change", async () => {
    const orders = [await anOrder(), await anOrder()];
    const redemption = await tell({ order_id: orders[1].id, voucher_id: "v_7" });
    const { body } = await api.get("/v1/orders?order=-created_at&limit=2", 200);
    expect(body.orders.map((order: { redemptions: object }) => Object.keys(order.redemptions))).toEqual([
      [redemption],
      [],
    ]);
    const changed = await api.put(`/v1/orders/${orders[1].id}`, { status: "CANCELED" }, 200);
    expect(changed.body).toMatchObject({
      status: "CANCELED",
      redemptions: { [redemption]: { related_object_id: "v_7" } },
    });
  });
});

/** Two teas and a cup; 300 off the order, 100 off the teas, and a second cup for nothing. */
const part: OrderPart = {
  discount_amount: 300,
  lines: [
    { index: 0, discount_amount: 100, discounted_units: 2, discount_quantity: 0, quantity: 0, quantity_amount: 0 },
    { index: 1, discount_amount: 200, discounted_units: 1, discount_quantity: 1, quantity: 1, quantity_amount: 200 },
  ],
};

/** Stores the order as a redemption with this part leaves it. */
async function aRedeemedOrder(): Promise<Order> {
  const items = [
    { source_id: "tea", related_object: "product", quantity: 2, price: 1000 },
    { sku_id: "cup", price: 200, product: { name: "Cup" } },
  ];
  const { id } = await anOrder({ items });
  const [stored] = await findOrders(context.db, project.id, [{ id }]);
  const running = normaliseOrder(toOrderInput(stored as Order));
  running.discount_amount = 300;
  running.amount = 2400;
  for (const { index, discount_amount, discount_quantity, quantity, quantity_amount } of part.lines) {
    const line = running.lines[index];
    if (!line) throw new Error("no such line");
    Object.assign(line, {
      discount_amount,
      discount_quantity,
      quantity: line.quantity + quantity,
      amount: (line.amount ?? 0) + quantity_amount,
    });
  }
  const redeemed: Order = {
    ...(stored as Order),
    version: (stored as Order).version + 1,
    status: "PAID",
    ...moneyOf(running, part),
    items: itemsOf(running, part),
  };
  await context.db.transaction(async (tx) => tx.send(saveOrders(project.id, [redeemed])));
  return redeemed;
}

describe("an order that was redeemed on", () => {
  test("is written by nobody who decided on an earlier state of it, or thought that it was new", async () => {
    const order = await aRedeemedOrder();
    const stale = { ...order, metadata: { by: "who came late" } };
    for (const [version, code] of [
      [order.version, "P0004"],
      [1, "23505"],
    ] as const) {
      const writing = context.db.transaction(async (tx) => tx.send(saveOrders(project.id, [{ ...stale, version }])));
      await expect(writing).rejects.toMatchObject({ code });
    }
    expect((await read(order.id)).metadata).toEqual(order.metadata);
  });

  test("shows every discount, and its lines keep their ids", async () => {
    const { id, items } = await aRedeemedOrder();
    expect(await read(id)).toMatchObject({
      amount: 2400,
      initial_amount: 2200,
      discount_amount: 300,
      items_discount_amount: 300,
      total_discount_amount: 600,
      total_amount: 1800,
      applied_discount_amount: 300,
      items_applied_discount_amount: 300,
      total_applied_discount_amount: 600,
      items: [
        {
          id: items[0]?.id,
          quantity: 2,
          amount: 2000,
          discount_amount: 100,
          applied_discount_amount: 100,
          subtotal_amount: 1900,
        },
        {
          id: items[1]?.id,
          quantity: 2,
          initial_quantity: 1,
          initial_amount: 200,
          amount: 400,
          discount_amount: 200,
          discount_quantity: 1,
          applied_discount_quantity: 1,
          applied_quantity: 1,
          applied_quantity_amount: 200,
          subtotal_amount: 200,
        },
      ],
    });
  });

  test("keeps them through a change of anything but money", async () => {
    const { id } = await aRedeemedOrder();
    const before = await read(id);
    const { body } = await api.put(`/v1/orders/${id}`, { status: "FULFILLED", metadata: { parcel: 7 } }, 200);
    expect(body).toEqual({ ...before, status: "FULFILLED", metadata: { parcel: 7 }, updated_at: body.updated_at });
  });

  test("keeps what it was given when it is sent back as it is; nothing is applied now", async () => {
    const { id } = await aRedeemedOrder();
    const before = await read(id);
    const { body } = await api.put(`/v1/orders/${id}`, { items: before.items, amount: before.amount }, 200);
    expect(body).toMatchObject({ amount: 2400, discount_amount: 300, items_discount_amount: 300, total_amount: 1800 });
    expect(body).not.toHaveProperty("applied_discount_amount");
    const { applied_discount_amount, applied_discount_quantity, applied_quantity, applied_quantity_amount, ...cup } =
      before.items[1];
    expect(body.items[1]).toEqual(cup);
  });

  test("keeps a discount with its line when lines are moved, added and left out", async () => {
    const { id, items } = await aRedeemedOrder();
    const sent = [
      { product_id: "spoon", price: 50 },
      { source_id: "tea", quantity: 3, price: 1000 },
    ];
    const { body } = await api.put(`/v1/orders/${id}`, { items: sent }, 200);
    expect(body).toMatchObject({ amount: 3050, discount_amount: 300, items_discount_amount: 100, total_amount: 2650 });
    expect(body.items[0]).not.toHaveProperty("discount_amount");
    expect(body.items[1]).toMatchObject({
      id: items[0]?.id,
      initial_quantity: 3,
      discount_amount: 100,
      subtotal_amount: 2900,
    });
  });

  test.each`
    sent                                            | total_amount | discounts
    ${{ amount: 500 }}                              | ${0}         | ${500}
    ${{ amount: 0 }}                                | ${0}         | ${undefined}
    ${{ items: [] }}                                | ${undefined} | ${undefined}
    ${{ items: [{ source_id: "tea", price: 50 }] }} | ${0}         | ${50}
  `(
    "is never worth less than nothing: sent $sent, it comes to $total_amount",
    async ({ sent, total_amount, discounts }) => {
      const { id } = await aRedeemedOrder();
      const { body } = await api.put(`/v1/orders/${id}`, sent, 200);
      expect(body.total_amount).toBe(total_amount);
      expect(body.total_discount_amount).toBe(discounts);
    },
  );
});
