import { expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";
import { aMember, aProgram } from "../../loyalties/loyalty.fixtures.js";

const service = await startService();
const { api, project, context, management, runDue, anotherProject } = service;

async function imported(orders: unknown[], to: Pick<typeof service, "api"> = service) {
  const { body } = await to.api.post("/v1/orders/import", orders, 200);
  await runDue();
  return (await to.api.get(`/v1/async-actions/${body.async_action_id}`, 200)).body;
}
const order = async (id: string) => (await api.get(`/v1/orders/${id}`, 200)).body;
const customer = async (id: string) => (await api.get(`/v1/customers/${id}`, 200)).body;

const told = async () =>
  (
    await context.db.many<{ type: string }>(sql`
      select distinct events.type from events where events.project_id = ${project.id} order by events.type`)
  ).map(({ type }) => type);

test("orders are made with their people, whole or not at all, and one that is named again is changed", async () => {
  const items = [{ product_id: "p-1", quantity: 2, price: 500 }];
  const action = await imported([
    { source_id: "o-1", status: "FULFILLED", items, customer: { source_id: "c-1", name: "Ann" } },
    { source_id: "o-2", amount: 700, customer: { source_id: "c-1" }, referrer: { source_id: "c-2" } },
    { source_id: "o-1", metadata: { later: true } },
  ]);
  expect(action).toMatchObject({ type: "ORDERS.IMPORT", operation_status: "SUCCESS" });
  expect(action.result).toEqual({
    message: "3 order(s) imported successfully, 0 failed.",
    failed: [],
    done_count: 3,
    failed_count: 0,
  });
  expect(await order("o-1")).toMatchObject({ status: "FULFILLED", amount: 1000, metadata: { later: true } });
  const { id } = await customer("c-1");
  expect(await order("o-2")).toMatchObject({ amount: 700, customer_id: id, referrer_id: (await customer("c-2")).id });
  expect((await customer("c-1")).name).toBe("Ann");
});

test("nobody is told, a paid order earns nothing then or later, and segments look at its customer again", async () => {
  const program = await aProgram(service);
  const rule = { event: "order.paid", loyalty: { type: "FIXED", points: 10 } };
  await api.post(`/v1/loyalties/${program.id}/earning-rules`, [rule], 200);
  const { source_id, card } = await aMember(service, program);
  const filter = { junction: "and", "summary.orders.total_count": { conditions: { $more_than_or_equal: [1] } } };
  const segment = await api.post("/v1/segments", { name: "Buyers", type: "auto-update", filter }, 200);
  await runDue();
  const before = await told();
  await imported([{ source_id: "o-paid", status: "PAID", amount: 100, customer: { source_id } }]);
  await runDue();
  expect((await told()).filter((type) => !before.includes(type))).toEqual(["customer.segment.entered"]);
  const { body } = await api.get(`/v1/customers/${source_id}/segments`, 200);
  expect(body.data.map(({ id }: { id: string }) => id)).toContain(segment.body.id);
  await api.put("/v1/orders/o-paid", { status: "PAID", metadata: { again: true } }, 200);
  await runDue();
  expect((await api.get(`/v1/vouchers/${card.code}`, 200)).body.loyalty_card.balance).toBe(0);
});

test("an order that cannot be taken leaves the others, and nothing of itself", async () => {
  const other = await anotherProject();
  const size = { type: "number", array: false, optional: false };
  for (const related_object of ["order", "customer"]) {
    const schema = { related_object, properties: { size } };
    await management.post(`/management/v1/projects/${other.id}/metadata-schemas`, schema, 200);
  }
  const fine = { metadata: { size: 1 } };
  const { result } = await imported(
    [
      { source_id: "x-1", ...fine },
      { source_id: "x-2", metadata: { size: "L" } },
      { source_id: "x-3", ...fine, customer: { source_id: "nobody", metadata: { size: "L" } } },
      { source_id: "x-4", ...fine, customer: { id: "cust_unknown" } },
      { id: "ord_unknown", source_id: "x-5" },
      { source_id: "x-6", ...fine, customer: { source_id: "somebody", ...fine } },
    ],
    other,
  );
  expect(result).toMatchObject({ done_count: 2, failed_count: 4 });
  const off = "size: must be a number, property is required (actual value is 'L')";
  expect(result.failed).toEqual([
    { source_id: "x-2", reason: off },
    { source_id: "x-3", reason: off },
    { source_id: "x-4", reason: "Cannot find customer with id cust_unknown" },
    { source_id: "x-5", reason: "Cannot find order with id ord_unknown" },
  ]);
  expect((await other.api.get("/v1/orders", 200)).body.total).toBe(2);
  await other.api.get("/v1/customers/nobody", 404);
});

test("what a line says of a product counts for the orders behind it", async () => {
  await imported([
    { source_id: "v-1", items: [{ product_id: "v", quantity: 1, product: { price: 300, override: true } }] },
    { source_id: "v-2", items: [{ source_id: "v", related_object: "product", quantity: 2 }] },
  ]);
  const { body } = await api.get("/v1/products", 200);
  expect(body.products.map(({ price }: { price: number }) => price)).toContain(300);
});

test("a hundred orders are taken in several slices", async () => {
  const orders = Array.from({ length: 130 }, (_, i) => ({
    source_id: `h-${i}`,
    amount: i,
    customer: { source_id: `h-${i}` },
  }));
  expect((await imported(orders)).result).toMatchObject({ done_count: 130, failed_count: 0 });
  expect(await order("h-129")).toMatchObject({ amount: 129 });
});

test("a body that is wrong anywhere is refused as a whole", async () => {
  const refused = async (orders: unknown) => (await api.post("/v1/orders/import", orders, 400)).body;
  const faulty = [{ source_id: "w-1" }, { source_id: "w-2", items: [{ product_id: "p", initial_quantity: 0 }] }];
  expect(await refused(faulty)).toMatchObject({
    key: "invalid_payload",
    details: "Property [1].items[0].initial_quantity cannot be lower than 1",
  });
  expect(await refused({ source_id: "w-1" })).toMatchObject({ key: "invalid_payload" });
  expect(await refused(Array.from({ length: 2_001 }, () => ({})))).toMatchObject({ key: "invalid_payload" });
  await api.get("/v1/orders/w-1", 404);
});
