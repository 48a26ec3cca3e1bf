import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import type { Queries } from "../../platform/db/database.js";
import { type Sql, sql } from "../../platform/db/sql.js";
import { findCustomersByIds, newCustomer } from "../customers/index.js";
import { readCustomersToFilter } from "./customer-to-filter.js";
import { customerToFilter, findStaticMemberships } from "./index.js";
import { pathsOf } from "./segment.js";

const { api, context, project, anotherProject } = await startService();
const { db } = context;

const ids: string[] = [];
for (const source_id of ["ann", "bob", "cleo"]) {
  ids.push((await api.post("/v1/customers", { source_id, name: source_id }, 200)).body.id);
  await api.post("/v1/orders", { customer: { source_id }, amount: 100, status: "PAID" }, 200);
}
const customers = await findCustomersByIds(db, project.id, ids);

/** The database, with the statements counted that are put to it. */
function counting(): { asked: Queries; statements: () => number } {
  let statements = 0;
  const many = <Row>(statement: Sql) => {
    statements += 1;
    return db.many<Row>(statement);
  };
  return { asked: { ...db, many }, statements: () => statements };
}

describe("what filters look at", () => {
  test.each([
    [[], 0],
    [["name", "city", "metadata.plan"], 0],
    [["loyalty_tier.name", "loyalty_tier.campaigns.A.id"], 1],
    [["summary.orders.total_count", "loyalty.points"], 1],
    [["loyalty.points"], 1],
    [["loyalty_points.campaigns.A.points"], 1],
    [["events.visit.count", "events.order.placed.last_at"], 1],
    [["publications.created_at"], 1],
    [["summary.orders.total_count", "events.visit.count", "publications.created_at"], 3],
  ])("for the fields %j is read of all customers with %i statements", async (paths, count) => {
    const { asked, statements } = counting();
    const found = await readCustomersToFilter(asked, project.id, customers, new Set(paths));
    expect(statements()).toBe(count);
    expect([...found.keys()].sort()).toEqual(ids);
    const counted = paths.some((path) => /^(summary|loyalty)/.test(path) && !path.startsWith("loyalty_tier"));
    for (const id of ids) {
      const shown = (await api.get(`/v1/customers/${id}`, 200)).body;
      expect(found.get(id)).toMatchObject(counted ? shown : { id, name: shown.name, object: "customer" });
    }
  });

  test("of somebody who is not stored yet counts zero", () => {
    const paths = new Set(["events.order.placed.count", "summary.orders.total_count"]);
    expect(customerToFilter(newCustomer("", { name: "New" }, 0), undefined, paths)).toMatchObject({
      name: "New",
      summary: { orders: { total_count: 0 }, redemptions: { total_redeemed: 0 } },
      loyalty: { points: 0, campaigns: {} },
      events: { "order.placed": { count: 0 } },
      publications: [],
    });
  });

  test("are the fields that a filter names", () => {
    expect(pathsOf({ junction: "and", city: {}, "events.a.count": {} })).toEqual(["city", "events.a.count"]);
    expect(pathsOf(null)).toEqual([]);
  });
});

test("the lists of a project say of many customers at once where each stands", async () => {
  const [ann = "", bob = "", cleo = ""] = ids;
  const made: string[] = [];
  for (const listed of [[ann, bob], [ann]]) {
    made.push((await api.post("/v1/segments", { name: "S", type: "static", customers: listed }, 200)).body.id);
  }
  const [first, second] = made;
  const found = await findStaticMemberships(db, project.id, [ann, bob, cleo, "cust_nobody"]);
  expect(found).toHaveLength(3);
  expect(found).toEqual(
    expect.arrayContaining([
      { customer_id: ann, segment_id: first },
      { customer_id: ann, segment_id: second },
      { customer_id: bob, segment_id: first },
    ]),
  );
  expect(await findStaticMemberships(db, (await anotherProject()).id, ids)).toEqual([]);
});

describe("a customer who was given 10,000 codes", () => {
  const publish = (id: string, count: number, result: string) =>
    db.run(sql`
      insert into publications (project_id, id, customer_id, voucher_id, channel, metadata, result, created_at)
      select ${project.id}, 'pub_' || ${result}::text || ${count}::int || i, ${id}, 'v_' || i, 'API', '{}', ${result},
             timestamptz '2026-01-01' + i * interval '1 second'
        from generate_series(1, ${count}::int) as i`);
  const read = (wanted: typeof customers) =>
    readCustomersToFilter(db, project.id, wanted, new Set(["publications.created_at"]));

  test("is looked at with all of them, and refused with one more; refused ones do not count, nor does a neighbour's", async () => {
    const [ann, ...others] = customers as [(typeof customers)[0], ...typeof customers];
    await publish(ann.id, 10_000, "SUCCESS");
    await publish(ann.id, 5, "FAILURE");
    expect((await read([ann])).get(ann.id)?.publications).toHaveLength(10_000);
    await publish(ann.id, 1, "SUCCESS");
    const details = expect.stringContaining(`${ann.id} has more than 10000 publications`);
    await expect(read(customers)).rejects.toMatchObject({ status: 400, body: { key: "decision_too_heavy", details } });
    expect((await read(others)).size).toBe(others.length);
    // What asks for no publications is told as before.
    expect((await readCustomersToFilter(db, project.id, [ann], new Set(["name"]))).size).toBe(1);
  });
});
