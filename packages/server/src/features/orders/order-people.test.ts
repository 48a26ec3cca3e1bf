import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";

const { api, clock, context, project } = await startService();

/** Events since the last call, as type and whose activity shows them. */
async function newEvents(): Promise<{ type: string; entity_id: string; customer_id: string | null }[]> {
  const all = await context.db.many<{ type: string; entity_id: string; customer_id: string | null }>(
    sql`select events.type, events.entity_id, events.customer_id from events where events.project_id = ${project.id} order by events.id`,
  );
  const fresh = all.slice(told);
  told = all.length;
  return fresh.filter(({ type }) => type.startsWith("customer."));
}
let told = 0;
const typesOf = (events: { type: string }[]) => events.map(({ type }) => type).sort();

describe("the people of an order", () => {
  test("are stored with it, and named by id", async () => {
    const sent = {
      amount: 100,
      customer: { source_id: "ann", name: "Ann" },
      referrer: { source_id: "ray", metadata: { vip: true } },
    };
    const { body } = await api.post("/v1/orders", sent, 200);
    const ann = (await api.get("/v1/customers/ann", 200)).body;
    const ray = (await api.get("/v1/customers/ray", 200)).body;
    expect(ann.name).toBe("Ann");
    expect(ray.metadata).toEqual({ vip: true });
    expect(body).toMatchObject({
      customer_id: ann.id,
      customer: { id: ann.id, object: "customer" },
      referrer_id: ray.id,
      referrer: { id: ray.id, object: "customer" },
    });
  });

  test("may be known ones, by id, source id or referrer_id", async () => {
    const bob = (await api.post("/v1/customers", { source_id: "bob", name: "Bob" }, 200)).body;
    const by_id = await api.post(
      "/v1/orders",
      { customer: { id: bob.id, source_id: "ignored", email: "b@example.com" } },
      200,
    );
    expect(by_id.body.customer_id).toBe(bob.id);
    expect((await api.get("/v1/customers/bob", 200)).body).toMatchObject({ name: "Bob", email: "b@example.com" });
    await api.get("/v1/customers/ignored", 404);
    const referred = await api.post("/v1/orders", { customer: { source_id: "bob" }, referrer_id: bob.id }, 200);
    expect(referred.body).toMatchObject({ customer_id: bob.id, referrer_id: bob.id });
  });

  test("may be one new person in both places, who is made once", async () => {
    const person = { source_id: "both", name: "B" };
    const { body } = await api.post("/v1/orders", { customer: person, referrer: { ...person, phone: "1" } }, 200);
    expect(body.referrer_id).toBe(body.customer_id);
    expect((await api.get("/v1/customers/both", 200)).body).toMatchObject({ name: "B", phone: "1" });
  });

  test.each([{ customer: {} }, { customer: { id: null, source_id: "" } }, { referrer: {}, referrer_id: "" }])(
    "are nobody in %j",
    async (sent) => {
      expect((await api.post("/v1/orders", sent, 200)).body).toMatchObject({ customer_id: null, referrer_id: null });
    },
  );

  test("whom nobody knows by id are refused, and nothing is written", async () => {
    const sent = { source_id: "never", customer: { source_id: "never" } };
    const unknown = { key: "not_found", resource_type: "customer", resource_id: "cust_nobody" };
    for (const who of [
      { customer: { id: "cust_nobody" } },
      { referrer: { id: "cust_nobody" } },
      { referrer_id: "cust_nobody" },
    ]) {
      expect((await api.post("/v1/orders", { ...sent, ...who }, 404)).body).toMatchObject(unknown);
    }
    await api.get("/v1/orders/never", 404);
    await api.get("/v1/customers/never", 404);
  });

  test("see in their summary what orders PAID and FULFILLED came to", async () => {
    const orders = [];
    for (const [amount, status] of [
      [4000, "PAID"],
      [1000, "CREATED"],
      [2000, "FULFILLED"],
    ]) {
      clock.advance({ minutes: 1 });
      orders.push((await api.post("/v1/orders", { amount, status, customer: { source_id: "sue" } }, 200)).body);
    }
    const summary = async () => (await api.get("/v1/customers/sue", 200)).body.summary.orders;
    expect(await summary()).toMatchObject({
      total_amount: 6000,
      total_count: 2,
      average_amount: 3000,
      last_order_amount: 2000,
    });
    await api.put(`/v1/orders/${orders[0].id}`, { status: "CANCELED" }, 200);
    expect(await summary()).toMatchObject({ total_amount: 2000, total_count: 1, average_amount: 2000 });
  });
});

describe("storing an order tells", () => {
  test.each`
    sent                      | told_types
    ${{}}                     | ${["customer.order.created"]}
    ${{ status: "CREATED" }}  | ${["customer.order.created"]}
    ${{ status: "PAID" }}     | ${["customer.order.created", "customer.order.paid"]}
    ${{ status: "CANCELED" }} | ${["customer.order.canceled", "customer.order.created"]}
  `("$told_types when it starts as $sent", async ({ sent, told_types }) => {
    await newEvents();
    await api.post("/v1/orders", sent, 200);
    expect(typesOf(await newEvents())).toEqual(told_types);
  });

  test.each`
    from          | sent                                      | told_type
    ${"CREATED"}  | ${{ amount: 5 }}                          | ${"customer.order.updated"}
    ${"CREATED"}  | ${{ status: "PAID", metadata: { a: 1 } }} | ${"customer.order.paid"}
    ${"CREATED"}  | ${{ status: "FULFILLED" }}                | ${"customer.order.fulfilled"}
    ${"PAID"}     | ${{ status: "PAID" }}                     | ${"customer.order.updated"}
    ${"PAID"}     | ${{ status: "CANCELED" }}                 | ${"customer.order.canceled"}
    ${"CANCELED"} | ${{ status: "PAID" }}                     | ${"customer.order.paid"}
    ${"CANCELED"} | ${{ status: "CREATED" }}                  | ${"customer.order.updated"}
  `("$told_type alone when $from is sent $sent", async ({ from, sent, told_type }) => {
    const { body } = await api.post("/v1/orders", { status: from, customer: { source_id: "told" } }, 200);
    await newEvents();
    await api.put(`/v1/orders/${body.id}`, sent, 200);
    expect(await newEvents()).toEqual([{ type: told_type, entity_id: body.id, customer_id: body.customer_id }]);
  });

  test("of its customer only what changed", async () => {
    await newEvents();
    const { body } = await api.post("/v1/orders", { customer: { source_id: "eve", name: "Eve" } }, 200);
    expect(typesOf(await newEvents())).toEqual(["customer.created", "customer.order.created"]);
    await api.put(`/v1/orders/${body.id}`, { customer: { source_id: "eve", name: "Eve" } }, 200);
    expect(typesOf(await newEvents())).toEqual(["customer.order.updated"]);
    await api.put(`/v1/orders/${body.id}`, { customer: { source_id: "eve", name: "Eva" } }, 200);
    expect(typesOf(await newEvents())).toEqual(["customer.order.updated", "customer.updated"]);
  });

  test("nothing when it is refused", async () => {
    await newEvents();
    await api.post("/v1/orders", { amount: -1 }, 400);
    await api.post("/v1/orders", { id: "ord_nobody" }, 404);
    expect(await newEvents()).toEqual([]);
  });
});
