import { describe, expect, test } from "vitest";
import { startService } from "../../test/harness/service.js";
import { type EventName, event_fields, type StoredEvent } from "../events/index.js";
import { aMember, aProgram } from "../features/loyalties/loyalty.fixtures.js";
import { findProject } from "../features/projects/index.js";
import type { Context } from "../platform/context.js";
import type { Database } from "../platform/db/database.js";
import { sql } from "../platform/db/sql.js";
import { payloadsOf } from "./index.js";

const service = await startService();
const { api, clock, context, project } = service;

interface Told {
  type: string;
  data: { data: never };
}
const toldTo = async (customer: string): Promise<Told[]> =>
  (await api.get(`/v1/customers/${customer}/activity?limit=100&order=created_at`, 200)).body.data;
const dataOf = async <Data>(customer: string, name: string) =>
  (await toldTo(customer)).filter(({ type }) => type === name).map(({ data }): Data => data.data);

describe("an event says what was so when it happened", () => {
  test("of a customer who has another name by now", async () => {
    await api.post("/v1/customers", { source_id: "ann", name: "Ann" }, 200);
    await api.put("/v1/customers/ann", { name: "Anna" }, 200);
    const names = (await toldTo("ann")).map(({ data }) => (data.data as { customer: { name: string } }).customer.name);
    expect(names).toEqual(["Ann", "Anna"]);
  });

  test("of a redemption that was undone since: it succeeded, and was rolled back later", async () => {
    const { code } = (await api.post("/v1/vouchers", { discount: { type: "AMOUNT", amount_off: 100 } }, 200)).body;
    const sent = { redeemables: [{ object: "voucher", id: code }], customer: { source_id: "bob" } };
    const { id } = (await api.post("/v1/redemptions", sent, 200)).body.redemptions[0];
    clock.advance({ minutes: 1 });
    await api.post(`/v1/redemptions/${id}/rollback`, {}, 200);
    expect(await dataOf("bob", "customer.redemption.succeeded")).toMatchObject([
      { redemption: { id, status: "SUCCEEDED" }, voucher: { code, redemption: { redeemed_quantity: 1 } } },
    ]);
    expect(await dataOf("bob", "customer.redemption.rollback.succeeded")).toMatchObject([
      { redemption: { id, status: "ROLLED BACK" }, redemption_rollback: { redemption: id, status: "SUCCEEDED" } },
    ]);
    await api.post(`/v1/redemptions/${id}/rollback`, {}, 400);
    expect(await dataOf("bob", "customer.redemption.rollback.failed")).toMatchObject([
      { redemption: { id, status: "ROLLED BACK" }, redemption_rollback: { redemption: id, status: "FAILED" } },
    ]);
  });

  test("of a card that has moved on: each time the balance of that time", async () => {
    const { card, source_id } = await aMember(service, await aProgram(service, {}, 10));
    for (const amount of [5, 7, -20]) {
      clock.advance({ minutes: 1 });
      await api.post(`/v1/vouchers/${card.code}/balance`, { amount }, 200);
    }
    const told = await dataOf(source_id, "customer.voucher.loyalty_card.points_added");
    expect(told).toMatchObject([
      { balance: { points: 5, balance: 15 }, voucher: { loyalty_card: { balance: 15 } } },
      { balance: { points: 7, balance: 22 }, voucher: { loyalty_card: { balance: 22 } } },
      { balance: { points: -20, balance: 2 }, voucher: { loyalty_card: { balance: 2 } } },
    ]);
  });
});

test("a page of fifty events is told with as many statements as one of ten", async () => {
  const program = await aProgram(service, {}, 1000);
  const { card, source_id } = await aMember(service, program);
  for (let i = 0; i < 25; i += 1) {
    await api.post(`/v1/vouchers/${card.code}/balance`, { amount: 1 + i }, 200);
    const order = { amount: 100 + i };
    await api.post("/v1/orders", { ...order, customer: { source_id }, status: "PAID" }, 200);
  }
  const events = await context.db.many<StoredEvent>(sql`
    select ${event_fields} from events
     where events.project_id = ${project.id} and events.customer_id = ${card.holder_id}
     order by events.created_at, events.id`);
  const statementsFor = async (some: readonly StoredEvent[]) => {
    const counted = counting(context);
    const shown = await findProject(context.db, project.id);
    if (!shown) throw new Error("there is no project");
    const namings = some.map((event) => ({ event, name: event.type as EventName }));
    expect(await payloadsOf(counted.context, shown, namings)).not.toContain(undefined);
    return counted.statements();
  };
  const statements = await statementsFor(events.slice(0, 10));
  expect(events.length).toBeGreaterThanOrEqual(50);
  expect(statements).toBeGreaterThan(0);
  expect(await statementsFor(events.slice(0, 50))).toBe(statements);
});

/** The context, and how many statements were asked of its database. */
function counting(of: Context) {
  let statements = 0;
  const db = of.db.of(project.id);
  const counts = new Proxy(db, {
    get(target, name) {
      const value = target[name as keyof Database];
      if (!["many", "maybe", "one", "run"].includes(name as string)) return value;
      return (...sent: [never]) => {
        statements += 1;
        return (value as (...sent: [never]) => unknown)(...sent);
      };
    },
  });
  return { context: { ...of, db: { ...of.db, of: () => counts } }, statements: () => statements };
}
